"""A parsed regular expression as counts of the texts that it writes, by length, from which each text follows."""

import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_PRINTABLE = string.ascii_letters + string.digits + "-_.,:;/+@#"
_ANY = string.ascii_lowercase + string.digits
_CATEGORIES = {"DIGIT": string.digits, "WORD": string.ascii_letters + string.digits + "_", "SPACE": " "}

Counts = Sequence[int]
"""How many texts there are, by length."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts that a part of an expression writes; one that it writes in two ways counts twice."""

    counts: Counts
    """How many there are, by length."""
    pick: Callable[[int, int], str]
    """The text of a length and of a number below the count of that length."""


class Walk:
    """Goes through a parsed expression once."""

    def __init__(self, most: int) -> None:
        self.most = most
        """The longest text that counts."""
        self.is_certain = True
        """Whether all texts match: not where look-around, back references or word boundaries were passed over."""

    def texts(self, parsed: Iterable[Any]) -> Texts:
        """What the parts write, one after the other."""
        return self._chain([self._part(str(operator), argument) for operator, argument in parsed])

    def _part(self, operator: str, argument: Any) -> Texts:
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

    def _nothing(self) -> Texts:
        return Texts([1] + [0] * self.most, lambda length, number: "")

    def _letters(self, letters: str) -> Texts:
        counts = [0, len(letters), *[0] * self.most][: self.most + 1]
        return Texts(counts, lambda length, number: letters[number])

    def _either(self, options: Sequence[Texts]) -> Texts:
        def pick(length: int, number: int) -> str:
            for option in options:
                if number < option.counts[length]:
                    return option.pick(length, number)
                number -= option.counts[length]
            raise IndexError(number)

        return Texts([sum(column) for column in zip(*(one.counts for one in options), strict=True)], pick)

    def _chain(self, parts: Sequence[Texts]) -> Texts:
        behind = [self._nothing().counts]
        for part in reversed(parts):
            behind.append(self._product(part.counts, behind[-1]))
        behind.reverse()
        return Texts(behind[0], lambda length, number: _picked(parts, behind[1:], length, number))

    def _repeat(self, part: Texts, least: int, most: int) -> Texts:
        """The part so often; texts that are too long have count 0, so that an open end needs no care."""
        powers = [self._nothing().counts]
        for _ in range(min(most, max(least, self.most))):
            powers.append(self._product(part.counts, powers[-1]))

        def times(count: int) -> Texts:
            behind = powers[:count][::-1]
            return Texts(powers[count], lambda length, number: _picked([part] * count, behind, length, number))

        return self._either([times(count) for count in range(least, len(powers))])

    def _product(self, first: Counts, second: Counts) -> Counts:
        """How many texts there are of one followed by another."""
        counts = [0] * (self.most + 1)
        held = [(length, count) for length, count in enumerate(second) if count]
        for before, many in enumerate(first):
            for after, count in held if many else ():
                if before + after <= self.most:
                    counts[before + after] += many * count
        return counts


def _picked(parts: Sequence[Texts], behind: Sequence[Counts], length: int, number: int) -> str:
    """The text of parts in order; behind: the counts of what stands behind each part."""
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
    others = _CATEGORIES.get(name.removeprefix("NOT_"), "")
    return "".join(letter for letter in _PRINTABLE if letter not in others)
