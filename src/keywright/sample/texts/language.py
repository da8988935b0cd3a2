"""Texts that match a regular expression: each has a number, and keeps to the bounds of its field."""

import re
from collections.abc import Callable, Iterator

from keywright.errors import UsageError

from .expression import Texts, Walk
from .seeds import permuted
from .space import Space

_LONG = 64
_FEW = 20_000
_TRIES = 64


def texts(pattern: str, low: int, high: int | None, typical: int, key: int, field: str) -> Space:
    """The texts of low to high characters that match, about the typical length where the pattern leaves that open.

    UsageError names the field when none is found: with look-around or back references the walk only guesses.
    """
    parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]
    for most in _lengths(int(parsed.getwidth()[0]), low, high, typical):
        walk = Walk(most)
        found = walk.texts(parsed)
        if size := sum(found.counts[low:]):
            numbered = _numbered(found, low, size, key)
            is_few = size <= _FEW
            space = _chosen(numbered, size, pattern) if is_few else _tried(numbered, size, pattern, walk, field)
            if space.size:
                return space
    raise _none(field, pattern)


def _lengths(shortest: int, low: int, high: int | None, typical: int) -> Iterator[int]:
    """The longest texts to look for: near the typical length first, then further up to the bound."""
    first = max(low, shortest, min(typical, _LONG))
    for most in (first, 2 * first + 16):
        yield most if high is None else min(most, high)


def _numbered(found: Texts, low: int, size: int, key: int) -> Callable[[int], str]:
    """The texts of at least the low length, in an order that looks drawn."""

    def text(ordinal: int) -> str:
        number = permuted(ordinal, size, key)
        for length in range(low, len(found.counts)):
            if number < found.counts[length]:
                return found.pick(length, number)
            number -= found.counts[length]
        raise IndexError(ordinal)

    return text


def _chosen(numbered: Callable[[int], str], size: int, pattern: str) -> Space:
    """Few texts: all that match, each once."""
    matches = re.compile(pattern).search
    found = list(dict.fromkeys(text for text in map(numbered, range(size)) if matches(text)))
    return Space(len(found), found.__getitem__, len(found))


def _tried(numbered: Callable[[int], str], size: int, pattern: str, walk: Walk, field: str) -> Space:
    """Many texts: each number's own, or where not all match, the first that does of several that are its own."""
    if walk.is_certain:
        return Space(size, numbered, size)
    matches, several = re.compile(pattern).search, size // _TRIES

    def text(ordinal: int) -> str:
        own = (numbered(ordinal + block * several) for block in range(_TRIES))
        found = next((candidate for candidate in own if matches(candidate)), None)
        if found is None:
            raise _none(field, pattern)
        return found

    return Space(several, text, several)


def _none(field: str, pattern: str) -> UsageError:
    problem = f'no sample value of field "{field}" was found that matches "{pattern}" and its bounds'
    help = "write the pattern with classes, groups and repeats only, or give the field wider bounds"
    return UsageError(problem, help)
