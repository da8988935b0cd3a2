"""See `Adoption`."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.adoption import Adoption
from keywright.ir.json import Json

from ..schema.place import product_of
from .adopt import adopt, is_same
from .conf_file import SUFFIXES, included, read_schema
from .proposals import proposals

NAME = "redis"
"""Name of an adopted server, which has none of its own."""


def settings(address: str, version: str, live: Mapping[str, Any]) -> dict[str, Json]:
    """See `Adoption.settings`: what an environment owns."""
    flavour, number = product_of(version)
    own: Mapping[str, str] = live["native"]["settings"] if live else {}
    threads, bytes = int(own.get("io-threads", "1")), int(own.get("maxmemory", "0"))
    return {
        "flavour": flavour,
        **({"version": number} if number else {}),
        **({"maxmemory": bytes} if bytes else {}),
        **({"cluster": True} if own.get("cluster-enabled") == "yes" else {}),
        **({"io-threads": threads} if threads > 1 else {}),
    }


ADOPTION = Adoption(
    adopt=adopt,
    doc="Keys of the Redis server",
    proposals=proposals,
    sampled=lambda live: {str(live["name"]): str(live["name"])},
    read_schema=read_schema,
    suffixes=SUFFIXES,
    files=("redis.conf", "commands that write keys of Redis, one in each line"),
    included=included,
    name=NAME,
    has_version_defaults=True,
    is_same=is_same,
    settings=settings,
)
