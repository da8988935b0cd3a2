"""See `Adoption`."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.adoption import Adoption
from keywright.ir.json import Json

from ..schema.codec import parse
from ..schema.place import HISTORY
from .adopt import adopt
from .cql_schema import SUFFIXES, read_schema
from .key_orders import key_orders
from .requests import rates, remembers, requested

DATACENTRES = {"dc1": 3}
"""Replication of files, and of keyspaces whose strategy names no data centre."""


def settings(address: str, version: str, live: Mapping[str, Any]) -> dict[str, Json]:
    """See `Adoption.settings`: replication belongs to the environment."""
    keyspace = parse(dict(live)) if live else None
    replication = dict(keyspace.placement.replication) if keyspace and keyspace.placement else {}
    factors = {name: int(copies) for name, copies in replication.items() if name != "class" and copies.isdigit()}
    is_by_centre = replication.get("class") == "NetworkTopologyStrategy" and factors
    minor = {"version": ".".join(version.split(".")[:2])} if version else {}
    return {"flavour": "cassandra", **minor, "datacentres": {**(factors if is_by_centre else DATACENTRES)}}


ADOPTION = Adoption(
    adopt=adopt,
    doc="Cassandra keyspace",
    key_orders=key_orders,
    requested=requested,
    remembers=remembers,
    rates=rates,
    read_schema=read_schema,
    suffixes=SUFFIXES,
    files=("CQL statements",),
    history=HISTORY,
    settings=settings,
)
