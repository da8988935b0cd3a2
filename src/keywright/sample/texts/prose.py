"""Texts to read: people, titles and prose; different numbers may give the same."""

from random import Random

from .seeds import derive, permuted
from .space import Space
from .wanted import Wanted
from .words import ADJECTIVES, FIRST_NAMES, LAST_NAMES, NOUNS, PLAIN

PROSE = 60
"""Characters from which a text is more than a title."""

_MANY = 2**48
_SHORT = 16


def people(wanted: Wanted) -> Space:
    """Invented people: by first name, last name or both."""
    firsts = ("",) if wanted.words & {"last", "family", "surname"} else FIRST_NAMES
    lasts = ("",) if wanted.words & {"first", "given"} else LAST_NAMES
    size = len(firsts) * len(lasts)

    def person(ordinal: int) -> str:
        first, last = divmod(permuted(ordinal, size, wanted.key), len(lasts))
        return _fitted(f"{firsts[first]} {lasts[last]}".strip(), wanted)

    return Space(size, person, size)


def titles(wanted: Wanted) -> Space:
    """Two words with a capital, or one where there is no room for more."""
    size = len(ADJECTIVES) * len(NOUNS)

    def title(ordinal: int) -> str:
        first, second = divmod(permuted(ordinal, size, wanted.key), len(NOUNS))
        if wanted.high is not None and wanted.high <= _SHORT:
            return _fitted(NOUNS[second], wanted)
        return _fitted(f"{ADJECTIVES[first]} {NOUNS[second]}".capitalize(), wanted)

    return Space(size, title, size)


def prose(wanted: Wanted) -> Space:
    """Sentences of about the typical length."""
    typical = wanted.typical or max(wanted.low, PROSE if wanted.high is None else min(PROSE, wanted.high))
    most = typical * 3 // 2 if wanted.high is None else min(wanted.high, typical * 3 // 2)
    least = max(wanted.low, min(typical // 2, most))

    def text(ordinal: int) -> str:
        rng = Random(derive(wanted.key, ordinal))
        length = rng.randint(least, max(least, most))
        words = rng.choices(PLAIN + NOUNS + ADJECTIVES, k=length // 3 + 1)
        return _fitted(" ".join(words).capitalize()[: max(0, length - 1)].rstrip() + ".", wanted)

    return Space(_MANY, text, _MANY)


def _fitted(text: str, wanted: Wanted) -> str:
    """The text cut or filled up to its bounds."""
    if wanted.high is not None and len(text) > wanted.high:
        text = text[: wanted.high].rstrip()
    return text.ljust(wanted.low, "x")
