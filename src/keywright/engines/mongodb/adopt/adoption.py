"""See `Adoption`."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.adoption import Adoption
from keywright.ir.json import Json

from .adopt import adopt, sampled
from .key_orders import key_orders


def settings(address: str, version: str, live: Mapping[str, Any]) -> dict[str, Json]:
    """See `Adoption.settings`."""
    return {"flavour": "mongodb", **({"version": ".".join(version.split(".")[:2])} if version else {})}


ADOPTION = Adoption(adopt=adopt, key_orders=key_orders, sampled=sampled, settings=settings)
