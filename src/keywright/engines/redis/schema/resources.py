"""Servers to and from Pulumi resources: the settings of each, with its consumer groups.

A service takes no settings but by its parameter group, which `parameters.py` tells: here stand its consumer groups.
"""

from collections.abc import Sequence
from typing import Any

from keywright.engines.resource import Resource
from keywright.ir.json import Json

from .capabilities import is_service
from .codec import describe, parse
from .target import ServerTarget

SETTINGS = "keywright:redis:Settings"
"""The type of the resource."""


def to_resources(declared: str, server: ServerTarget) -> tuple[Resource, ...]:
    """See `Engine.to_resources`."""
    native: Any = describe(server)["native"]
    is_managed = server.placement is not None and is_service(server.placement.flavour)
    if is_managed and not server.streams:
        return ()
    inputs: dict[str, Json] = {"name": server.name, **native.get("server", {})}
    if not is_managed:
        inputs["settings"] = native["settings"]
    if server.generation > 1:
        inputs["generation"] = server.generation
    if "streams" in native:
        inputs["streams"] = [{"name": key, "groups": [*groups]} for key, groups in native["streams"].items()]
    return (Resource(SETTINGS, declared, server.name, inputs),)


def from_resources(resources: Sequence[Resource]) -> ServerTarget:
    """See `Engine.from_resources`."""
    inputs: Any = resources[0].inputs
    native: dict[str, Json] = {
        "settings": inputs.get("settings") or {},
        "streams": {one["name"]: {group: {} for group in one["groups"]} for one in inputs.get("streams") or ()},
    }
    if placed := {key: inputs[key] for key in ("flavour", "version", "replicas") if key in inputs}:
        native["server"] = placed
    return parse({"name": inputs["name"], "generation": inputs.get("generation", 1), "native": native, "shape": {}})
