"""Checks copied values against the bounds of the field that gets them, which can differ from the source's bounds."""

import re

from keywright.ir.attribute import Scalar, Type


def is_allowed(kind: Type, source: Type, value: object) -> bool:
    """Whether a value of the source's type is a value of the other type too."""
    if kind == source:
        return True
    if not isinstance(kind, Scalar) or not isinstance(source, Scalar) or kind.kind != source.kind:
        return False
    if kind.constants:
        return value in kind.constants
    if isinstance(value, str):
        return _is_long_enough(kind, value) and (kind.pattern is None or re.search(kind.pattern, value) is not None)
    return _bounds(kind) == _bounds(source)


def _is_long_enough(kind: Scalar, value: str) -> bool:
    tops = (kind.max_length, kind.facts.max_bytes)
    return len(value) >= (kind.min_length or 0) and all(top is None or len(value) <= top for top in tops)


def _bounds(kind: Scalar) -> tuple[object, ...]:
    return (
        kind.minimum, kind.maximum, kind.excludes_minimum, kind.excludes_maximum, kind.min_length, kind.max_length,
        kind.max_digits, kind.decimal_places, kind.is_aware,
    )  # fmt: skip
