"""Adds and removes elements between brackets, with their commas and comments."""

import ast
import re
from collections.abc import Collection, Sequence

from .changes import TextChange
from .source import SourceFile, UnsupportedSyntax, indent_of

_GAP = r"(?:\s|#[^\n]*\n)*"
_COMMA = re.compile(rf"{_GAP},")
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n]*)?(?=\n)")


def insertion(source: SourceFile, items: Sequence[ast.expr | ast.keyword], end: int, code: str) -> tuple[int, str]:
    """(offset, text) of another element before a closing bracket, on its own line if the others are.

    end: the offset after the bracket.
    """
    if not items:
        return end - 1, code
    last = max(items, key=source.start)
    offset = source.end(last)
    comma = _COMMA.match(source.text, offset)
    remainder = source.text[comma.end() if comma else offset : end - 1]
    if not _is_gap(remainder):
        raise UnsupportedSyntax("an element is in parentheses")
    if comma is None:
        return offset, f", {code}"
    if "\n" not in remainder:
        return comma.end(), f" {code},"
    rest = _REST_OF_LINE.match(source.text, comma.end())
    return (rest or comma).end(), f"\n{indent_of(source.line_at(source.start(last)))}{code},"


def removal_changes(
    source: SourceFile, opening: int, items: Sequence[ast.expr], removed: Collection[int], end: int
) -> list[TextChange]:
    """Changes that remove elements from a list, with the comments above and after them.

    opening: the offset of the bracket. removed: positions of the elements. end: the offset after the closing bracket.
    """
    cuts, has_comma = segments(source, opening, items, end)
    positions = [position for position in range(len(items)) if position not in removed]
    if not positions:
        return [TextChange(opening + 1, end - 1, "")]
    changes = [TextChange(cuts[position], cuts[position + 1], "") for position in sorted(removed)]
    if positions[-1] + 1 < len(items) and not has_comma:  # the new last element gets no comma
        offset = source.end(items[positions[-1]])
        comma = source.text.index(",", offset)
        changes.append(TextChange(comma, comma + 1, ""))
    if positions[0]:  # blanks after a comma would be left after the bracket
        first, start = cuts[positions[0]], source.start(items[positions[0]])
        between = source.text[first:start]
        if "\n" not in between and source.text[opening + 1 : opening + 2] != "\n":
            changes.append(TextChange(first, start, ""))
    return changes


def segments(source: SourceFile, opening: int, items: Sequence[ast.expr], end: int) -> tuple[list[int], bool]:
    """(offsets between the elements with their commas and comments, whether the last element has a comma)."""
    rest = _REST_OF_LINE.match(source.text, opening + 1)
    cuts, has_comma = [rest.end() if rest else opening + 1], True
    for position, item in enumerate(items):
        if not _is_gap(source.text[cuts[-1] : source.start(item)]):
            raise UnsupportedSyntax("an element is in parentheses")
        comma = _COMMA.match(source.text, source.end(item))
        if comma is None:
            if position + 1 < len(items) or not _is_gap(source.text[source.end(item) : end - 1]):
                raise UnsupportedSyntax("an element is in parentheses")
            has_comma = False
        after = comma.end() if comma else source.end(item)
        rest = _REST_OF_LINE.match(source.text, after)
        cuts.append(rest.end() if rest else after)
    return cuts, has_comma


def _is_gap(text: str) -> bool:
    """Whether the text contains only blanks and comments."""
    return re.fullmatch(rf"{_GAP}(?:#[^\n]*)?", text) is not None
