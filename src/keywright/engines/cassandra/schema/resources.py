"""Keyspaces to and from Pulumi resources: one for a keyspace with its types, one for each table."""

from collections.abc import Sequence
from typing import Any

from keywright.engines.resource import Resource, listed, named, without
from keywright.ir.json import Json

from .codec import describe, parse
from .target import KeyspaceTarget

KEYSPACE = "keywright:cassandra:Keyspace"
"""The type of a keyspace."""

TABLE = "keywright:cassandra:Table"
"""The type of a table."""

_HELD = ("indexes", "views")
"""What a table's resource brings along."""


def to_resources(declared: str, keyspace: KeyspaceTarget) -> tuple[Resource, ...]:
    """See `Engine.to_resources`; a keyspace without placement is part of one, and is told by its tables alone."""
    native: Any = describe(keyspace)["native"]
    made: list[Resource] = []
    if keyspace.placement:
        inputs: dict[str, Json] = {"name": keyspace.name, **without(native, "tables", "types", *_HELD)}
        if "types" in native:
            inputs["types"] = [{"name": name, "fields": fields} for name, fields in native["types"].items()]
        made.append(Resource(KEYSPACE, declared, keyspace.name, inputs))
    for name, table in native.get("tables", {}).items():
        inputs = {"keyspace": keyspace.name, "name": name, **table}
        for part in _HELD:
            held = {key: without(one, "table") for key, one in native.get(part, {}).items() if one["table"] == name}
            if held:
                inputs[part] = listed(held)
        made.append(Resource(TABLE, f"{declared}.{name}", f"{keyspace.name}/{name}", inputs, declared))
    return tuple(made)


def from_resources(resources: Sequence[Resource]) -> KeyspaceTarget:
    """See `Engine.from_resources`."""
    native: dict[str, Any] = {"tables": {}, "indexes": {}, "views": {}}
    keyspace = ""
    for resource in resources:
        inputs: Any = resource.inputs
        if resource.type == KEYSPACE:
            keyspace = inputs["name"]
            native |= without(inputs, "name", "types")
            native["types"] = {type["name"]: type["fields"] for type in inputs.get("types") or ()}
        else:
            keyspace, name = inputs["keyspace"], inputs["name"]
            native["tables"][name] = without(inputs, "keyspace", "name", *_HELD)
            for part in _HELD:
                held: Any = named(inputs.get(part))
                native[part] |= {key: {**one, "table": name} for key, one in held.items()}
    return parse({"name": keyspace, "generation": 1, "native": native, "shape": {}})
