"""What the project's formatter is told, as far as an edit has to know it."""

import contextlib
import tomllib
from pathlib import Path
from typing import Any

USUAL = 88
"""Characters of a line by default, of Ruff and Black alike: https://docs.astral.sh/ruff/settings/#line-length,
2026-11-22."""

_TABLES = (("ruff.toml",), (".ruff.toml",), ("pyproject.toml", "tool", "ruff"), ("pyproject.toml", "tool", "black"))
"""Where that is said."""


def line_length(root: Path) -> int:
    """Characters that a line of a project may have."""
    for name, *path in _TABLES:
        table: Any = {}
        with contextlib.suppress(OSError, ValueError):
            table = tomllib.loads((root / name).read_text(encoding="utf-8"))
        for key in path:
            table = table.get(key, {})
        if isinstance(found := table.get("line-length"), int):
            return found
    return USUAL
