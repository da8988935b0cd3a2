"""Cursors as text: an engine's state at the end of a page, with checksums that reject broken and foreign cursors.

An engine seals the state with the pattern's name; an open database binds the cursor to the values of the call.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from typing import Any, TypeVar

from pydantic import BaseModel

from keywright.ir.pattern import Pattern

from .errors import InvalidCursor
from .items import text as forms

State = TypeVar("State")

_CHECKSUM_BYTES, _CHECKSUM_LETTERS = 9, 12
"""Length of the checksum that binds a cursor to the values of its call, in bytes and as text."""

_MAXIMUM_BYTES = 2**20
"""Maximum size of a state, which is a few keys of items."""

OTHER_VALUES = "it belongs to a call with other values"


def sealed(pattern: Pattern, state: bytes) -> str:
    """A state as text that is safe in URLs."""
    packed = zlib.compress(state, 9)
    return urlsafe_b64encode(_pattern_checksum(pattern, packed) + packed).decode("ascii").rstrip("=")


def unsealed(pattern: Pattern, cursor: str) -> bytes:
    """The state in a sealed cursor; InvalidCursor if it is broken or of another pattern."""
    try:
        sealed_state = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        if sealed_state[:4] == _pattern_checksum(pattern, sealed_state[4:]):
            return zlib.decompressobj().decompress(sealed_state[4:], _MAXIMUM_BYTES)
    except (ValueError, TypeError, zlib.error):
        pass
    raise broken(pattern)


def broken(pattern: Pattern) -> InvalidCursor:
    """The error for a cursor that no page of the pattern returned."""
    return InvalidCursor(pattern.name, "it is invalid, or belongs to another pattern")


def foreign() -> InvalidCursor:
    """The error for a cursor that does not fit the values of the call; the database adds the name of the pattern."""
    return InvalidCursor("", OTHER_VALUES)


def opened(pattern: Pattern, cursor: str, read: Callable[[bytes], State]) -> State:
    """The state in a cursor, parsed; InvalidCursor if it is broken, of another pattern, or forged."""
    state = unsealed(pattern, cursor)
    try:
        return read(state)
    except Exception:  # noqa: BLE001  # a forged state may raise anything
        raise broken(pattern) from None


def bound(pattern: Pattern, values: Mapping[str, Any], cursor: str) -> str:
    """A sealed cursor, prefixed with a checksum of the values of its call."""
    return _call_checksum(pattern, values, cursor) + cursor


def unbound(pattern: Pattern, values: Mapping[str, Any], cursor: Any) -> str:
    """The sealed cursor in a bound one; InvalidCursor if it is broken, of another pattern or of other values."""
    if not isinstance(cursor, str):
        raise InvalidCursor(pattern.name, "it must be the text of a page's cursor", type(cursor).__name__)
    sealed_cursor = cursor[_CHECKSUM_LETTERS:]
    if _call_checksum(pattern, values, sealed_cursor) == cursor[:_CHECKSUM_LETTERS]:
        return sealed_cursor
    unsealed(pattern, sealed_cursor)
    raise foreign()


def _call_checksum(pattern: Pattern, values: Mapping[str, Any], cursor: str) -> str:
    content = f"{pattern.context}.{pattern.name}\n{_text(values)}\n{cursor}".encode("utf-8", "surrogatepass")
    return urlsafe_b64encode(blake2b(content, digest_size=_CHECKSUM_BYTES).digest()).decode("ascii")


def _text(value: Any) -> str:
    """A value as text, equal for equal values in every process."""
    value = forms.plain(value)
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat() if value.tzinfo else value.isoformat()
        case Decimal():
            return str(value.normalize())
        case Mapping():
            return f"{{{','.join(sorted(f'{_text(key)}:{_text(element)}' for key, element in value.items()))}}}"
        case set() | frozenset():
            return f"[{','.join(sorted(map(_text, value)))}]"
        case list() | tuple():
            return f"[{','.join(map(_text, value))}]"
        case BaseModel():
            return _text(dict(value))
        case _:
            return repr(value)


def _pattern_checksum(pattern: Pattern, packed: bytes) -> bytes:
    """Checksum of a state and of the pattern's name, which the cursor does not contain."""
    return zlib.crc32(f"{pattern.context}.{pattern.name}".encode() + packed).to_bytes(4, "big")
