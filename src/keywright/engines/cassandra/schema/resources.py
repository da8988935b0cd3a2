"""Keyspaces to and from Pulumi resources: one resource for a keyspace with its types, and one for each table."""

from collections.abc import Sequence
from typing import Any

from keywright.engines.contract.resource import StackResource, listed, named, without
from keywright.ir.json import Json

from .codec import describe, parse
from .target import KeyspaceTarget

KEYSPACE = "keywright:cassandra:Keyspace"
"""Resource type of a keyspace."""

TABLE = "keywright:cassandra:Table"
"""Resource type of a table."""

_TABLE_PARTS = ("indexes", "views")
"""Parts of a description that the resource of a table includes."""


def to_resources(declared: str, keyspace: KeyspaceTarget) -> tuple[StackResource, ...]:
    """See `Engine.to_resources`. A keyspace without placement is a part of one and has only table resources."""
    native: Any = describe(keyspace)["native"]
    resources: list[StackResource] = []
    if keyspace.placement:
        inputs: dict[str, Json] = {"name": keyspace.name, **without(native, "tables", "types", *_TABLE_PARTS)}
        if "types" in native:
            inputs["types"] = [{"name": name, "fields": fields} for name, fields in native["types"].items()]
        resources.append(StackResource(KEYSPACE, declared, keyspace.name, inputs))
    for name, table in native.get("tables", {}).items():
        inputs = {"keyspace": keyspace.name, "name": name, **table}
        for part in _TABLE_PARTS:
            objects = {
                key: without(described, "table")
                for key, described in native.get(part, {}).items()
                if described["table"] == name
            }
            if objects:
                inputs[part] = listed(objects)
        resources.append(StackResource(TABLE, f"{declared}.{name}", f"{keyspace.name}/{name}", inputs, declared))
    return tuple(resources)


def from_resources(resources: Sequence[StackResource]) -> KeyspaceTarget:
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
            native["tables"][name] = without(inputs, "keyspace", "name", *_TABLE_PARTS)
            for part in _TABLE_PARTS:
                objects: Any = named(inputs.get(part))
                native[part] |= {key: {**described, "table": name} for key, described in objects.items()}
    return parse({"name": keyspace, "generation": 1, "native": native, "shape": {}})
