"""Cursors: the place where a page ends, as JSON."""

import json
from typing import Any

from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import sealed, unsealed


def written(pattern: Pattern, state: Any) -> str:
    """The cursor of a place."""
    return sealed(pattern, json.dumps(state, separators=(",", ":"), ensure_ascii=False).encode())


def read(pattern: Pattern, cursor: str) -> Any:
    """The place that a cursor means; UsageError for one that is broken or of another pattern."""
    return json.loads(unsealed(pattern, cursor))
