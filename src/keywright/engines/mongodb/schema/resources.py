"""Databases to and from Pulumi resources: one for each collection, with its indexes, under the server's own names."""

from collections.abc import Sequence
from typing import Any

from keywright.engines.contract.resource import StackResource, listed, named, without
from keywright.ir.json import Json

from .codec import describe, parse
from .target import DatabaseTarget

COLLECTION = "keywright:mongodb:Collection"
"""The type of the resource."""


def to_resources(declared: str, database: DatabaseTarget) -> tuple[StackResource, ...]:
    """See `Engine.to_resources`."""
    native: Any = describe(database)["native"]
    resources: list[StackResource] = []
    for name, options in native["collections"].items():
        inputs: dict[str, Json] = {"database": database.name, "name": name, **options}
        if indexes := native["indexes"].get(name):
            inputs["indexes"] = listed(indexes)
        resources.append(StackResource(COLLECTION, f"{declared}.{name}", f"{database.name}/{name}", inputs))
    return tuple(resources)


def from_resources(resources: Sequence[StackResource]) -> DatabaseTarget:
    """See `Engine.from_resources`."""
    inputs = [resource.inputs for resource in resources]
    native: dict[str, Json] = {
        "collections": {str(item["name"]): without(item, "database", "name", "indexes") for item in inputs},
        "indexes": {str(item["name"]): named(item["indexes"]) for item in inputs if item.get("indexes")},
    }
    return parse({"name": inputs[0]["database"], "generation": 1, "native": native, "shape": {}})
