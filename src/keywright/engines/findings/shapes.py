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
        (
            "01ARZ3NDEKTSV4RRFFQ69G5FAV", "DEUTSCHLAND", "DEADBEEFDEADBEEF", "AB12C",
            "00031023504400407398ED", "91862913316106KBWN92BG",
        ),
    ),
    "a card number": (("4111111111111111",), ("411111111111", "41111111111111111111", "411111111111111a")),
    "an amount": (("12.40", "12,40", "0.99"), ("12.40a", "1.2.3", "12:40", "12/40")),
}  # fmt: skip
"""Examples of a form, and of what its pattern must not allow besides words: identifiers of the same length, too."""

_CARDS = ("4111111111111", "4111111111111111110")
"""Card numbers of other lengths: a pattern of sixteen digits alone may be any number."""

_NO_CARD = "9111111111111111"
"""Sixteen digits that begin as no card of the large networks does."""


_FILES = re.compile(
    r"(?:^|_)(?:pdf|image|photo|picture|video|audio|recording|scan|attachment|jpe?g|png|tiff?|mp[34]|wav|zip)s?(?:$|_)"
)
"""Words in names of files."""


def is_unbounded_file(name: str, scalar: Scalar) -> bool:
    """Whether a field has binary values without a declared size, and the name of a kind of file."""
    sizes = (scalar.max_length, scalar.facts.average_bytes, scalar.facts.max_bytes)
    return scalar.kind == "bytes" and sizes == (None, None, None) and _FILES.search(name) is not None


def form(scalar: Scalar) -> str | None:
    """The form of all values of a text, such as "a telephone number"; None if its pattern does not tell."""
    if scalar.kind != "string" or scalar.pattern is None or scalar.constants:
        return None
    return _form(scalar.pattern)


_ID = 20
"""Characters from which a text of a declared size is an identifier."""

_HASH_SIZES = (16, 20, 32, 64)
"""Bytes of the usual hashes."""

_IDS = (
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "01arz3ndektsv4rrffq69g5fav",
    "5f4dcc3b5aa765d61d8327deb882cf99",
    "5f4dcc3b-5aa7-45d6-8d83-27deb882cf99",
    "V1StGXR8_Z5jdHi6B-myT",
    "507f1f77bcf86cd799439011",
)
"""Identifiers of the usual generators."""


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


def is_generated_text(scalar: Scalar) -> bool:
    """Whether a text may be an identifier that a program generates: a ULID, UUID, hash, or a text of a fixed length."""
    length, size = scalar.max_length, scalar.facts.average_bytes
    if scalar.pattern is None:
        return (length is not None and length == scalar.min_length) or (size is not None and size >= _ID)
    return any(re.search(scalar.pattern, text) for text in _IDS)


def is_hash(scalar: Scalar) -> bool:
    """Whether a text is a hexadecimal hash by its pattern, which allows no other identifier."""
    pattern = scalar.pattern or ""
    is_other = any(re.search(pattern, text) for text in (*_WORDS, *_IDS[:2], *_IDS[3:5]))
    return not is_other and any(re.search(pattern, "0f" * size) for size in _HASH_SIZES)


def has_cents(scalar: Scalar) -> bool:
    """Whether every value is a number with two decimal places."""
    pattern = scalar.pattern or ""
    return form(scalar) == "an amount" and not any(re.search(pattern, text) for text in ("12", "12.4", "12.400"))
