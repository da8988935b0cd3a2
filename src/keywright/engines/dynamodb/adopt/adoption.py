"""See `Adoption`."""

from keywright.engines.contract.adoption import Adoption

from .schema_file import SUFFIXES, read_schema
from .tables import adopt

ADOPTION = Adoption(
    adopt=adopt,
    sampled=lambda live: {str(live["name"]): str(live["name"])},
    read_schema=read_schema,
    suffixes=SUFFIXES,
)
