"""See `Adoption`."""

from keywright.engines.contract.adoption import Adoption

from .adopt import adopt
from .cql_schema import SUFFIXES, read_schema

ADOPTION = Adoption(adopt=adopt, read_schema=read_schema, suffixes=SUFFIXES)
