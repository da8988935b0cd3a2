"""Cursors: where a page ends, as text that is safe in a URL."""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from keywright.errors import UsageError
from keywright.ir.pattern import Pattern


def written(pattern: Pattern, state: Any) -> str:
    """The cursor of a place; the pattern's name is part of it, and a checksum."""
    text = json.dumps([pattern.binding, pattern.name, state], separators=(",", ":"), ensure_ascii=False).encode()
    return urlsafe_b64encode(zlib.crc32(text).to_bytes(4, "big") + text).decode("ascii").rstrip("=")


def read(pattern: Pattern, cursor: str) -> Any:
    """The place that a cursor means; UsageError for one that is broken or of another pattern."""
    try:
        whole = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        checksum, text = whole[:4], whole[4:]
        if zlib.crc32(text).to_bytes(4, "big") != checksum:
            raise ValueError(cursor)
        binding, name, state = json.loads(text)
    except (ValueError, TypeError):
        raise UsageError(f'"{cursor}" is no cursor', "give the cursor of a page as it is, or none") from None
    if (binding, name) != (pattern.binding, pattern.name):
        problem = f'the cursor is one of "{name}", not of "{pattern.name}"'
        raise UsageError(problem, "give a cursor to the pattern that it is from")
    return state
