"""Servers to and from JSON descriptions; drivers report live servers in the same form."""

from typing import Any

from keywright.engines.contract import shape
from keywright.engines.interface import Description
from keywright.ir.json import Json
from keywright.record import asdict, fields

from .search_target import SearchTarget
from .target import Placement, ServerTarget, StreamTarget, StructureTarget
from .users import UserTarget


def describe(server: ServerTarget) -> Description:
    """See `Engine.describe`."""
    native: dict[str, Json] = {"settings": dict(server.settings)}
    if server.streams:
        native["streams"] = {stream.key: {group: {} for group in stream.groups} for stream in server.streams}
    if server.users:
        native["users"] = {user.name: list(user.rules) for user in server.users}
    if server.indexes:
        native["indexes"] = {index.name: dict(index.definition) for index in server.indexes}
    if server.built:
        native["built"] = {name: dict(definition) for name, definition in server.built}
    if server.placement:
        native["server"] = describe_placement(server.placement)
    described: Any = shape.describe(server.shape)
    for structure in server.structures:
        described[structure.entity]["structure"] = _structure(structure)
    return {"name": server.name, "generation": server.generation, "native": native, "shape": described}


def describe_placement(placement: Placement) -> Json:
    """The product that runs the server; an undeclared version is left out."""
    described: dict[str, Json] = {"flavour": placement.flavour, "replicas": placement.replicas}
    described |= {"has_users": True} if placement.has_users else {}
    return described | ({"version": placement.version} if placement.version else {})


def parse(description: Description) -> ServerTarget:
    """See `Engine.parse`."""
    native: Any = description["native"]
    described: Any = description.get("shape", {})
    return ServerTarget(
        name=str(description["name"]),
        generation=int(description["generation"]),  # type: ignore[arg-type]  # an integer by construction
        settings=tuple(sorted(native["settings"].items())),
        streams=tuple(
            StreamTarget(key, tuple(sorted(groups)))
            for key, groups in sorted(native.get("streams", {}).items())
            if groups
        ),
        users=tuple(UserTarget(name, tuple(sorted(rules))) for name, rules in sorted(native.get("users", {}).items())),
        indexes=tuple(SearchTarget(name, index) for name, index in sorted(native.get("indexes", {}).items())),
        built=tuple(sorted(native.get("built", {}).items())),
        shape=shape.parse(described),
        structures=tuple(
            _parse_structure(entity, entry["structure"]) for entity, entry in described.items() if "structure" in entry
        ),
        placement=Placement(**native["server"]) if "server" in native else None,
    )


def _structure(structure: StructureTarget) -> Json:
    """The values that differ from the defaults, without the entity's name, which is the key in the description."""
    values = asdict(structure)
    defaults = {field.name: field.default for field in fields(StructureTarget)}
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in values.items()
        if key != "entity" and value != defaults[key]
    }


def _parse_structure(entity: str, described: dict[str, Any]) -> StructureTarget:
    groups = tuple(described.get("groups", ()))
    return StructureTarget(**{**described, "entity": entity, "groups": groups})
