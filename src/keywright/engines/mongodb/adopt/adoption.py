"""See `Adoption`."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.adoption import Adoption
from keywright.ir.json import Json

from .adopt import adopt, sampled
from .dump import FILES, SUFFIXES, read_schema
from .key_orders import key_orders
from .profile import requested
from .validation import within


def settings(address: str, version: str, live: Mapping[str, Any]) -> dict[str, Json]:
    """See `Adoption.settings`."""
    return {"flavour": "mongodb", **({"version": ".".join(version.split(".")[:2])} if version else {})}


ADOPTION = Adoption(
    adopt=adopt,
    doc="MongoDB database",
    key_orders=key_orders,
    sampled=sampled,
    requested=requested,
    read_schema=read_schema,
    suffixes=SUFFIXES,
    files=FILES,
    settings=settings,
    within=within,
)
