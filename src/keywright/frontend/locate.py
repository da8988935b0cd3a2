"""Finds the line of a class or field in the user's source; asked only when something is reported."""

import ast
import sys
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel

from keywright.errors import NOWHERE, Place


def class_place(cls: type[BaseModel]) -> Place:
    """File and line of a class."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return place_in(file, cls.__name__) if file else NOWHERE


def field_place(cls: type[BaseModel], path: str) -> Place:
    """File and line of a field; of the class where the field is inherited from another file."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return place_in(file, cls.__name__, path.split(".")[0]) if file else NOWHERE


def place_in(file: str, cls: str, field: str = "") -> Place:
    """File and line of a class or of one of its fields."""
    lines = _lines(file)
    return Place(file, lines.get((cls, field)) or lines.get((cls, ""), 0))


@lru_cache(maxsize=256)
def _lines(file: str) -> dict[tuple[str, str], int]:
    """Line of every class, under (class, ""), and of every annotated field, under (class, field)."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError):
        return {}
    lines: dict[tuple[str, str], int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            lines[node.name, ""] = node.lineno
            for part in node.body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    lines[node.name, part.target.id] = part.lineno
    return lines
