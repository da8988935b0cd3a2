"""Key templates from sampled keys: constants, and fields with the same value in every item."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.record import Record

from .times import StoredTime

_SEPARATORS = "#|:/@"
_SEPARATOR = re.compile(r"[#|:/@]")
_NAME = re.compile(r"[A-Za-z]\w*")
_CONSTANT = re.compile(r"[A-Z][A-Z_]*[#|:/@]?|[A-Za-z][A-Za-z_-]*[#|:/@]|[#|:/@]")
"""A part of a key that may be a constant: a word in capitals, or before a separator. Others may be stored values."""
_LEAST_TEXT = 3
"""Least characters of a field in a key, if there are only one or two keys, of which shorter ones agree by chance."""

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
        if isinstance(value, StoredTime):
            return value.text(self.form)
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            return None
        text = str(value)
        if self.form.startswith("pad("):
            return text.zfill(int(self.form[4:-1]))
        return {"upper": text.upper(), "lower": text.lower()}.get(self.form, text)

    def __str__(self) -> str:
        return f"{{{self.name}:{self.form}}}" if self.form else f"{{{self.name}}}"


_Part = str | _Placeholder


class Constants(Record):
    """The parts of a table's keys that may be constants."""

    words: frozenset[str] = frozenset()
    """Words that are kinds of items."""
    is_sampled_enough: bool = True
    """Whether there are so many keys that a word of all keys, before a separator or in capitals, is a constant too."""

    def allow(self, text: str) -> bool:
        """Whether a part of a key, with the separator behind it, may be a constant."""
        word = text.rstrip(_SEPARATORS)
        return word in self.words or not word or (self.is_sampled_enough and _CONSTANT.fullmatch(text) is not None)


SAMPLED = Constants()
"""The constants of a well sampled table, of whose words nothing is known."""


def template_of(keys: Sequence[str], items: Sequence[Mapping[str, Any]], constants: Constants = SAMPLED) -> str | None:
    """The template that gives each key from the fields of its item; None if there is none.

    Fields are texts and whole numbers that all items have, the ones to prefer first. Other parts must be constants.
    """
    pairs = list(zip(keys, items, strict=True))
    for parts, _ in zip(_templates(keys[0], 0, items[0], constants), range(CANDIDATES), strict=False):
        if all(_filled(parts, item) == key for key, item in pairs):
            return "".join(map(str, parts))
    return None


def pattern_of(keys: Sequence[str], constants: Constants) -> str | None:
    """A regular expression with the constant beginning and end of keys; None if they have neither.

    `^USER#` for keys such as `USER#a1`, `^u#.+#post$` for keys such as `u#1#post`.
    """
    rows = [re.findall(r"[^#|:/@]*[#|:/@]|[^#|:/@]+$", key) for key in keys]
    head = list(_constant_parts(rows, constants))
    last = {row[-1] for row in rows if len(row) > len(head)}
    tail = last.pop() if len(last) == 1 and all(len(row) > len(head) + 1 for row in rows) else ""
    if not tail or tail[-1] in _SEPARATORS or tail not in constants.words:
        return f"^{escaped(''.join(head))}" if head else None
    return f"^{escaped(''.join(head))}.+{escaped(rows[0][-2][-1] + tail)}$"


def _constant_parts(rows: Sequence[Sequence[str]], constants: Constants) -> Iterator[str]:
    """The parts that all keys begin with, if they are constants."""
    for column in zip(*rows, strict=False):
        if len(set(column)) > 1 or column[0][-1] not in _SEPARATORS or not constants.allow(column[0]):
            return
        yield column[0]


def escaped(text: str) -> str:
    """A text as part of a regular expression."""
    return re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", text)


def _templates(key: str, start: int, item: Mapping[str, Any], constants: Constants) -> Iterator[tuple[_Part, ...]]:
    """The templates of the rest of a key, those with fields first."""
    if start == len(key):
        yield ()
        return
    for end, placeholder in _fields(key, start, item, constants):
        separator = key[end : end + 1]
        for rest in _templates(key, end + len(separator), item, constants):
            yield (placeholder, *filter(None, [separator]), *rest)
    match = _SEPARATOR.search(key, start)
    end = match.end() if match else len(key)
    if constants.allow(key[start:end]):
        yield from ((key[start:end], *rest) for rest in _templates(key, end, item, constants))


def _fields(key: str, start: int, item: Mapping[str, Any], constants: Constants) -> Iterator[tuple[int, _Placeholder]]:
    """(end, placeholder) of the fields whose value stands at this place up to a separator, the longest first."""
    ends = [match.start() for match in _SEPARATOR.finditer(key, start)] + [len(key)]
    for end in reversed(ends):
        text = key[start:end]
        if constants.is_sampled_enough or len(text) >= _LEAST_TEXT:
            for name in filter(_NAME.fullmatch, item):
                yield from ((end, _Placeholder(name, form)) for form in _forms(item[name], text))


def _forms(value: Any, text: str) -> Iterator[str]:
    """The filters that give a text from a value."""
    if isinstance(value, bool) or not text:
        return
    if isinstance(value, StoredTime):
        yield from value.forms(text)
        return
    if isinstance(value, int):
        if str(value) == text:
            yield ""
        elif value >= 0 and str(value).zfill(len(text)) == text:
            yield f"pad({len(text)})"
    elif isinstance(value, str):
        if value == text:
            yield ""
        elif text in (value.upper(), value.lower()):
            yield "upper" if value.upper() == text else "lower"


def _filled(parts: Sequence[_Part], item: Mapping[str, Any]) -> str | None:
    """The key that a template gives; None if the item lacks a field."""
    texts = [part if isinstance(part, str) else part.text(item) for part in parts]
    return None if None in texts else "".join(text for text in texts if text is not None)
