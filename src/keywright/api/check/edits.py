"""Where in a model file something is inserted: a further element of a list option of one declaration."""

import ast
from dataclasses import dataclass
from pathlib import Path

from keywright.errors import Place


@dataclass(frozen=True, slots=True)
class Edit:
    """Text to insert at one point of a file."""

    file: str
    """The file, absolute."""
    line: int
    """Line, from 1."""
    column: int
    """Column in bytes of UTF-8, from 0: that of the first byte that comes to stand behind the text."""
    text: str
    """What is inserted."""


def insertion(at: Place, word: str, argument: str, text: str) -> Edit | None:
    """How to add an element to a list option of a declaration; None where its text is not as plain as that.

    at: where the declaration stands. word: the class that makes it, such as `Collection`.
    """
    try:
        tree = ast.parse(Path(at.file).read_bytes())
    except (OSError, SyntaxError):
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node) == word]
    call = next((node for node in calls if node.lineno <= at.line <= (node.end_lineno or 0)), None)
    if call is None:
        return None
    given = next((keyword.value for keyword in call.keywords if keyword.arg == argument), None)
    if given is None:
        last = [*call.args, *(keyword.value for keyword in call.keywords)]
        before = max(last, key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0), default=None)
        return _behind(at.file, before, f", {argument}=[{text}]") if before else None
    if not isinstance(given, ast.List):
        return None
    if given.elts:
        return _behind(at.file, given.elts[-1], f", {text}")
    return Edit(at.file, given.lineno, given.col_offset + 1, text)


def applied(source: str, edit: Edit) -> str:
    """A file's text with the insertion."""
    lines = source.split("\n")
    line = lines[edit.line - 1].encode()
    lines[edit.line - 1] = (line[: edit.column] + edit.text.encode() + line[edit.column :]).decode()
    return "\n".join(lines)


def _behind(file: str, node: ast.expr, text: str) -> Edit:
    return Edit(file, node.end_lineno or node.lineno, node.end_col_offset or 0, text)


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""
