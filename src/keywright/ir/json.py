"""JSON values, and the one way in which they become text: same value, same bytes."""

import json
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""Any JSON value."""


def canonical(value: Json) -> str:
    """One line without blanks, keys sorted: what fingerprints are made of."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def pretty(value: Json, *, sort_keys: bool = False) -> str:
    """Two blanks per level and a final line break, as files are written."""
    return json.dumps(value, sort_keys=sort_keys, indent=2, ensure_ascii=False) + "\n"
