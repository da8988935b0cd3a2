"""Numbered texts that match a regular expression, within the bounds of the field."""

import re
from collections.abc import Callable, Iterator

from keywright.errors import UsageError

from ..space import Space, permuted
from .expression import ExpressionTexts, Walk

_LONG = 64
_FEW = 20_000
_TRIES = 64


def texts(pattern: str, low: int, high: int | None, typical: int, key: int, field: str) -> Space:
    """The matching texts of low to high characters, with about the typical length if the pattern allows it.

    Raises UsageError if no text is found, because look-around and back references are ignored by the walk.
    """
    parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]
    for most in _lengths(int(parsed.getwidth()[0]), low, high, typical):
        walk = Walk(most)
        expression_texts = walk.texts(parsed)
        if size := sum(expression_texts.counts[low:]):
            numbered = _numbered(expression_texts, low, size, key)
            is_few = size <= _FEW
            space = _chosen(numbered, size, pattern) if is_few else _tried(numbered, size, pattern, walk, field)
            if space.size:
                return space
    raise _none(field, pattern)


def _lengths(shortest: int, low: int, high: int | None, typical: int) -> Iterator[int]:
    """The greatest lengths to try: near the typical length first, then up to the bound."""
    first = max(low, shortest, min(typical, _LONG))
    for most in (first, 2 * first + 16):
        yield most if high is None else min(most, high)


def _numbered(expression_texts: ExpressionTexts, low: int, size: int, key: int) -> Callable[[int], str]:
    """The texts of at least the lowest length, in a pseudo-random order."""

    def text(ordinal: int) -> str:
        number = permuted(ordinal, size, key)
        for length in range(low, len(expression_texts.counts)):
            if number < expression_texts.counts[length]:
                return expression_texts.pick(length, number)
            number -= expression_texts.counts[length]
        raise IndexError(ordinal)

    return text


def _chosen(numbered: Callable[[int], str], size: int, pattern: str) -> Space:
    """A small space: all matching texts, each once."""
    matches = re.compile(pattern).search
    matching_texts = list(dict.fromkeys(text for text in map(numbered, range(size)) if matches(text)))
    return Space(len(matching_texts), matching_texts.__getitem__, len(matching_texts))


def _tried(numbered: Callable[[int], str], size: int, pattern: str, walk: Walk, field: str) -> Space:
    """A large space: the text of each number or, if not all texts match, the first match of several texts for it."""
    if walk.is_certain:
        return Space(size, numbered, size)
    matches, several = re.compile(pattern).search, size // _TRIES

    def text(ordinal: int) -> str:
        own = (numbered(ordinal + block * several) for block in range(_TRIES))
        candidates = next((candidate for candidate in own if matches(candidate)), None)
        if candidates is None:
            raise _none(field, pattern)
        return candidates

    return Space(several, text, several)


def _none(field: str, pattern: str) -> UsageError:
    problem = f'no sample value of field "{field}" matches "{pattern}" within its bounds'
    help = "write the pattern with classes, groups and repeats only, or give the field wider bounds"
    return UsageError(problem, help)
