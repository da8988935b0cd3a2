"""GitHub-flavoured Markdown of untrusted texts: escapes everything that could leave a table cell, link or notify.

Source: https://github.github.com/gfm/, entities are never structure (6.2), 2026-11-22.
"""

import re
from urllib.parse import quote

MAX_LENGTH = 300
"""Maximum length of a text, in characters; the JSON document has the full text."""

_SPECIAL = re.compile(
    r"(?P<mark>[&<>|\\`*\[\]~$]|(?<![^\W_])_|_(?![^\W_]))|@|#(?=\d)|(?<=:)//|(?<=www)\.", re.IGNORECASE
)
"""Markdown structure, and text that GitHub would link or notify: user names, issue numbers, addresses."""

_CODE = re.compile(r"`([^`|\\]+)`")


def text(words: str, limit: int = MAX_LENGTH) -> str:
    """Markdown of a text: code between backticks is kept, everything else is escaped."""
    parts = _CODE.split(_line(words, limit))
    return "".join(f"`{part}`" if index % 2 else _SPECIAL.sub(_entity, part) for index, part in enumerate(parts))


def code(words: str, limit: int = MAX_LENGTH) -> str:
    """Markdown of a text as code."""
    line = _line(words, limit)
    if not line:
        return ""
    return f"`{line}`" if _CODE.fullmatch(f"`{line}`") else f"<code>{_SPECIAL.sub(_entity, line)}</code>"


def _entity(match: "re.Match[str]") -> str:
    """An entity for a Markdown character; a zero-width space after other matches, so that they do not link."""
    return f"&#{ord(match[0])};" if match["mark"] else f"{match[0]}&#8203;"


def link(file: str, line: int, target: str, name: str = "") -> str:
    """Link to a place in a file; the text is path and line unless a name is given.

    target: prefix of the path, such as the address of the repository's files at a commit; may be empty.
    """
    address = quote(file) + (f"#L{line}" if line else "")
    label = name or (f"{file}:{line}" if line else file)
    return f"[{_SPECIAL.sub(_entity, _line(label, MAX_LENGTH))}]({target}{address})"


FINDING_HEADINGS = ("severity", "code", "where", "finding and help")
"""Headings of a table of findings; comments are too narrow for a column of findings and one of help."""


def finding_and_help(message: str, help: str) -> str:
    """The last cell of a finding."""
    return lines(text(message), f"help: {text(help)}" if help else "")


def row(*cells: str) -> str:
    """Row of a table; the cells are already Markdown."""
    return f"| {' | '.join(cells)} |\n"


def lines(*parts: str) -> str:
    """Lines of a cell; the parts are already Markdown, and empty ones are left out."""
    return "<br>".join(part for part in parts if part)


def head(*headings: str) -> str:
    """Header rows of a table."""
    return row(*headings) + "|" + "---|" * len(headings) + "\n"


def _line(words: str, limit: int) -> str:
    """The text on one line, without unprintable characters, shortened to the limit."""
    line = "".join(letter for letter in " ".join(words.split()) if letter.isprintable())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
