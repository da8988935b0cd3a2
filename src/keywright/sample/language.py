"""Texts that match a regular expression: numbered, by walking what the expression is parsed to."""

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from keywright.errors import UsageError

from .seeds import permuted
from .space import Space

_PRINTABLE = string.ascii_letters + string.digits + "-_.,:;/+@#"
_CATEGORIES = {"DIGIT": string.digits, "WORD": string.ascii_letters + string.digits + "_", "SPACE": " "}
_SPARE = (64, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1, 0)
"""How often a repeat may go beyond its least number: the first that keeps the text short enough."""
_FEW = 20_000
_TRIES = 64


@dataclass(frozen=True, slots=True)
class _Letters:
    """One letter of several."""

    letters: str
    """The letters."""

    @property
    def size(self) -> int:
        return len(self.letters)

    @property
    def longest(self) -> int:
        return 1

    def text(self, number: int) -> str:
        return self.letters[number]


@dataclass(frozen=True, slots=True)
class _Sequence:
    """One part after another."""

    parts: tuple["_Node", ...]
    """The parts."""
    size: int
    """Texts that it writes."""
    longest: int
    """Letters of the longest."""

    def text(self, number: int) -> str:
        texts = []
        for part in reversed(self.parts):
            number, rest = divmod(number, part.size)
            texts.append(part.text(rest))
        return "".join(reversed(texts))


@dataclass(frozen=True, slots=True)
class _Choice:
    """One of several."""

    options: tuple["_Node", ...]
    """The options."""
    size: int
    """Texts that it writes."""
    longest: int
    """Letters of the longest."""

    def text(self, number: int) -> str:
        for option in self.options:
            if number < option.size:
                return option.text(number)
            number -= option.size
        raise IndexError(number)


_Node: TypeAlias = _Letters | _Sequence | _Choice


def texts(pattern: str, low: int, high: int | None, typical: int, key: int, field: str) -> Space:
    """The texts of low to high characters that match, about the typical length where repeats leave that open.

    UsageError names the field when none is found: with look-around or back references the walk only guesses.
    """
    node = _shortened(re._parser.parse(pattern), high, max(low, typical))  # type: ignore[attr-defined]
    matches = re.compile(pattern).search

    def fits(text: str) -> bool:
        return low <= len(text) and (high is None or len(text) <= high) and matches(text) is not None

    if node.size <= _FEW:
        found = list(dict.fromkeys(text for text in map(node.text, range(node.size)) if fits(text)))
        if not found:
            raise _none(field, pattern)
        size = len(found)
        return Space(size, lambda ordinal: found[permuted(ordinal, size, key)], size)
    if all(fits(node.text(permuted(ordinal, node.size, key))) for ordinal in range(_TRIES)):
        tries, size = 1, node.size
    else:
        tries, size = _TRIES, node.size // _TRIES

    def text(ordinal: int) -> str:
        for block in range(tries):  # each ordinal has places of its own, so that texts differ
            candidate = node.text(permuted(ordinal + block * size, node.size, key))
            if fits(candidate):
                return candidate
        raise _none(field, pattern)

    return Space(size, text, size)


def _none(field: str, pattern: str) -> UsageError:
    problem = f'no sample value of field "{field}" was found that matches "{pattern}" and its bounds'
    return UsageError(
        problem, "write the pattern with classes, groups and repeats only, or give the field wider bounds"
    )


def _shortened(parsed: Iterable[Any], high: int | None, typical: int) -> _Node:
    """The parsed pattern with its repeats cut so that the longest text is near the typical length, or fits at all."""
    steps = list(parsed)
    for limit in [typical] if high is None else [min(high, typical), high]:
        for spare in _SPARE:
            node = _sequence(_nodes(steps, spare))
            if node.longest <= limit:
                return node
    return _sequence(_nodes(steps, 0))


def _nodes(parsed: Iterable[Any], spare: int) -> Iterator[_Node]:
    for operator, argument in parsed:
        match str(operator):
            case "LITERAL":
                yield _Letters(chr(argument))
            case "NOT_LITERAL":
                yield _Letters(_PRINTABLE.replace(chr(argument), ""))
            case "ANY":
                yield _Letters(string.ascii_lowercase + string.digits)
            case "IN":
                yield _Letters(_class(argument))
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = argument
                yield _repeat(_sequence(_nodes(inner, spare)), least, min(most, least + spare))
            case "SUBPATTERN":
                yield _sequence(_nodes(argument[3], spare))
            case "ATOMIC_GROUP":
                yield _sequence(_nodes(argument, spare))
            case "BRANCH":
                yield _choice(_sequence(_nodes(option, spare)) for option in argument[1])
            case _:
                pass  # anchors and look-around write nothing; the search over candidates judges them


def _sequence(parts: Iterable[_Node]) -> _Node:
    found = tuple(parts)
    return found[0] if len(found) == 1 else _times(found)


def _times(parts: tuple[_Node, ...]) -> _Sequence:
    return _Sequence(parts, prod(part.size for part in parts), sum(part.longest for part in parts))


def _choice(options: Iterable[_Node]) -> _Choice:
    found = tuple(options)
    return _Choice(found, sum(option.size for option in found), max(option.longest for option in found))


def _repeat(part: _Node, least: int, most: int) -> _Node:
    return _choice(_times((part,) * count) for count in range(least, most + 1))


def _class(items: Iterable[Any]) -> str:
    letters, is_negated = "", False
    for operator, argument in items:
        match str(operator):
            case "NEGATE":
                is_negated = True
            case "LITERAL":
                letters += chr(argument)
            case "RANGE":
                low, high = argument
                letters += "".join(map(chr, range(low, min(high, low + 255) + 1)))
            case "CATEGORY":
                letters += _category(str(argument).removeprefix("CATEGORY_"))
    if is_negated:
        return "".join(letter for letter in _PRINTABLE if letter not in letters)
    return "".join(dict.fromkeys(letters))


def _category(name: str) -> str:
    if name in _CATEGORIES:
        return _CATEGORIES[name]
    others = _CATEGORIES.get(name.removeprefix("NOT_"), "")
    return "".join(letter for letter in _PRINTABLE if letter not in others)
