"""GitHub-flavoured Markdown of texts that are not ours: whatever they hold, they stay in their cell and do nothing.

Source: https://github.github.com/gfm/, entities never stand for structure (6.2), 2026-11-22.
"""

import re
from urllib.parse import quote

LONGEST = 300
"""Characters of a text that are shown; the rest is in the document for programs."""

_SPECIAL = re.compile(
    r"(?P<mark>[&<>|\\`*\[\]~$]|(?<![^\W_])_|_(?![^\W_]))|@|#(?=\d)|(?<=:)//|(?<=www)\.", re.IGNORECASE
)
"""What would be read as structure, and what would notify or link: a name, a number of an issue, an address."""

_CODE = re.compile(r"`([^`|\\]+)`")


def text(words: str, limit: int = LONGEST) -> str:
    """A text as it is read: no structure but code between backticks, no link, and nobody is notified by a name."""
    parts = _CODE.split(_line(words, limit))
    return "".join(f"`{part}`" if at % 2 else _SPECIAL.sub(_entity, part) for at, part in enumerate(parts))


def code(words: str, limit: int = LONGEST) -> str:
    """A text in the form of code."""
    line = _line(words, limit)
    if not line:
        return ""
    return f"`{line}`" if _CODE.fullmatch(f"`{line}`") else f"<code>{_SPECIAL.sub(_entity, line)}</code>"


def _entity(match: "re.Match[str]") -> str:
    """A mark as an entity, which stands for no structure; what names something, with a break of no width behind it."""
    return f"&#{ord(match[0])};" if match["mark"] else f"{match[0]}&#8203;"


def link(file: str, line: int, target: str, name: str = "") -> str:
    """A place in a file as a link, called by its path and line unless it has another name.

    target: what the path is put behind, such as the address of the repository's files at a commit; may be empty.
    """
    address = quote(file) + (f"#L{line}" if line else "")
    shown = name or (f"{file}:{line}" if line else file)
    return f"[{_SPECIAL.sub(_entity, _line(shown, LONGEST))}]({target}{address})"


def row(*cells: str) -> str:
    """A row of a table; its cells are Markdown already."""
    return f"| {' | '.join(cells)} |\n"


def head(*headings: str) -> str:
    """The first two rows of a table."""
    return row(*headings) + "|" + "---|" * len(headings) + "\n"


def _line(words: str, limit: int) -> str:
    """A text on one line, without what cannot be seen, cut off where it is too long."""
    line = "".join(letter for letter in " ".join(words.split()) if letter.isprintable())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
