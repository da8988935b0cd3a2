"""Where a page ended: what a cursor holds, as text."""

import base64
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from keywright.errors import UsageError
from keywright.ir.pattern import Pattern

from .spans import Key

_HELP = "give the cursor of an earlier page of the same pattern, called with the same values"


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
    """A position as text that any address takes."""
    keys = {spot: key and {name: _plain(value) for name, value in key.items()} for spot, key in position.keys.items()}
    told = json.dumps([_sign(pattern), position.group, keys, position.offset], separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(told.encode(), 9)).decode().rstrip("=")


def read(pattern: Pattern, cursor: str) -> Position:
    """The position that a cursor tells; UsageError for one that is broken or another pattern's."""
    try:
        told = zlib.decompress(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        sign, group, keys, offset = json.loads(told)
        found = {spot: key and {name: _native(value) for name, value in key.items()} for spot, key in keys.items()}
    except (ValueError, TypeError, AttributeError, zlib.error):
        raise UsageError("the cursor is none that a page told", _HELP) from None
    if sign != _sign(pattern):
        raise UsageError(f'the cursor is of another pattern than "{pattern.name}"', _HELP)
    return Position(group, found, offset)


def strange() -> UsageError:
    """The error for a cursor that does not fit the values of the call."""
    return UsageError("the cursor is of a call with other values", _HELP)


def _sign(pattern: Pattern) -> int:
    return zlib.crc32(f"{pattern.context}.{pattern.name}".encode())


def _plain(native: dict[str, Any]) -> Any:
    ((kind, value),) = native.items()
    return {kind: base64.b64encode(bytes(getattr(value, "value", value))).decode() if kind == "B" else value}


def _native(told: dict[str, Any]) -> dict[str, Any]:
    ((kind, value),) = told.items()
    return {kind: base64.b64decode(value) if kind == "B" else value}
