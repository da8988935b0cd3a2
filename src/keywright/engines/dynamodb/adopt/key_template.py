"""Key templates from sampled keys: constants, and fields with the same value in every item."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.record import Record

from .values import is_moment

_SEPARATOR = re.compile(r"[#|:/@]")
_NAME = re.compile(r"[A-Za-z]\w*")
_CONSTANT = re.compile(r"[A-Z][A-Z_]*[#|:/@]?|[A-Za-z][A-Za-z_-]*[#|:/@]|[#|:/@]")
"""A part of a key that may be a constant: a word in capitals, or before a separator. Others may be stored values."""
_DATE = 10
"""Characters of a date at the beginning of a datetime."""

CANDIDATES = 64
"""Most templates of the first key that are tried with the other items."""


class _Placeholder(Record):
    """A placeholder of a template."""

    name: str
    """Stored name of the field."""
    form: str = ""
    """Filter, such as `upper`."""

    def text(self, item: Mapping[str, Any]) -> str | None:
        """The text that the placeholder gives; None if the item lacks the field."""
        value = item.get(self.name)
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            return None
        text = str(value)
        if self.form.startswith("pad("):
            return text.zfill(int(self.form[4:-1]))
        return {"date": text[:_DATE], "upper": text.upper(), "lower": text.lower()}.get(self.form, text)

    def __str__(self) -> str:
        return f"{{{self.name}:{self.form}}}" if self.form else f"{{{self.name}}}"


_Part = str | _Placeholder


def shape_of(key: str) -> tuple[str, ...]:
    """The form of a key by which items of one entity are recognised: its first word.

    `USER#a1` has the form ("USER",), `PROFILE` the form ("PROFILE",), and `a1` the form ().
    """
    word, *others = _SEPARATOR.split(key)
    return (word,) if others or _is_word(word) else ()


def template_of(keys: Sequence[str], items: Sequence[Mapping[str, Any]]) -> str | None:
    """The template that gives each key from the fields of its item; None if there is none.

    Fields are texts and whole numbers that all items have. Other parts must look like constants.
    """
    pairs = list(zip(keys, items, strict=True))
    for parts, _ in zip(_templates(keys[0], 0, items[0]), range(CANDIDATES), strict=False):
        if all(_filled(parts, item) == key for key, item in pairs):
            return "".join(map(str, parts))
    return None


def _templates(key: str, start: int, item: Mapping[str, Any]) -> Iterator[tuple[_Part, ...]]:
    """The templates of the rest of a key, those with fields first."""
    if start == len(key):
        yield ()
        return
    for end, placeholder in _fields(key, start, item):
        separator = key[end : end + 1]
        for rest in _templates(key, end + len(separator), item):
            yield (placeholder, *filter(None, [separator]), *rest)
    match = _SEPARATOR.search(key, start)
    end = match.end() if match else len(key)
    if _CONSTANT.fullmatch(key[start:end]):
        yield from ((key[start:end], *rest) for rest in _templates(key, end, item))


def _fields(key: str, start: int, item: Mapping[str, Any]) -> Iterator[tuple[int, _Placeholder]]:
    """(end, placeholder) of the fields whose value stands at this place up to a separator, the longest first."""
    ends = [match.start() for match in _SEPARATOR.finditer(key, start)] + [len(key)]
    for end in reversed(ends):
        for name in sorted(filter(_NAME.fullmatch, item)):
            yield from ((end, _Placeholder(name, form)) for form in _forms(item[name], key[start:end]))


def _forms(value: Any, text: str) -> Iterator[str]:
    """The filters that give a text from a value."""
    if isinstance(value, bool) or not text:
        return
    if isinstance(value, int):
        if str(value) == text:
            yield ""
        elif value >= 0 and str(value).zfill(len(text)) == text:
            yield f"pad({len(text)})"
    elif isinstance(value, str):
        if is_moment(value):
            yield from (["iso"] if value == text else ["date"] if value[:_DATE] == text else [])
        elif value == text:
            yield ""
        elif text in (value.upper(), value.lower()):
            yield "upper" if value.upper() == text else "lower"


def _filled(parts: Sequence[_Part], item: Mapping[str, Any]) -> str | None:
    """The key that a template gives; None if the item lacks a field."""
    texts = [part if isinstance(part, str) else part.text(item) for part in parts]
    return None if None in texts else "".join(text for text in texts if text is not None)


def _is_word(text: str) -> bool:
    return text.isascii() and text.replace("_", "").isalpha() and text.isupper()
