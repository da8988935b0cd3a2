"""Databases to and from Pulumi resources: one for each collection, with its indexes, under the server's own names."""

from collections.abc import Sequence
from typing import Any

from keywright.engines.resource import Resource, listed, named, without
from keywright.ir.json import Json

from .codec import describe, parse
from .target import DatabaseTarget

COLLECTION = "keywright:mongodb:Collection"
"""The type of the resource."""


def to_resources(declared: str, database: DatabaseTarget) -> tuple[Resource, ...]:
    """See `Engine.to_resources`."""
    native: Any = describe(database)["native"]
    made: list[Resource] = []
    for name, options in native["collections"].items():
        inputs: dict[str, Json] = {"database": database.name, "name": name, **options}
        if indexes := native["indexes"].get(name):
            inputs["indexes"] = listed(indexes)
        made.append(Resource(COLLECTION, f"{declared}.{name}", f"{database.name}/{name}", inputs))
    return tuple(made)


def from_resources(resources: Sequence[Resource]) -> DatabaseTarget:
    """See `Engine.from_resources`."""
    found = [one.inputs for one in resources]
    native: dict[str, Json] = {
        "collections": {str(one["name"]): without(one, "database", "name", "indexes") for one in found},
        "indexes": {str(one["name"]): named(one["indexes"]) for one in found if one.get("indexes")},
    }
    return parse({"name": found[0]["database"], "generation": 1, "native": native, "shape": {}})
