"""Cursors: the end of a page as JSON."""

import json
from typing import Any

from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import opened, sealed


def written(pattern: Pattern, state: Any) -> str:
    """The cursor of a place."""
    return sealed(pattern, json.dumps(state, separators=(",", ":"), ensure_ascii=False).encode())


def read(pattern: Pattern, cursor: str) -> Any:
    """The place of a cursor; raises InvalidCursor for a broken cursor, or for the cursor of another pattern."""
    return opened(pattern, cursor, json.loads)
