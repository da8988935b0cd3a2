"""Cursors as text: what an engine keeps of a page's end, sealed, so that no broken or foreign one is taken."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from keywright.errors import UsageError
from keywright.ir.pattern import Pattern

HELP = "give the cursor of an earlier page of the same pattern, called with the same values"


def sealed(pattern: Pattern, state: bytes) -> str:
    """A state as text that any address takes."""
    packed = zlib.compress(state, 9)
    return urlsafe_b64encode(_seal(pattern, packed) + packed).decode("ascii").rstrip("=")


def unsealed(pattern: Pattern, cursor: str) -> bytes:
    """The state that a text was made of; UsageError for one that is broken or another pattern's."""
    try:
        whole = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        if whole[:4] == _seal(pattern, whole[4:]):
            return zlib.decompress(whole[4:])
    except (ValueError, TypeError, zlib.error):
        pass
    raise UsageError(f'the cursor is none that a page of "{pattern.name}" told', HELP)


def strange() -> UsageError:
    """The error for a cursor that does not fit the values of the call."""
    return UsageError("the cursor is of a call with other values", HELP)


def _seal(pattern: Pattern, packed: bytes) -> bytes:
    """A checksum that holds the pattern's name too, which is no part of the text."""
    return zlib.crc32(f"{pattern.context}.{pattern.name}".encode() + packed).to_bytes(4, "big")
