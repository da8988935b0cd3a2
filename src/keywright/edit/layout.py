"""Lines that have become too long: the elements between two brackets, laid out anew as formatters do it."""

import ast

from .source import INDENT, Source, indent_of


def fitted(source: Source, statement: ast.stmt) -> Source:
    """The file with a statement laid out so that its lines fit; as it is where that cannot be done.

    statement: one of the file's tree.
    """
    if "# fmt: skip" in source.line_at(source.end(statement)) or not is_long(source, statement):
        return source
    brackets = [node for node in ast.walk(statement) if isinstance(node, (ast.Call, ast.Subscript))]
    for node in sorted(brackets, key=source.start):
        laid = _laid_out(source, node) if is_long(source, node) else None
        if laid is not None:
            return laid
    return source


def is_long(source: Source, node: ast.expr | ast.stmt) -> bool:
    """Whether a line of it is longer than the formatter allows."""
    lines = source.text.split("\n")[node.lineno - 1 : node.end_lineno]
    return any(len(line) > source.width for line in lines)


def _laid_out(source: Source, node: ast.Call | ast.Subscript) -> Source | None:
    """The elements on a line of their own, or on one each; None where a comment stands between them."""
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


def _elements(source: Source, node: ast.Call | ast.Subscript) -> tuple[int, list[str]]:
    """(place of the opening bracket, texts of the elements)."""
    if isinstance(node, ast.Call):
        opening = source.text.index("(", source.end(node.func))
        parts: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        return opening, [source.of(part) for part in sorted(parts, key=source.start)]
    opening = source.text.index("[", source.end(node.value))
    inner = node.slice
    return opening, [source.of(part) for part in (inner.elts if isinstance(inner, ast.Tuple) else [inner])]
