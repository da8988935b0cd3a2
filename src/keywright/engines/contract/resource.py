"""Pulumi resources as plain data, the same for every engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from keywright.ir.json import Json

Inputs: TypeAlias = dict[str, Json]
"""What a program says of a resource."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource of a stack."""

    type: str
    """Its type, such as `keywright:mongodb:Collection`."""
    name: str
    """What the stack calls it, which never changes."""
    id: str
    """Where it is: the physical name of the target, and behind a slash that of the part of it."""
    inputs: Inputs
    """What the program says of it."""
    within: str = ""
    """The name of the resource that it is in, which must be there first; empty for none."""
    ignores: tuple[str, ...] = ()
    """Inputs that are somebody else's once it is made."""


def listed(parts: Mapping[str, Json]) -> list[Json]:
    """Things by name as a list, in which previews show each by itself."""
    return [{"name": name, **_mapping(part)} for name, part in parts.items()]


def named(parts: Any) -> dict[str, Json]:
    """The inverse of `listed`."""
    return {one["name"]: without(one, "name") for one in parts or ()}


def without(inputs: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The inputs that have other names."""
    return {key: value for key, value in inputs.items() if key not in names}


def _mapping(part: Json) -> Mapping[str, Json]:
    assert isinstance(part, dict)
    return part
