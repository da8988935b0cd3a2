"""Readable texts: people, titles and prose; different numbers can give the same text."""

from random import Random

from ..space import Space, derive, permuted
from .bounds import TextBounds
from .words import ADJECTIVES, FIRST_NAMES, LAST_NAMES, NOUNS, PLAIN

PROSE = 60
"""Number of characters above which a text is not a title."""

_MANY = 2**48
_SHORT = 16


def people(bounds: TextBounds) -> Space:
    """Invented people: by first name, last name or both."""
    firsts = ("",) if bounds.words & {"last", "family", "surname"} else FIRST_NAMES
    lasts = ("",) if bounds.words & {"first", "given"} else LAST_NAMES
    size = len(firsts) * len(lasts)

    def person(ordinal: int) -> str:
        first, last = divmod(permuted(ordinal, size, bounds.key), len(lasts))
        return _fitted(f"{firsts[first]} {lasts[last]}".strip(), bounds)

    return Space(size, person, size)


def titles(bounds: TextBounds) -> Space:
    """Two capitalised words, or one if there is no room for two."""
    size = len(ADJECTIVES) * len(NOUNS)

    def title(ordinal: int) -> str:
        first, second = divmod(permuted(ordinal, size, bounds.key), len(NOUNS))
        if bounds.high is not None and bounds.high <= _SHORT:
            return _fitted(NOUNS[second], bounds)
        return _fitted(f"{ADJECTIVES[first]} {NOUNS[second]}".capitalize(), bounds)

    return Space(size, title, size)


def prose(bounds: TextBounds) -> Space:
    """Sentences of about the typical length."""
    typical = bounds.typical or max(bounds.low, PROSE if bounds.high is None else min(PROSE, bounds.high))
    most = typical * 3 // 2 if bounds.high is None else min(bounds.high, typical * 3 // 2)
    least = max(bounds.low, min(typical // 2, most))

    def text(ordinal: int) -> str:
        rng = Random(derive(bounds.key, ordinal))
        length = rng.randint(least, max(least, most))
        words = rng.choices(PLAIN + NOUNS + ADJECTIVES, k=length // 3 + 1)
        return _fitted(" ".join(words).capitalize()[: max(0, length - 1)].rstrip() + ".", bounds)

    return Space(_MANY, text, _MANY)


def _fitted(text: str, bounds: TextBounds) -> str:
    """The text truncated or padded to its bounds."""
    if bounds.high is not None and len(text) > bounds.high:
        text = text[: bounds.high].rstrip()
    return text.ljust(bounds.low, "x")
