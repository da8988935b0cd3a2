"""The text of a Python file with its syntax tree, and changes of the one by places in the other."""

import ast
from dataclasses import dataclass, field

INDENT = "    "
"""What one level is indented by."""


class NotPlain(Exception):
    """The text is not written in a way that a program may safely change."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text."""

    text: str
    """All of it; SyntaxError, when the tree is asked for, if it is no Python."""
    width: int = 88
    """Characters of a line that the project's formatter allows."""
    _starts: list[int] = field(default_factory=list)

    @property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text)

    def offset(self, line: int, column: int) -> int:
        """The place in the text of what the tree says: a line from 1, and bytes of UTF-8 in it."""
        if not self._starts:
            self._starts.append(0)
            for one in self.text.split("\n"):
                self._starts.append(self._starts[-1] + len(one) + 1)
        start = self._starts[line - 1]
        text = self.text[start : self._starts[line] - 1]
        return start + len(text.encode()[:column].decode())

    def start(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        """Where a node begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        """Where it ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """Its text."""
        return self.text[self.start(node) : self.end(node)]

    def replaced(self, start: int, end: int, text: str) -> "Source":
        """The file with other text between two places."""
        return Source(self.text[:start] + text + self.text[end:], self.width)

    def line_at(self, place: int) -> str:
        """The whole line around a place."""
        begin = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        return self.text[begin : end if end >= 0 else len(self.text)]


def indent_of(line: str) -> str:
    """The blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip())]
