"""Selectivity of conditions, from declared facts; without facts nothing is assumed.

Values count as equally frequent and fields as independent, because `kw.Cardinality` declares no distribution.
"""

import re
from collections.abc import Iterable
from math import prod

from keywright.ir.attribute import Attribute, Many, Scalar, Type
from keywright.ir.entity import element, resolve

from .query import Condition

_ALTERNATIVES = re.compile(r"\(?(?:\?:)?[\w|-]+\)?")
"""A pattern of one constant text, or of several."""

_CODES = {"[A-Z]": 26, "[a-z]": 26, "[0-9]": 10, r"\d": 10, "[A-Z]{2}": 250, "[a-z]{2}": 250}
"""Number of texts of a pattern; codes of two letters are those of countries or languages."""

_FEW_BOUNDED = 1_000
"""Most numbers between bounds that are all in use, as those of a level or a slot are."""


def values_of(attributes: tuple[Attribute, ...], path: str) -> float | None:
    """Number of values of a field; None if unknown."""
    attributes_of_path = resolve(attributes, path)
    kind = element(attributes_of_path[-1].type) if attributes_of_path else None
    if not isinstance(kind, Scalar):
        return None
    return len(kind.constants) or (2 if kind.kind == "boolean" else kind.facts.distinct)


def most_values_of(attributes: tuple[Attribute, ...], path: str) -> float | None:
    """Number of values of a field, as declared or by its bounds; None if unknown."""
    count, attributes_of_path = values_of(attributes, path), resolve(attributes, path)
    return bounded(attributes_of_path[-1].type) if count is None and attributes_of_path else count


def bounded(type: Type | None) -> float | None:
    """Most values that the bounds of a number or the pattern of a code allow; None if they allow many."""
    if not isinstance(type, Scalar):
        return None
    if type.kind == "integer" and type.minimum is not None and type.maximum is not None:
        count = float(type.maximum) - float(type.minimum) + 1 - type.excludes_minimum - type.excludes_maximum
        return count if count <= _FEW_BOUNDED else None
    if type.kind == "string" and not type.pattern and type.min_length == type.max_length == 2:
        return _CODES["[A-Z]{2}"]
    text = (type.pattern or "").strip("^$")
    if _ALTERNATIVES.fullmatch(text):
        return text.count("|") + 1
    return _CODES.get(text)


def share_of(attributes: tuple[Attribute, ...], conditions: Iterable[Condition]) -> float | None:
    """The share of items, above 0 and up to 1, that meet all conditions; None if a condition's share is unknown."""
    shares = [_share(attributes, condition) for condition in conditions]
    return prod(share for share in shares if share is not None) if None not in shares else None


def _share(attributes: tuple[Attribute, ...], condition: Condition) -> float | None:
    if condition.kind == "any_of":
        shares = [share_of(attributes, part) for part in condition.alternatives]
        return 1 - prod(1 - share for share in shares if share is not None) if None not in shares else None
    values = values_of(attributes, condition.field)
    count = len(condition.constants) if condition.constants is not None else None
    if condition.kind == "one_of" and count is None:
        return None
    if values is None or condition.kind not in ("equals", "one_of", "not", "contains"):
        return None
    if condition.kind == "not":
        return max(0.0, 1 - (count or 1) / values) or None
    attributes_of_path = resolve(attributes, condition.field)
    is_list = bool(attributes_of_path) and condition.kind == "contains"
    if attributes_of_path and is_list and not isinstance(attributes_of_path[-1].type, Many):
        return None  # a part of a text, which any number of texts contain
    elements_per_item = _elements(attributes_of_path[-1].type) if attributes_of_path and is_list else 1
    return min(1.0, (count or 1) * elements_per_item / values)


def _elements(kind: Type) -> float:
    """Average number of elements of a bounded list; 1 for other lists."""
    if not isinstance(kind, Many) or kind.max_items is None:
        return 1
    return max(1.0, ((kind.min_items or 0) + kind.max_items) / 2)


def group_size(attributes: tuple[Attribute, ...], expected: float | None, paths: Iterable[str]) -> float | None:
    """Number of items with the same values in some fields; None if the number of items or values is unknown.

    expected: number of all items. paths: the fields; without any, all items are one group.
    """
    values = [values_of(attributes, path) for path in dict.fromkeys(paths)]
    known_counts = [value for value in values if value is not None]
    if expected is None or len(known_counts) < len(values):
        return None
    return max(1.0, expected / prod(known_counts))
