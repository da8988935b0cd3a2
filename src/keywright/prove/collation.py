"""Texts compared by the rules of a language, in Python: printable ASCII in most languages."""

from typing import Any

from keywright.ir.pattern import Collation

_PLAIN_LANGUAGES = """
af am ar as be bg bn bo bs_Cyrl ca chr de de_AT dz el en en_US eo es fa fa_AF fi fr fr_CA ga gl gu he hi hy id is it ja
ka kk kl km kn ko kok ky lb ln lo mk ml mn mr ms my ne nl or pa pl ps pt ro ru se si sl smn sr sv sw ta te ug uk ur vi
wae yi zh zh_Hant zu
"""

_PLAIN = frozenset(_PLAIN_LANGUAGES.split())
"""Languages that order printable ASCII as the root of Unicode's collation does. Source: measured on MongoDB 6.0.5."""

_MARKS = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"
"""Characters that sort before letters, in order. Source: https://www.unicode.org/charts/collation/, 2026-11-22."""


def is_supported(rules: Collation, text: str) -> bool:
    """Whether this module compares a text as these rules do."""
    return rules.locale in _PLAIN and not rules.has_more and text.isascii() and text.isprintable()


class CollatedText(str):
    """A text that compares by the rules of a language."""

    __slots__ = ("key",)
    key: tuple[Any, ...]

    @classmethod
    def under(cls, rules: Collation, text: str) -> "CollatedText":
        """A text that compares by the given rules."""
        collated_text = cls(text)
        collated_text.key = _key(text, rules.strength)
        return collated_text

    def _other(self, other: object) -> tuple[Any, ...]:
        return other.key if isinstance(other, CollatedText) else _key(str(other), 3 if len(self.key) > 1 else 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and self.key == self._other(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: str) -> bool:
        return self.key < self._other(other)

    def __le__(self, other: str) -> bool:
        return self.key <= self._other(other)

    def __gt__(self, other: str) -> bool:
        return self.key > self._other(other)

    def __ge__(self, other: str) -> bool:
        return self.key >= self._other(other)


def _key(text: str, strength: int) -> tuple[Any, ...]:
    """Sort key: letters first, then lower case before upper case if the strength distinguishes them."""
    letters = tuple(_MARKS.index(letter) if letter in _MARKS else 100 + ord(letter.lower()) for letter in text)
    return (letters,) if strength < 3 else (letters, tuple(letter.isupper() for letter in text))


def collated(rules: Collation, value: Any) -> Any:
    """A value whose supported texts compare by the rules; unsupported texts are unchanged."""
    if isinstance(value, str):
        return CollatedText.under(rules, value) if is_supported(rules, value) else value
    if isinstance(value, (list, tuple, set, frozenset)):
        return [collated(rules, element) for element in value]
    return value


def case_swapped(value: Any) -> Any:
    """A text with upper and lower case swapped; other values are unchanged."""
    return value.swapcase() if type(value) is str else value
