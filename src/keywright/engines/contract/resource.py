"""Pulumi resources as plain data, the same for every engine."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from keywright.ir.json import Json
from keywright.record import Record

Inputs: TypeAlias = dict[str, Json]
"""The inputs of a resource in a program."""


class StackResource(Record):
    """One resource of a stack."""

    type: str
    """Its type, such as `keywright:mongodb:Collection`."""
    name: str
    """Its name in the stack, which never changes."""
    id: str
    """The physical name of the target, or of target and part with a slash between."""
    inputs: Inputs
    """Its inputs."""
    within: str = ""
    """The name of the containing resource, which must exist first; empty for none."""
    ignores: tuple[str, ...] = ()
    """Inputs that the program sets only at creation; others own them afterwards."""


def listed(parts: Mapping[str, Json]) -> list[Json]:
    """Parts by name as a list, so that previews show each part separately."""
    return [{"name": name, **_mapping(part)} for name, part in parts.items()]


def named(parts: Any) -> dict[str, Json]:
    """The inverse of `listed`."""
    return {part["name"]: without(part, "name") for part in parts or ()}


def without(inputs: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The inputs without those of some names."""
    return {key: value for key, value in inputs.items() if key not in names}


def _mapping(part: Json) -> Mapping[str, Json]:
    assert isinstance(part, dict)
    return part
