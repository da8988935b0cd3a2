"""Unmanaged objects: parts of a live store that no target contains."""

from collections.abc import Iterator
from typing import Any

from keywright.ir.json import Json
from keywright.record import Record

from .change import Path
from .parts import Part

_OWNERS = ("collections", "tables")
"""Keys of the parts that own other parts, such as indexes, which are described separately."""


class Unmanaged(Record):
    """One unmanaged part."""

    path: Path
    """Its path in the native half of the description."""
    description: Json
    """Its description."""


def unmanaged(parts: Part, live: Json, managed: Json) -> tuple[Unmanaged, ...]:
    """The largest parts of a live native half that a managed one lacks, in the order of their paths.

    Parts of an unmanaged table are not listed separately.
    """
    unmanaged_parts = tuple(_unmanaged(parts.at("native"), live, managed, ()))
    tables = {part.path[1] for part in unmanaged_parts if len(part.path) == 2 and part.path[0] in _OWNERS}
    return tuple(part for part in unmanaged_parts if part.path[0] in _OWNERS or not _owner(part) & tables)


def _unmanaged(tree: Part, live: Any, managed: Any, path: Path) -> Iterator[Unmanaged]:
    for key in sorted(live):
        part, here = tree.at(key), (*path, key)
        if key in managed and part.parts:
            yield from _unmanaged(part, live[key], managed[key], here)
        elif key not in managed and part.noun:
            yield Unmanaged(here, live[key])
        elif key not in managed:
            yield from _unmanaged(part, live[key], {}, here)


def _owner(part: Unmanaged) -> set[str]:
    """Names of the tables that may own a part."""
    table = part.description.get("table") if isinstance(part.description, dict) else None
    return {*part.path[1:2], str(table)}
