"""Where a page ended: what a cursor holds, as text."""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import sealed, unsealed

from .spans import Key


@dataclass(slots=True)
class Position:
    """Where the next page begins."""

    group: str = ""
    """The group of spots that is being read; those before it are done."""
    keys: dict[str, Key | None] = field(default_factory=dict)
    """Key of the last item of each spot that has given some; None for a spot that is done."""
    offset: int = 0
    """Keys that were asked, where items are read by their keys."""


def written(pattern: Pattern, position: Position) -> str:
    """A position as a cursor."""
    keys = {spot: key and {name: _plain(value) for name, value in key.items()} for spot, key in position.keys.items()}
    return sealed(pattern, json.dumps([position.group, keys, position.offset], separators=(",", ":")).encode())


def read(pattern: Pattern, cursor: str) -> Position:
    """The position that a cursor tells; UsageError for one that is broken or another pattern's."""
    group, keys, offset = json.loads(unsealed(pattern, cursor))
    found = {spot: key and {name: _native(value) for name, value in key.items()} for spot, key in keys.items()}
    return Position(group, found, offset)


def _plain(native: dict[str, Any]) -> Any:
    ((kind, value),) = native.items()
    return {kind: base64.b64encode(bytes(getattr(value, "value", value))).decode() if kind == "B" else value}


def _native(told: dict[str, Any]) -> dict[str, Any]:
    ((kind, value),) = told.items()
    return {kind: base64.b64decode(value) if kind == "B" else value}
