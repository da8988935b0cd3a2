"""Lines of redis.conf, split into words as the server splits them.

Source: sdssplitargs and loadServerConfigFromString, https://github.com/redis/redis/blob/7.4/src, 2026-11-28.
"""

from collections.abc import Iterator

from keywright.record import Record

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "a": "\a"}
_BLANKS = " \n\r\t\0"
_HEX = "0123456789abcdefABCDEF"


class ConfLine(Record):
    """A directive in a file."""

    at: str
    """`file:line`."""
    name: str
    """Name of the directive in small letters; empty for a line with unbalanced quotes."""
    words: tuple[str, ...]
    """Its arguments."""


def lines_of(path: str, text: str) -> Iterator[ConfLine]:
    """The directives of a file, in order."""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip(" \t\r\n")
        if not stripped or stripped.startswith("#"):
            continue
        words = split(stripped)
        if words is None:
            yield ConfLine(f"{path}:{number}", "", ())
        elif words:
            yield ConfLine(f"{path}:{number}", words[0].lower(), tuple(words[1:]))


def split(line: str) -> list[str] | None:
    """The words of a line; None if quotes are unbalanced, or followed by more than a blank."""
    words: list[str] = []
    place = 0
    while True:
        while place < len(line) and line[place] in _BLANKS:
            place += 1
        if place == len(line):
            return words
        word, place = _word(line, place)
        if word is None:
            return None
        words.append(word)


def _word(line: str, place: int) -> tuple[str | None, int]:
    """(next word or None, place after it)."""
    word = ""
    while place < len(line) and line[place] not in _BLANKS:
        if line[place] in "\"'":
            inner, place = _quoted(line, place + 1, line[place])
            if inner is None or (place < len(line) and line[place] not in _BLANKS):
                return None, place
            return word + inner, place
        word += line[place]
        place += 1
    return word, place


def _quoted(line: str, place: int, quote: str) -> tuple[str | None, int]:
    """(text up to the closing quote or None, place after it)."""
    text = bytearray()
    while place < len(line):
        if line[place] == quote:
            return text.decode("utf-8", "replace"), place + 1
        following = line[place + 1 : place + 2]
        if quote == '"' and line[place] == "\\" and following:
            digits = line[place + 2 : place + 4]
            if following == "x" and len(digits) == 2 and set(digits) <= set(_HEX):
                text.append(int(digits, 16))
                place += 4
                continue
            text += _ESCAPES.get(following, following).encode()
            place += 2
        elif quote == "'" and line[place : place + 2] == "\\'":
            text += b"'"
            place += 2
        else:
            text += line[place].encode()
            place += 1
    return None, place
