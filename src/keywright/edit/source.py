"""The text of a Python file with its syntax tree, and the offsets of its nodes."""

import ast

from keywright.record import Record, field

INDENT = "    "
"""The indentation of one level."""


class UnsupportedSyntax(Exception):
    """Source code that cannot be edited safely."""


class SourceFile(Record):
    """A file's text."""

    text: str
    """The source code; `tree` raises SyntaxError if it is not Python."""
    width: int = 88
    """The line length of the project's formatter, in characters."""
    _starts: list[int] = field(default_factory=list)
    _trees: list[ast.Module] = field(default_factory=list)

    @property
    def tree(self) -> ast.Module:
        """The syntax tree, parsed once."""
        if not self._trees:
            self._trees.append(ast.parse(self.text))
        return self._trees[0]

    def offset(self, line: int, column: int) -> int:
        """Offset of a position in the syntax tree: a line from 1, and bytes of UTF-8 in that line."""
        if not self._starts:
            self._starts.append(0)
            for part in self.text.split("\n"):
                self._starts.append(self._starts[-1] + len(part) + 1)
        start = self._starts[line - 1]
        text = self.text[start : self._starts[line] - 1]
        return start + len(text.encode()[:column].decode())

    def start(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        """Offset at which a node begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        """Offset after the end of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """Text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def replaced(self, start: int, end: int, text: str) -> "SourceFile":
        """The file with other text between two offsets."""
        return SourceFile(self.text[:start] + text + self.text[end:], self.width)

    def line_at(self, offset: int) -> str:
        """Line that contains an offset."""
        begin = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[begin : end if end >= 0 else len(self.text)]


def indent_of(line: str) -> str:
    """Leading blanks of a line."""
    return line[: len(line) - len(line.lstrip())]
