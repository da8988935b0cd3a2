"""The fields in the keys of a family, and the template that writes them."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any

from keywright.engines.contract.naming import class_name, field_name, singular
from keywright.engines.findings.personal import personal_content, secret_content
from keywright.engines.time_precisions import form_of
from keywright.ir.attribute import Attribute, Facts, Scalar
from keywright.record import Record, replace

from .families import Family, Value
from .key_parts import parts_of
from .key_shapes import is_word
from .names import ENTIRE, PERIODS
from .values import Plain, is_whole
from .words import pieces

_NAMES = {
    "<date>": "day", "<week>": "week", "<month>": "month", "<hour>": "hour", "<time>": "at", "<address>": "ip",
    "<mail>": "email",
}  # fmt: skip
"""Names of fields by the kind of their values."""

_PATTERNS = {
    "<week>": "^[0-9]{4}-W[0-9]{2}$", "<month>": "^[0-9]{4}-[0-9]{2}$", "<hour>": "^[0-9-]{10}T[0-9]{2}$",
    "<date>": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
}  # fmt: skip
"""Patterns of texts that no type has."""

_PARTS = frozenset((
    "config", "data", "detail", "details", "header", "info", "meta", "metadata", "preferences", "profile", "settings",
    "state", "stats", "status", "summary",
))  # fmt: skip
"""Words for a part of the information about something."""

_VERSIONS = frozenset(f"v{number}" for number in range(10))

_IDENTITY = re.compile(
    r"(?:^|_|(?<=[a-z]))(?:[Ii]d|ID|[Kk]ey|[Cc]ode|[Ss]lug|[Ss]ku|[Uu]uid|[Ee]mail|[Nn]ame|[Tt]oken)$"
)
"""Endings of names of fields that identify an item."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SIGNS = "._~@+=%,"
"""Further characters of values, besides letters, digits and hyphens."""


class KeyField(Record):
    """A field in the key."""

    attribute: Attribute
    """The field."""
    place: str
    """The placeholder, with its filter."""
    stored: str = ""
    """Stored name of the field with the same value; empty if only the key has it."""


class KeyFields(Record):
    """The fields in the keys of a family."""

    template: str
    """The key template."""
    fields: tuple[KeyField, ...]
    """The fields, in order."""


def key_fields(
    family: Family, items: Sequence[Mapping[str, Any]], taken: Sequence[str], strictness: int = 0, group: str = ""
) -> KeyFields | None:
    """The template of a family's keys; None if a hash tag contains more than one value.

    items: the item of each key, if it has one. taken: names of other fields. strictness: 1 if texts have patterns, so
    that keys of other families, and other parts of the key, cannot be confused with them; 2 if numbers are such texts.
    group: a name for the value after a plural, if a key contains several items: `area` for `drivers:berlin`.
    """
    texts = [tuple(text for _, text in parts_of(key.key.decode())) for key in family.keys]
    fields: list[KeyField] = []
    template = ""
    constants = "".join(part for part in family.parts if isinstance(part, str))
    for place, part in enumerate(family.parts):
        if isinstance(part, str):
            template += part
            continue
        values = [text[place] for text in texts]
        named = {field.attribute.name for field in fields} | {field.stored for field in fields}
        stored = _same(values, items, named, _wish(family, place, (), group))
        name = field_name(stored) if stored else _wish(family, place, (*taken, *named), group)
        is_text = bool(stored) and all(type(item.get(stored)) is str for item in items)
        scalar, filter = _scalar(part, values, constants, strictness, is_text=is_text)
        attribute = Attribute(name, name, name, _marked(family, name, scalar))
        fields.append(KeyField(attribute, f"{{{name}{filter}}}", stored))
        template += f"{{{name}{filter}}}"
    for field in fields:
        inner = field.place[1:-1]
        template = template.replace(f"{{{field.place}}}", f"{{{inner}:tag}}")
    return KeyFields(template, tuple(fields)) if _is_whole(template) else None


def _is_whole(template: str) -> bool:
    """Whether the only braces are those of placeholders."""
    return not re.search(r"[{}]", re.sub(r"\{[A-Za-z_][\w:()]*\}", "", template))


