"""Wraps lines that an edit made too long: breaks the elements between brackets as formatters do."""

import ast

from .source import INDENT, SourceFile, indent_of


def wrap_long_lines(source: SourceFile, statement: ast.stmt) -> SourceFile:
    """The file with a statement wrapped to the line length; unchanged if that is not possible.

    statement: a node of the file's syntax tree.
    """
    if "# fmt: skip" in source.line_at(source.end(statement)) or not is_long(source, statement):
        return source
    brackets = [node for node in ast.walk(statement) if isinstance(node, (ast.Call, ast.Subscript))]
    for node in sorted(brackets, key=source.start):
        wrapped = _wrapped(source, node) if is_long(source, node) else None
        if wrapped is not None:
            return wrapped
    return source


def is_long(source: SourceFile, node: ast.expr | ast.stmt) -> bool:
    """Whether a line of the node is longer than the formatter allows."""
    lines = source.text.split("\n")[node.lineno - 1 : node.end_lineno]
    return any(len(line) > source.width for line in lines)


def _wrapped(source: SourceFile, node: ast.Call | ast.Subscript) -> SourceFile | None:
    """The file with the elements on their own line, or on one line each; None if a comment is between them."""
    opening, items = _elements(source, node)
    start, end = opening + 1, source.end(node) - 1
    between = source.text[start:end]
    if not items or ("#" in between and "#" not in "".join(items)):
        return None
    indent = indent_of(source.line_at(opening))
    inner = indent + INDENT
    together = inner + ", ".join(items)
    if "\n" not in together and len(together) <= source.width and not between.rstrip().endswith(","):
        return source.replaced(start, end, f"\n{together}\n{indent}")
    each = "".join(f"\n{inner}{item}," for item in items)
    return source.replaced(start, end, f"{each}\n{indent}")


def _elements(source: SourceFile, node: ast.Call | ast.Subscript) -> tuple[int, list[str]]:
    """(offset of the opening bracket, texts of the elements)."""
    if isinstance(node, ast.Call):
        opening = source.text.index("(", source.end(node.func))
        parts: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        return opening, [source.of(part) for part in sorted(parts, key=source.start)]
    opening = source.text.index("[", source.end(node.value))
    inner = node.slice
    return opening, [source.of(part) for part in (inner.elts if isinstance(inner, ast.Tuple) else [inner])]
