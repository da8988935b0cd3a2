"""Servers to and from Pulumi resources: the settings of each, with its consumer groups and indexes of Search.

A service accepts settings only as parameters of a group, in `parameters.py`; its resource here has only the groups.
"""

from collections.abc import Sequence
from typing import Any

from keywright.engines.contract.resource import StackResource
from keywright.ir.json import Json

from .capabilities import is_service
from .codec import describe, parse
from .search_target import SearchTarget
from .target import ServerTarget

SETTINGS = "keywright:redis:Settings"
"""The type of the resource."""


def to_resources(declared: str, server: ServerTarget) -> tuple[StackResource, ...]:
    """See `Engine.to_resources`."""
    native: Any = describe(server)["native"]
    is_managed = server.placement is not None and is_service(server.placement.flavour)
    if is_managed and not (server.streams or server.indexes):
        return ()
    inputs: dict[str, Json] = {"name": server.name, **native.get("server", {})}
    if not is_managed:
        inputs["settings"] = native["settings"]
    if server.generation > 1:
        inputs["generation"] = server.generation
    if "streams" in native:
        inputs["streams"] = [{"name": key, "groups": [*groups]} for key, groups in native["streams"].items()]
    if server.placement is not None and server.placement.has_users and "users" in native:
        inputs["users"] = [{"name": name, "rules": rules} for name, rules in native["users"].items()]
    if server.indexes:
        inputs["indexes"] = [{"name": index.name, **index.definition} for index in server.indexes]
    return (StackResource(SETTINGS, declared, server.name, inputs),)


def from_resources(resources: Sequence[StackResource]) -> ServerTarget:
    """See `Engine.from_resources`."""
    inputs: Any = resources[0].inputs
    native: dict[str, Json] = {
        "settings": inputs.get("settings") or {},
        "streams": {
            stream["name"]: {group: {} for group in stream["groups"]} for stream in inputs.get("streams") or ()
        },
        "users": {user["name"]: user["rules"] for user in inputs.get("users") or ()},
    }
    definitions = [
        SearchTarget(index["name"], {name: value for name, value in index.items() if name != "name"})
        for index in inputs.get("indexes") or ()
    ]
    native["indexes"] = {index.name: dict(index.definition) for index in definitions}
    native["built"] = {index.built: dict(index.definition) for index in definitions if not index.is_direct}
    if placed := {key: inputs[key] for key in ("flavour", "version", "replicas", "has_users") if key in inputs}:
        native["server"] = placed
    return parse({"name": inputs["name"], "generation": inputs.get("generation", 1), "native": native, "shape": {}})
