"""Texts that differ for different numbers: codes, words, slugs, addresses and days, usable in keys."""

import re
import string
from datetime import datetime, timedelta

from ..space import Space, permuted
from .bounds import TextBounds
from .words import ADJECTIVES, FIRST_NAMES, LAST_NAMES, NOUNS

_TIMES = (
    (frozenset({"day", "date"}), "%Y-%m-%d", timedelta(days=1), 3_650, 90),
    (frozenset({"month"}), "%Y-%m", timedelta(days=31), 120, 3),
    (frozenset({"week"}), "%G-W%V", timedelta(days=7), 500, 13),
    (frozenset({"hour"}), "%Y-%m-%dT%H", timedelta(hours=1), 87_600, 2_160),
)
"""(names, format, difference, number of texts, number of usual texts) of texts for times."""

TIME_WORDS = frozenset[str]().union(*(names for names, *_ in _TIMES))
"""Names of fields with texts for times."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: they are misread
_AGAIN = 10**8
_DOMAIN = "@example.com"  # reserved for examples by RFC 2606
_PAGE = "https://example.com/"
_ADDRESS_LENGTHS = (15, 39, 45)  # the longest texts of IPv4 and IPv6 addresses


def _lengths(*lists: tuple[str, ...]) -> tuple[int, int]:
    """(shortest, longest) text of one word of each list."""
    return sum(min(map(len, words)) for words in lists), sum(max(map(len, words)) for words in lists)


def dated(bounds: TextBounds, pattern: str = "") -> Space | None:
    """Texts such as 2026-11-21 for a field with such a name, or whose pattern matches them."""
    for names, form, distance, size, usual in _TIMES:
        example = f"{bounds.today:{form}}"
        is_meant = re.search(pattern, example) is not None if pattern else bool(bounds.words & names)
        if is_meant and bounds.allows(len(example), len(example)):
            return _moments(bounds.today, form, distance, size, usual)
    return None


def _moments(today: datetime, form: str, distance: timedelta, size: int, usual: int) -> Space:
    return Space(size, lambda ordinal: f"{today - ordinal * distance:{form}}", usual)


def codes(bounds: TextBounds) -> Space:
    """Codes of one length; very short ones are capital letters."""
    length = bounds.typical or max(bounds.low, 12 if bounds.high is None else min(12, bounds.high))
    alphabet = string.ascii_uppercase if length <= 3 else _ALPHABET
    return _coded(string.digits if "isbn" in bounds.words else alphabet, length, bounds.key)


def _coded(alphabet: str, length: int, key: int, after: str = "") -> Space:
    size = len(alphabet) ** length

    def code(ordinal: int) -> str:
        number, letters = permuted(ordinal, size, key), list[str]()
        for _ in range(length):
            number, digit = divmod(number, len(alphabet))
            letters.append(alphabet[digit])
        return "".join(reversed(letters)) + after

    return Space(size, code, size)


def labels(bounds: TextBounds) -> Space | None:
    """A word, with a number after the last word is used."""
    return _numbered(bounds, NOUNS, "", "")


def links(bounds: TextBounds) -> Space | None:
    """Pages in the domain that is reserved for examples."""
    return _numbered(bounds, NOUNS, _PAGE, "")


def _numbered(bounds: TextBounds, words: tuple[str, ...], before: str, after: str) -> Space | None:
    shortest, longest = _lengths(words)
    around = len(before) + len(after)
    if not bounds.allows(shortest + around, longest + around + len(f"-{_AGAIN}")):
        return None

    def label(ordinal: int) -> str:
        again, word = divmod(ordinal, len(words))
        number = f"-{again + 1}" if again else ""
        return f"{before}{words[permuted(word, len(words), bounds.key)]}{number}{after}"

    return Space(len(words) * _AGAIN, label, len(words))


def slugs(bounds: TextBounds) -> Space | None:
    """Two words, with a number after the last pair is used."""
    return _pairs(bounds, ADJECTIVES, "-", NOUNS, "")


def emails(bounds: TextBounds) -> Space | None:
    """Email addresses in the domain that is reserved for examples."""
    if (people := _pairs(bounds, FIRST_NAMES, ".", LAST_NAMES, _DOMAIN)) is not None:
        return people
    room = (bounds.high or 0) - len(_DOMAIN)
    return _coded(_ALPHABET, min(room, max(12, bounds.low)), bounds.key, _DOMAIN) if room > 0 else None


def _pairs(
    bounds: TextBounds, firsts: tuple[str, ...], between: str, seconds: tuple[str, ...], after: str
) -> Space | None:
    shortest, longest = _lengths(firsts, seconds)
    around, pairs = len(between) + len(after), len(firsts) * len(seconds)
    if not bounds.allows(shortest + around, longest + around + len(f"-{_AGAIN}")):
        return None

    def pair(ordinal: int) -> str:
        again, place = divmod(ordinal, pairs)
        first, second = divmod(permuted(place, pairs, bounds.key), len(seconds))
        number = f"-{again + 1}" if again else ""
        return f"{firsts[first]}{between}{seconds[second]}{number}{after}".lower()

    return Space(pairs * _AGAIN, pair, pairs)


def addresses(bounds: TextBounds) -> Space | None:
    """Network addresses of the block that RFC 5737 reserves for documentation; None for other kinds of address."""
    if ("address" in bounds.words and bounds.high not in _ADDRESS_LENGTHS) or not bounds.allows(9, 11):
        return None
    return Space(256, lambda ordinal: f"192.0.2.{permuted(ordinal, 256, bounds.key)}", 256)
