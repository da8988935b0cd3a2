"""Texts of which different numbers are different: codes, words, slugs, addresses and days, fit for keys."""

import re
import string
from datetime import datetime, timedelta

from .seeds import permuted
from .space import Space
from .wanted import Wanted
from .words import ADJECTIVES, FIRST_NAMES, LAST_NAMES, NOUNS

_TIMES = (
    (frozenset({"day", "date"}), "%Y-%m-%d", timedelta(days=1), 3_650, 90),
    (frozenset({"month"}), "%Y-%m", timedelta(days=31), 120, 3),
    (frozenset({"week"}), "%G-W%V", timedelta(days=7), 500, 13),
    (frozenset({"hour"}), "%Y-%m-%dT%H", timedelta(hours=1), 87_600, 2_160),
)
"""(names, form, distance, how many, how many are usual) of texts that stand for a time."""

TIME_WORDS = frozenset[str]().union(*(names for names, *_ in _TIMES))
"""Names of fields whose texts stand for a time."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: they are misread
_AGAIN = 10**8
_DOMAIN = "@example.com"  # reserved for examples by RFC 2606
_PAGE = "https://example.com/"
_ADDRESS_LENGTHS = (15, 39, 45)  # the longest texts of IPv4 and IPv6 addresses


def _lengths(*lists: tuple[str, ...]) -> tuple[int, int]:
    """(shortest, longest) text of one word of each list."""
    return sum(min(map(len, words)) for words in lists), sum(max(map(len, words)) for words in lists)


def dated(wanted: Wanted, pattern: str = "") -> Space | None:
    """Texts such as 2026-11-21 for a field of that name, or one whose pattern they match."""
    for names, form, distance, size, usual in _TIMES:
        example = f"{wanted.today:{form}}"
        is_meant = re.search(pattern, example) is not None if pattern else bool(wanted.words & names)
        if is_meant and wanted.holds(len(example), len(example)):
            return _moments(wanted.today, form, distance, size, usual)
    return None


def _moments(today: datetime, form: str, distance: timedelta, size: int, usual: int) -> Space:
    return Space(size, lambda ordinal: f"{today - ordinal * distance:{form}}", usual)


def codes(wanted: Wanted) -> Space:
    """Codes of one length; very short ones are capital letters."""
    length = wanted.typical or max(wanted.low, 12 if wanted.high is None else min(12, wanted.high))
    alphabet = string.ascii_uppercase if length <= 3 else _ALPHABET
    return _coded(string.digits if "isbn" in wanted.words else alphabet, length, wanted.key)


def _coded(alphabet: str, length: int, key: int, after: str = "") -> Space:
    size = len(alphabet) ** length

    def code(ordinal: int) -> str:
        number, letters = permuted(ordinal, size, key), list[str]()
        for _ in range(length):
            number, rest = divmod(number, len(alphabet))
            letters.append(alphabet[rest])
        return "".join(reversed(letters)) + after

    return Space(size, code, size)


def labels(wanted: Wanted) -> Space | None:
    """One word, and with a number when the words are used up."""
    return _numbered(wanted, NOUNS, "", "")


def links(wanted: Wanted) -> Space | None:
    """Pages under the domain that is reserved for examples."""
    return _numbered(wanted, NOUNS, _PAGE, "")


def _numbered(wanted: Wanted, words: tuple[str, ...], before: str, after: str) -> Space | None:
    shortest, longest = _lengths(words)
    around = len(before) + len(after)
    if not wanted.holds(shortest + around, longest + around + len(f"-{_AGAIN}")):
        return None

    def label(ordinal: int) -> str:
        again, word = divmod(ordinal, len(words))
        number = f"-{again + 1}" if again else ""
        return f"{before}{words[permuted(word, len(words), wanted.key)]}{number}{after}"

    return Space(len(words) * _AGAIN, label, len(words))


def slugs(wanted: Wanted) -> Space | None:
    """Two words, and with a number when the pairs are used up."""
    return _pairs(wanted, ADJECTIVES, "-", NOUNS, "")


def emails(wanted: Wanted) -> Space | None:
    """Addresses of nobody."""
    if (people := _pairs(wanted, FIRST_NAMES, ".", LAST_NAMES, _DOMAIN)) is not None:
        return people
    room = (wanted.high or 0) - len(_DOMAIN)
    return _coded(_ALPHABET, min(room, max(12, wanted.low)), wanted.key, _DOMAIN) if room > 0 else None


def _pairs(wanted: Wanted, firsts: tuple[str, ...], between: str, seconds: tuple[str, ...], after: str) -> Space | None:
    shortest, longest = _lengths(firsts, seconds)
    around, pairs = len(between) + len(after), len(firsts) * len(seconds)
    if not wanted.holds(shortest + around, longest + around + len(f"-{_AGAIN}")):
        return None

    def pair(ordinal: int) -> str:
        again, place = divmod(ordinal, pairs)
        first, second = divmod(permuted(place, pairs, wanted.key), len(seconds))
        number = f"-{again + 1}" if again else ""
        return f"{firsts[first]}{between}{seconds[second]}{number}{after}".lower()

    return Space(pairs * _AGAIN, pair, pairs)


def addresses(wanted: Wanted) -> Space | None:
    """Network addresses of the block that RFC 5737 keeps for documentation; None for what is another address."""
    if ("address" in wanted.words and wanted.high not in _ADDRESS_LENGTHS) or not wanted.holds(9, 11):
        return None
    return Space(256, lambda ordinal: f"192.0.2.{permuted(ordinal, 256, wanted.key)}", 256)
