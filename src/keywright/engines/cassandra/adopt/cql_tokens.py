"""Tokens of CQL: statements of a schema file, each with its line."""

import re
from collections.abc import Iterator, Sequence

from keywright.record import Record, replace

_TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<text>'(?:[^']|'')*'|\$\$.*?\$\$)|(?P<name>"(?:[^"]|"")+")"""
    r"""|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w]))|(?P<word>\w+)|(?P<mark>.)""",
    re.DOTALL,
)
_COMMENT = re.compile(r"(?:--|//)\s*(\w[^\n]{2,60})")
_NO_COMMENT = re.compile(r"@|://|;|\b(?:TODO|FIXME|XXX|password|secret|token)\b", re.IGNORECASE)
"""Comments for the authors of a file, and those that could contain a name, an address or a statement."""

_PLACEHOLDER = re.compile(r"\$\{\s*(\w+)\s*\}|\{\{\s*\.(\w+)\s*\}\}")


class UnexpectedToken(Exception):
    """A statement that the reader does not know; the text names the place."""


class Token(Record):
    """A token."""

    kind: str
    """text, name (in double quotes), number, word or mark."""
    text: str
    """Its text as written."""
    comment: str = ""
    """The comment after it on the same line."""

    @property
    def value(self) -> str:
        """A text or name without quotes; a word in lower case."""
        if self.kind == "text":
            return self.text[2:-2] if self.text.startswith("$$") else self.text[1:-1].replace("''", "'")
        return self.text[1:-1].replace('""', '"') if self.kind == "name" else self.text.lower()


class Statement(Record):
    """A statement without its semicolon."""

    line: int
    """Its first line."""
    tokens: tuple[Token, ...]
    """Its tokens."""


def placeholder_names(source: str) -> Iterator[str]:
    """The names of the placeholders of a template."""
    return (match[1] or match[2] for match in _PLACEHOLDER.finditer(source))


def statements(source: str) -> Iterator[Statement]:
    """The statements of a file; placeholders of templates are read as their names."""
    text = _PLACEHOLDER.sub(lambda match: match[1] or match[2], source)
    tokens: list[Token] = []
    first, end = 1, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        if kind == "skip":
            if tokens and "\n" not in text[end : match.start()]:
                tokens[-1] = replace(tokens[-1], comment=tokens[-1].comment or _comment(match[0]))
            continue
        end = match.end()
        if match[0] == ";":
            if tokens:
                yield Statement(first, tuple(tokens))
            tokens = []
            continue
        if not tokens:
            first = text.count("\n", 0, match.start()) + 1
        tokens.append(Token(kind, match[0]))
    if tokens:
        yield Statement(first, tuple(tokens))


def _comment(text: str) -> str:
    """The text of a short comment on one line; empty for other comments and spaces."""
    match = _COMMENT.fullmatch(text.rstrip())
    return match[1].rstrip() if match and not _NO_COMMENT.search(match[1]) else ""


class Cursor:
    """A position in the tokens of a statement."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens, self._at = tokens, 0

    @property
    def is_at_end(self) -> bool:
        """Whether no token is left."""
        return self._at >= len(self._tokens)

    def comment_at_end(self) -> str:
        """Skip an optional comma; the comment before or after it on the line."""
        before = self._tokens[self._at - 1].comment if self._at else ""
        return before or (self._tokens[self._at - 1].comment if self.skips(",") else "")

    def peek(self) -> str:
        """The next word or mark in lower case; empty at the end."""
        return "" if self.is_at_end else self._tokens[self._at].text.lower()

    def next(self) -> Token:
        """The next token."""
        if self.is_at_end:
            raise UnexpectedToken("the statement ends early")
        self._at += 1
        return self._tokens[self._at - 1]

    def skips(self, *words: str) -> bool:
        """Skip these words; False, and nothing is skipped, if the next ones differ."""
        following = [token.text.lower() for token in self._tokens[self._at : self._at + len(words)]]
        if following != list(words):
            return False
        self._at += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Skip these words."""
        if not self.skips(*words):
            raise UnexpectedToken(f'"{self.peek()}" instead of "{" ".join(words)}"')

    def name(self) -> str:
        """A name."""
        token = self.next()
        if token.kind not in ("word", "name"):
            raise UnexpectedToken(f'"{token.text}" instead of a name')
        return token.value

    def qualified_name(self) -> tuple[str, str]:
        """(keyspace, name); the keyspace is empty if it is not written."""
        first = self.name()
        return (first, self.name()) if self.skips(".") else ("", first)

    def names(self) -> list[str]:
        """Names in parentheses, or one name."""
        if not self.skips("("):
            return [self.name()]
        names = [self.name()]
        while self.skips(","):
            names.append(self.name())
        self.expect(")")
        return names

    def group(self) -> list[str]:
        """The texts between the next parentheses, which may contain others; none if no parenthesis follows."""
        if not self.skips("("):
            return []
        texts: list[str] = []
        depth = 1
        while depth:
            text = self.next().text
            depth += {"(": 1, ")": -1}.get(text, 0)
            texts.append(text)
        return texts[:-1]
