"""Fields whose values cannot contain the separators of a key template."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from keywright.engines.contract.naming import snake_case
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.key_texts import is_ambiguous, pieces
from keywright.ir.template import Template, TemplateError, parse
from keywright.ir.time_precision import precise
from keywright.record import replace

_PATTERNS = ("^[0-9]+$", "^[0-9T:.Z+-]+$", "^[A-Za-z0-9_.-]+$", "^[A-Za-z0-9_-]+$")
"""Patterns of digits, of times, and of identifiers."""


_UNSAMPLED = ("^[A-Za-z0-9_.:-]+$", *_PATTERNS[2:])
"""Patterns of identifiers, and of identifiers or times."""

_TIMES = ("^[A-Za-z0-9_.:+-]+$", *_UNSAMPLED)
"""Patterns of fields whose names say that they are times, which may have a zone such as +02:00."""

_TIME = re.compile(r"(?:^|_)(?:at|date|day|on|time|timestamp|ts)$")


def unambiguous(
    text: str, attributes: tuple[Attribute, ...], values: Sequence[Mapping[str, Any]], *, is_ordered: bool
) -> tuple[Attribute, ...] | None:
    """The fields of an entity, some of them with a pattern, so that no two items share the key of a template.

    values: the sampled values of fields by name. None if no pattern separates them, or a number breaks the order.
    """
    try:
        template = precise(parse(text), attributes)
    except TemplateError:
        return None
    if text in {field.name for field in attributes}:
        return None  # a constant that the compiler takes for the field
    if is_ordered and template.lone is None and _has_plain_number(template, attributes):
        return None
    return narrowed(template, attributes, values)


def narrowed(
    template: Template, attributes: tuple[Attribute, ...], values: Sequence[Mapping[str, Any]] = ()
) -> tuple[Attribute, ...] | None:
    """The fields of an entity, some of them with a pattern, with which no two items share the key; None without such.

    values: the sampled values of fields by name. Without samples, fields are identifiers or times.
    """
    if not is_ambiguous(pieces(template, attributes)):
        return attributes
    names = list(dict.fromkeys(placeholder.path for placeholder in template.placeholders))
    between = "".join(part for part in template.parts[1:-1] if isinstance(part, str))
    separators = "".join(letter for letter in between if not letter.isalnum())
    patterns = {name: pattern for name in names if (pattern := _pattern(name, separators, attributes, values))}
    for count in range(1, len(patterns) + 1):
        for chosen in combinations(patterns, count):
            clear = tuple(_narrowed(field, patterns, chosen) for field in attributes)
            if not is_ambiguous(pieces(template, clear)):
                return clear
    return None


def _has_plain_number(template: Template, attributes: Sequence[Attribute]) -> bool:
    numbers = {field.name for field in attributes if isinstance(field.type, Scalar) and field.type.kind == "integer"}
    return any(placeholder.path in numbers and placeholder.width is None for placeholder in template.placeholders)


def _pattern(
    name: str, separators: str, attributes: Sequence[Attribute], values: Sequence[Mapping[str, Any]]
) -> str | None:
    """The pattern of a field's sampled values that no separator fits."""
    field = next((field for field in attributes if field.name == name), None)
    if field is None or not isinstance(field.type, Scalar) or field.type.kind != "string" or field.type.constants:
        return None
    for pattern in _PATTERNS if values else _TIMES if _TIME.search(snake_case(name)) else _UNSAMPLED:
        is_clear = not any(re.fullmatch(pattern, separator) for separator in separators)
        if is_clear and all(re.fullmatch(pattern, str(value.get(name, ""))) for value in values):
            return pattern
    return None


def _narrowed(field: Attribute, patterns: Mapping[str, str], chosen: Sequence[str]) -> Attribute:
    if field.name not in chosen or not isinstance(field.type, Scalar):
        return field
    return replace(field, type=replace(field.type, pattern=patterns[field.name]))
