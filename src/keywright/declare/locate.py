"""Finds the line of a class, field or name in the user's source; asked only when something is reported."""

import ast
import sys
from functools import lru_cache
from pathlib import Path

from keywright.errors import NOWHERE, Place


def class_place(cls: type) -> Place:
    """File and line of a class."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return place_in(file, cls.__name__) if file else NOWHERE


def field_place(cls: type, path: str) -> Place:
    """File and line of a field; of the class where the field is inherited from another file."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return place_in(file, cls.__name__, path.split(".")[0]) if file else NOWHERE


def place_in(file: str, cls: str, field: str = "") -> Place:
    """File and line of a class or of something that its body assigns or annotates."""
    lines = _lines(file)
    return Place(file, lines.get((cls, field)) or lines.get((cls, ""), 0))


def attribute_line(file: str, class_line: int, name: str) -> int:
    """Line of what the body of the class in a line assigns; 0 if there is no such thing."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ClassDef) and class_line in (node.lineno, *(one.lineno for one in node.decorator_list)):
            return next((line for part, line in _assigned(node) if part == name), 0)
    return 0


def top_line(file: str, name: str) -> int:
    """Line of a class or variable at the top of a file; 0 if there is none."""
    found = ((node.name, node.lineno) for node in _tree(file).body if isinstance(node, ast.ClassDef))
    return next((line for one, line in (*found, *_assigned(_tree(file))) if one == name), 0)


def is_in_format_string(file: str, line: int, name: str) -> bool:
    """Whether a statement on this line fills a name into an f-string."""
    return any(
        isinstance(inner, ast.Name) and inner.id == name
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.JoinedStr) and node.lineno <= line <= (node.end_lineno or line)
        for inner in ast.walk(node)
    )


@lru_cache(maxsize=256)
def _lines(file: str) -> dict[tuple[str, str], int]:
    """Line of every class, under (class, ""), and of every attribute in its body, under (class, attribute)."""
    lines: dict[tuple[str, str], int] = {}
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ClassDef):
            lines[node.name, ""] = node.lineno
            lines.update({(node.name, name): line for name, line in _assigned(node)})
    return lines


def _assigned(node: ast.ClassDef | ast.Module) -> list[tuple[str, int]]:
    """(name, line) of everything that a body assigns or annotates."""
    found: list[tuple[str, int]] = []
    for part in node.body:
        targets: list[ast.expr] = part.targets if isinstance(part, ast.Assign) else []
        if isinstance(part, ast.AnnAssign):
            targets = [part.target]
        found += [(target.id, part.lineno) for target in targets if isinstance(target, ast.Name)]
    return found


@lru_cache(maxsize=256)
def _tree(file: str) -> ast.Module:
    """The syntax tree of a file; an empty one if it cannot be read."""
    try:
        return ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])
