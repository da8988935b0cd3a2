"""See `Adoption`."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.adoption import Adoption
from keywright.ir.json import Json

from ..schema.codec import parse
from ..schema.place import HISTORY
from .key_orders import key_orders
from .metrics import measured
from .schema_file import FILES, SUFFIXES, read_schema
from .table_settings import settings_of
from .tables import adopt


def settings(address: str, version: str, live: Mapping[str, Any]) -> dict[str, Json]:
    """See `Adoption.settings`."""
    is_local = bool(address) and not address.startswith("aws:") and "amazonaws.com" not in address
    if is_local or not live:
        return {"flavour": "dynamodb-local" if is_local else "dynamodb"}
    placement = parse({**live}).placement
    own = settings_of(placement) if placement is not None else {}
    return {"flavour": "dynamodb", **({"tables": {str(live["name"]): own}} if own else {})}


ADOPTION = Adoption(
    adopt=adopt,
    doc="DynamoDB table",
    key_orders=key_orders,
    sampled=lambda live: {str(live["name"]): str(live["name"])},
    read_schema=read_schema,
    measured=measured,
    suffixes=SUFFIXES,
    files=FILES,
    history=HISTORY,
    settings=settings,
)
