"""Inserts an element into a list option of a declaration in a model file."""

import ast
from pathlib import Path

from keywright.errors import Place
from keywright.record import Record


class Insertion(Record):
    """Text to insert at one point of a file."""

    file: str
    """The file, absolute."""
    line: int
    """Line, from 1."""
    column: int
    """Column in bytes of UTF-8, from 0, of the first byte after the inserted text."""
    text: str
    """The inserted text."""


def insertion(at: Place, class_name: str, argument: str, text: str) -> Insertion | None:
    """The insertion of an element into a list option of a declaration; None if the option is no literal list.

    at: place of the declaration. class_name: its class, such as `Collection`.
    """
    try:
        tree = ast.parse(Path(at.file).read_bytes())
    except (OSError, SyntaxError):
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name_of(node) == class_name]
    call = next((node for node in calls if node.lineno <= at.line <= (node.end_lineno or 0)), None)
    if call is None:
        return None
    option = next((keyword.value for keyword in call.keywords if keyword.arg == argument), None)
    if option is None:
        last = [*call.args, *(keyword.value for keyword in call.keywords)]
        before = max(last, key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0), default=None)
        return _after(at.file, before, f", {argument}=[{text}]") if before else None
    if not isinstance(option, ast.List):
        return None
    if option.elts:
        return _after(at.file, option.elts[-1], f", {text}")
    return Insertion(at.file, option.lineno, option.col_offset + 1, text)


def applied(source: str, edit: Insertion) -> str:
    """A file's text with the insertion."""
    lines = source.split("\n")
    line = lines[edit.line - 1].encode()
    lines[edit.line - 1] = (line[: edit.column] + edit.text.encode() + line[edit.column :]).decode()
    return "\n".join(lines)


def _after(file: str, node: ast.expr, text: str) -> Insertion:
    return Insertion(file, node.end_lineno or node.lineno, node.end_col_offset or 0, text)


def _name_of(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""
