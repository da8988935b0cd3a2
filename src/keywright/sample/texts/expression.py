"""Texts of a parsed regular expression, as counts by length, from which each text is computed."""

import string
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from keywright.record import Record

_PRINTABLE = string.ascii_letters + string.digits + "-_.,:;/+@#"
_ANY = string.ascii_lowercase + string.digits
_CATEGORIES = {"DIGIT": string.digits, "WORD": string.ascii_letters + string.digits + "_", "SPACE": " "}

LengthCounts = Sequence[int]
"""Number of texts by length."""


class ExpressionTexts(Record):
    """The texts of a part of an expression; a text that can be written in two ways counts twice."""

    counts: LengthCounts
    """Number of texts by length."""
    pick: Callable[[int, int], str]
    """The text with a length and a number below the count of that length."""


class Walk:
    """Computes the texts of a parsed expression."""

    def __init__(self, most: int) -> None:
        self.most = most
        """The length of the longest counted text."""
        self.is_certain = True
        """Whether all texts match; false after look-around, back references or word boundaries, which are ignored."""

    def texts(self, parsed: Iterable[Any]) -> ExpressionTexts:
        """The concatenated texts of the parts."""
        return self._chain([self._part(str(operator), argument) for operator, argument in parsed])

    def _part(self, operator: str, argument: Any) -> ExpressionTexts:
        match operator:
            case "LITERAL":
                return self._letters(chr(argument))
            case "NOT_LITERAL":
                return self._letters(_PRINTABLE.replace(chr(argument), ""))
            case "ANY":
                return self._letters(_ANY)
            case "IN":
                return self._letters(_class(argument))
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = argument
                self.is_certain &= operator != "POSSESSIVE_REPEAT"
                return self._repeat(self.texts(inner), int(least), int(most))
            case "SUBPATTERN":
                return self.texts(argument[3])
            case "BRANCH":
                return self._either([self.texts(option) for option in argument[1]])
            case "AT":
                self.is_certain &= "BOUNDARY" not in str(argument)
                return self._nothing()
            case "ATOMIC_GROUP":
                self.is_certain = False
                return self.texts(argument)
            case _:
                self.is_certain = False
                return self._nothing()

    def _nothing(self) -> ExpressionTexts:
        return ExpressionTexts([1] + [0] * self.most, lambda length, number: "")

    def _letters(self, letters: str) -> ExpressionTexts:
        counts = [0, len(letters), *[0] * self.most][: self.most + 1]
        return ExpressionTexts(counts, lambda length, number: letters[number])

    def _either(self, options: Sequence[ExpressionTexts]) -> ExpressionTexts:
        def pick(length: int, number: int) -> str:
            for option in options:
                if number < option.counts[length]:
                    return option.pick(length, number)
                number -= option.counts[length]
            raise IndexError(number)

        return ExpressionTexts(
            [sum(column) for column in zip(*(expression_texts.counts for expression_texts in options), strict=True)],
            pick,
        )

    def _chain(self, parts: Sequence[ExpressionTexts]) -> ExpressionTexts:
        behind = [self._nothing().counts]
        for part in reversed(parts):
            behind.append(self._product(part.counts, behind[-1]))
        behind.reverse()
        return ExpressionTexts(behind[0], lambda length, number: _picked(parts, behind[1:], length, number))

    def _repeat(self, part: ExpressionTexts, least: int, most: int) -> ExpressionTexts:
        """The part repeated; texts that are too long have count 0, so an open end needs no special case."""
        powers = [self._nothing().counts]
        for _ in range(min(most, max(least, self.most))):
            powers.append(self._product(part.counts, powers[-1]))

        def times(count: int) -> ExpressionTexts:
            behind = powers[:count][::-1]
            return ExpressionTexts(
                powers[count], lambda length, number: _picked([part] * count, behind, length, number)
            )

        return self._either([times(count) for count in range(least, len(powers))])

    def _product(self, first: LengthCounts, second: LengthCounts) -> LengthCounts:
        """The counts of the concatenations of two texts."""
        counts = [0] * (self.most + 1)
        nonzero = [(length, count) for length, count in enumerate(second) if count]
        for before, many in enumerate(first):
            for after, count in nonzero if many else ():
                if before + after <= self.most:
                    counts[before + after] += many * count
        return counts


def _picked(parts: Sequence[ExpressionTexts], behind: Sequence[LengthCounts], length: int, number: int) -> str:
    """The text of parts in order; behind: the counts of the texts after each part."""
    written = []
    for part, after in zip(parts, behind, strict=True):
        for taken, here in enumerate(part.counts[: length + 1]):
            both = here * after[length - taken]
            if number < both:
                own, number = divmod(number, after[length - taken])
                written.append(part.pick(taken, own))
                length -= taken
                break
            number -= both
    return "".join(written)


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
    excluded = _CATEGORIES.get(name.removeprefix("NOT_"), "")
    return "".join(letter for letter in _PRINTABLE if letter not in excluded)