def _scalar(
    part: Value, values: Sequence[str], constants: str, strictness: int, *, is_text: bool
) -> tuple[Scalar, str]:
    """(type, filter) of the values at a place of the keys."""
    kind = next(iter(part.kinds)) if len(part.kinds) == 1 else ""
    if part.choices:
        return Scalar("string", constants=part.choices), ""
    if kind == "<number>" and all(map(is_whole, values)) and not (strictness > 1 or is_text):
        return Scalar("integer"), ""
    if kind == "<uuid>" and all(map(_UUID.fullmatch, values)):
        return Scalar("uuid"), ""
    if kind == "<date>" and all(map(_is_date, values)):
        return Scalar("date"), ":date"
    if kind == "<time>" and len(forms := {form_of(value) for value in values}) == 1 and (form := forms.pop()):
        return Scalar("datetime", precision=form[0]), ":iso"
    pattern = _PATTERNS.get(kind) or (_pattern(values, constants) if strictness else None)
    return Scalar("string", pattern=pattern), ""


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _pattern(values: Sequence[str], constants: str) -> str | None:
    """The characters of values as a pattern; None if there are unusual ones."""
    seen = set("".join(values))
    if seen <= set("0123456789"):
        return "^[0-9]+$"
    letters = "A-Za-z" if any(sign.isascii() and sign.isupper() for sign in seen) else "a-z"
    others = {sign for sign in seen if not (sign.isascii() and sign.isalnum())}
    if not others <= set(_SIGNS + "-"):
        return None
    signs = "".join(sign for sign in _SIGNS if sign in others or (sign == "_" and "_" not in constants))
    hyphen = "-" if "-" in others or "-" not in constants else ""
    return f"^[{letters}0-9{signs}{hyphen}]+$"


def _wish(family: Family, place: int, taken: Sequence[str], group: str) -> str:
    """A name for the field at a place: by its kind, or after the word before it."""
    part = family.parts[place]
    assert isinstance(part, Value)
    kind = next(iter(part.kinds)) if len(part.kinds) == 1 else ""
    if kind in _NAMES:
        return field_name(_NAMES[kind], taken)
    before = [other for other in family.parts[:place] if not isinstance(other, str) or is_word(other)]
    while before and before[-1] in _VERSIONS:
        before.pop()
    word = before[-1] if before and isinstance(before[-1], str) else ""
    if kind == "<number>" and place == len(family.parts) - 1 and not word and _are_short(family):
        return field_name("window", taken)
    if part.choices:
        return field_name(singular(word), taken)
    if group and (singular(word) != word or word in ENTIRE) and _is_last(family, place):
        return field_name(group if kind == "<word>" else f"{group}_id", taken)
    ending = "name" if kind == "<word>" else "id"
    if word and (name := _subject(pieces(class_name(word)))):
        return field_name(f"{name}_{ending}", taken)
    return field_name("number" if kind == "<number>" else ending, taken)


def _subject(words: Sequence[str]) -> str:
    """The noun of the value after a word: `cart` for `cart_header`, `task` for `celery-task-meta`."""
    return words[-2] if len(words) > 1 and words[-1] in _PARTS else "_".join(words)


def _is_last(family: Family, place: int) -> bool:
    """Whether no word but one such as `daily` follows."""
    return all(part in PERIODS or not is_word(part) for part in family.parts[place:] if isinstance(part, str))


def _are_short(family: Family) -> bool:
    """Whether all keys expire within a day, as those of rate limits do."""
    return all(key.seconds is not None and key.seconds <= 86_400 for key in family.keys)


def _same(values: Sequence[str], items: Sequence[Mapping[str, Any]], named: Any, wish: str) -> str:
    """The stored name of the field whose value every key contains; empty if there is none."""
    if len(items) != len(values) or len(set(values)) < 3:
        return ""
    names = [name for name in items[0] if name not in named and re.fullmatch(r"[A-Za-z]\w*", name)]
    names = [name for name in names if name == wish or _IDENTITY.search(name)]
    same = [
        name for name in names if all(_text(item.get(name)) == value for item, value in zip(items, values, strict=True))
    ]
    return next(iter(sorted(same, key=lambda name: (name != wish, name))), "")


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, (str, int, Plain)) and not isinstance(value, bool) else None


def _marked(family: Family, name: str, scalar: Scalar) -> Scalar:
    """The type, marked as personal by the name of the field."""
    attribute = Attribute(name, name, name, Scalar(scalar.kind))
    words = chain.from_iterable(pieces(part) for part in family.parts if isinstance(part, str))
    is_personal = bool(personal_content(name, attribute) or secret_content("".join(words), name, attribute))
    facts = Facts(is_personal=True) if is_personal else scalar.facts
    return replace(scalar, facts=facts)
