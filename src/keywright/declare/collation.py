"""Rules of a language for comparing text: of an index, and of a pattern that uses such an index."""

from typing import Literal

from .declared import Declared


class Collation(Declared):
    """Rules of a language for comparing text."""

    locale: str
    """Language, such as "en"."""
    strength: Literal[1, 2, 3, 4, 5] = 3
    """The differences that count: 1 letters, 2 also accents, 3 also upper and lower case."""
