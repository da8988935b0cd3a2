"""Cursors as text, with the position at which a page ended."""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import opened, sealed

from .spans import Key


@dataclass(slots=True)
class PagePosition:
    """Position at which the next page begins."""

    group: str = ""
    """Group of key ranges that is being read; earlier groups are finished."""
    keys: dict[str, Key | None] = field(default_factory=dict)
    """Key of the last item of each started key range; None for a finished range."""
    offset: int = 0
    """Number of keys already read, for reads by keys."""


def written(pattern: Pattern, position: PagePosition) -> str:
    """Position as a cursor."""
    keys = {
        range_id: key and {name: _plain(value) for name, value in key.items()}
        for range_id, key in position.keys.items()
    }
    return sealed(pattern, json.dumps([position.group, keys, position.offset], separators=(",", ":")).encode())


def read(pattern: Pattern, cursor: str) -> PagePosition:
    """Position of a cursor; InvalidCursor for one that is broken or belongs to another pattern."""
    return opened(pattern, cursor, _position)


def _position(state: bytes) -> PagePosition:
    group, keys, offset = json.loads(state)
    positions = {
        range_id: key and {name: _native(value) for name, value in key.items()} for range_id, key in keys.items()
    }
    return PagePosition(group, positions, offset)


def _plain(native: dict[str, Any]) -> Any:
    ((kind, value),) = native.items()
    return {kind: base64.b64encode(bytes(getattr(value, "value", value))).decode() if kind == "B" else value}


def _native(json_value: dict[str, Any]) -> dict[str, Any]:
    ((kind, value),) = json_value.items()
    return {kind: base64.b64decode(value) if kind == "B" else value}
