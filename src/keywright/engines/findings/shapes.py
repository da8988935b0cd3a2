"""What values a text field allows by its pattern, whatever its name, for rules of every engine."""

import re
from functools import cache

from keywright.ir.attribute import Scalar

_WORDS = ("", "a", "anna", "x-9", "2026-11-23")
"""Texts that are none of the forms below; a pattern that allows one allows anything."""

_FORMS = {
    "an e-mail address": (("anna.smith@example.org", "a@b.de"), ("anna smith", "@")),
    "a telephone number": (
        ("+4915112345678", "+49 151 12345678", "+12025550123"),
        ("+", "4915112345678a", "-4915112345678"),
    ),
    "a bank account": (
        ("DE89370400440532013000", "GB29NWBK60161331926819"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "DEUTSCHLAND", "DEADBEEFDEADBEEF", "AB12C"),
    ),
    "a card number": (("4111111111111111",), ("411111111111", "41111111111111111111", "411111111111111a")),
    "an amount": (("12.40", "12,40", "0.99"), ("12.40a", "1.2.3", "12:40", "12/40")),
}
"""Examples of a form, and of what its pattern must not allow besides words."""

_CARDS = ("4111111111111", "4111111111111111110")
"""Card numbers of other lengths: a pattern of sixteen digits alone may be any number."""

_NO_CARD = "9111111111111111"
"""Sixteen digits that begin as no card of the large networks does."""


def form(scalar: Scalar) -> str | None:
    """The form of all values of a text, such as "a telephone number"; None if its pattern does not tell."""
    if scalar.kind != "string" or scalar.pattern is None or scalar.constants:
        return None
    return _form(scalar.pattern)


@cache
def _form(pattern: str) -> str | None:
    try:
        compiled = re.compile(pattern)
    except re.error:
        return None
    if any(map(compiled.search, _WORDS)):
        return None
    for noun, (examples, others) in _FORMS.items():
        if any(map(compiled.search, examples)) and not any(map(compiled.search, others)):
            is_card = any(map(compiled.search, _CARDS)) or not compiled.search(_NO_CARD)
            return noun if noun != "a card number" or is_card else None
    return None


def has_cents(scalar: Scalar) -> bool:
    """Whether every value is a number with two decimal places."""
    pattern = scalar.pattern or ""
    return form(scalar) == "an amount" and not any(re.search(pattern, text) for text in ("12", "12.4", "12.400"))
