"""Finds the line of a class, field or name in the user's source; used only for reports."""

import ast
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from keywright.errors import NOWHERE, Place

_TEXTS: ContextVar[Mapping[str, str] | None] = ContextVar("texts", default=None)


@contextmanager
def reading(texts: Mapping[str, str]) -> Generator[None]:
    """Within the block, the files at these paths have the given texts instead of their text on disk."""
    token = _TEXTS.set(texts)
    _lines.cache_clear()
    _tree.cache_clear()
    try:
        yield
    finally:
        _TEXTS.reset(token)
        _lines.cache_clear()
        _tree.cache_clear()


def replaced(file: str) -> bytes | None:
    """The text that replaces a file's text on disk; None for any other file."""
    text = (_TEXTS.get() or {}).get(file)
    return None if text is None else text.encode()


def class_place(cls: type) -> Place:
    """File and line of a class."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return place_in(file, cls.__name__) if file else NOWHERE


def field_place(cls: type, path: str) -> Place:
    """File and line of a field; of the class, if another file declares the field."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return place_in(file, cls.__name__, path.split(".")[0]) if file else NOWHERE


def place_in(file: str, cls: str, field: str = "") -> Place:
    """File and line of a class or of an assigned or annotated name in its body."""
    lines = _lines(file)
    return Place(file, lines.get((cls, field)) or lines.get((cls, ""), 0))


def attribute_line(file: str, class_line: int, name: str) -> int:
    """Line of an assignment in the body of the class on a line; 0 if there is none."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ClassDef) and class_line in (
            node.lineno,
            *(decorator.lineno for decorator in node.decorator_list),
        ):
            return next((line for part, line in _assigned(node) if part == name), 0)
    return 0


def top_line(file: str, name: str) -> int:
    """Line of a class or variable at the top of a file; 0 if there is none."""
    classes = ((node.name, node.lineno) for node in _tree(file).body if isinstance(node, ast.ClassDef))
    return next((line for top_name, line in (*classes, *_assigned(_tree(file))) if top_name == name), 0)


def assigned_in(file: str, line: int) -> str:
    """The variable that the statement on a line assigns; empty if there is none."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_on(node, line):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                return target.id
    return ""


def class_around(file: str, line: int) -> tuple[str, int]:
    """Name and line of the class whose body contains a line; an empty name if there is none."""
    nodes = (node for node in ast.walk(_tree(file)) if isinstance(node, ast.ClassDef) and _is_on(node, line))
    return next(((node.name, node.lineno) for node in nodes), ("", 0))


def _is_on(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def is_in_format_string(file: str, line: int, name: str) -> bool:
    """Whether a statement on this line uses a name in an f-string."""
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
    """(name, line) of every assignment and annotation in a body."""
    assigned: list[tuple[str, int]] = []
    for part in node.body:
        targets: list[ast.expr] = part.targets if isinstance(part, ast.Assign) else []
        if isinstance(part, ast.AnnAssign):
            targets = [part.target]
        assigned += [(target.id, part.lineno) for target in targets if isinstance(target, ast.Name)]
    return assigned


@lru_cache(maxsize=256)
def _tree(file: str) -> ast.Module:
    """The syntax tree of a file; an empty one if it cannot be read."""
    try:
        return ast.parse(replaced(file) or Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])
