"""Keys in parts: words, separators, and values such as numbers, dates and UUIDs."""

import re
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

PartKind: TypeAlias = Literal[
    "separator", "word", "number", "uuid", "hex", "time", "hour", "date", "week", "month", "address", "mail", "text"
]
"""The kinds of part; all but separators and words are values."""

LONGEST = 512
"""Bytes of the longest key that is taken apart."""

WORD_LENGTH = 32
"""Characters of the longest word; longer texts are values."""

_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_VALUES: tuple[tuple[PartKind, str], ...] = (
    ("uuid", _UUID), ("hour", r"\d{4}-\d\d-\d\dT\d\d"), ("date", r"\d{4}-\d\d-\d\d"), ("week", r"\d{4}-W\d\d"),
    ("month", r"\d{4}-\d\d"), ("number", r"\d{1,18}"), ("hex", r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}"),
)  # fmt: skip
_WHOLE: tuple[tuple[PartKind, str], ...] = (
    *_VALUES, ("address", r"\d{1,3}(?:\.\d{1,3}){3}"), ("mail", r"[^@\s]+@[^@\s]+\.[A-Za-z]+"),
    ("word", r"[A-Za-z](?:[A-Za-z]|[-_.](?=[A-Za-z]))*|v\d"),
)  # fmt: skip
_SPLIT = re.compile(rf"(?P<time>(?<!\w){_TIME}(?!\w))|(?P<separator>[:/|#{{}}])|(?P<piece>[^:/|#{{}}]+)")
_PIECE = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _WHOLE))
_BEFORE = re.compile(rf"((?:[A-Za-z]+[-_.])+)({'|'.join(pattern for _, pattern in _VALUES)})")
_AFTER = re.compile(rf"({'|'.join(pattern for _, pattern in _VALUES)})((?:[-_.][A-Za-z]+)+)")


KeyPart: TypeAlias = tuple[PartKind, str]
"""(kind, text) of a part; no record, because millions of keys are taken apart."""


def parts_of(key: str) -> Iterator[KeyPart]:
    """The parts of a key, in order; together they are the key."""
    for match in _SPLIT.finditer(key):
        text = match[0]
        if match.lastgroup == "piece":
            yield from _pieces(text)
        else:
            yield ("time" if match.lastgroup == "time" else "separator"), text


def _pieces(text: str) -> Iterator[KeyPart]:
    """The parts of a text without separators: `user_5` is a word and a number."""
    if match := _PIECE.fullmatch(text):
        kind: Any = match.lastgroup  # groups are named after kinds
        yield (kind if kind != "word" or len(text) <= WORD_LENGTH else "text"), text
    elif match := _BEFORE.fullmatch(text):
        yield "word", match[1]
        yield from _pieces(match[2])
    elif match := _AFTER.fullmatch(text):
        yield from _pieces(match[1])
        yield "word", match[2]
    else:
        yield "text", text
