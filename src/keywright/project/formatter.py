"""Reads the line length from the settings of the project's formatter."""

import contextlib
import tomllib
from pathlib import Path
from typing import Any

DEFAULT_LENGTH = 88
"""Default line length of Ruff and Black: https://docs.astral.sh/ruff/settings/#line-length,
2026-11-22."""

_TABLES = (("ruff.toml",), (".ruff.toml",), ("pyproject.toml", "tool", "ruff"), ("pyproject.toml", "tool", "black"))
"""Tables that contain `line-length`."""


def line_length(root: Path) -> int:
    """Maximum characters of a line in a project."""
    for name, *path in _TABLES:
        table: Any = {}
        with contextlib.suppress(OSError, ValueError):
            table = tomllib.loads((root / name).read_text(encoding="utf-8"))
        for key in path:
            table = table.get(key, {})
        if isinstance(length := table.get("line-length"), int):
            return length
    return DEFAULT_LENGTH
