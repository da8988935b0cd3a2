"""The values that a field accepts: in words, and as a test of the constants in declarations."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from math import isfinite
from re import error as PatternError
from re import search
from typing import Any

from .attribute import Many, Map, Scalar, Struct, Tuple, Type
from .text import counted
from .text_form import moment

_WORDS: dict[str, str] = {
    "string": "str", "integer": "int", "float": "float or int", "decimal": "Decimal or int", "boolean": "bool",
    "bytes": "bytes", "datetime": "datetime with a time zone", "date": "date", "time": "time",
    "duration": "timedelta", "uuid": "UUID", "json": "a JSON value",
}  # fmt: skip

_CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "float": (int, float, Decimal), "decimal": (int, float, Decimal),
    "boolean": (bool,), "datetime": (date, str), "date": (date, str),
}  # fmt: skip
"""Classes of the constants that each kind of field can be compared with; any class for other kinds."""

_STORED: dict[str, Callable[[Any], Any]] = {
    "decimal": Decimal, "datetime": moment, "date": date.fromisoformat,
}  # fmt: skip
"""Functions that parse the constants of an upgrade, for kinds whose constants are written as text."""

_CONSTANT_KINDS = ("string", "integer", "float", "decimal", "boolean", "datetime", "date")
"""Kinds with constants in upgrades; engines store other kinds not as text, or in more than one form."""


def allowed_of(kind: Type) -> str:
    """The values that a field accepts, in a few words."""
    match kind:
        case Scalar(constants=constants) if constants:
            return "one of " + ", ".join(map(repr, constants))
        case Scalar():
            return _WORDS[kind.kind] + _bounds(kind)
        case Many():
            most = f" with at most {counted(kind.max_items, 'element')}" if kind.max_items is not None else ""
            return f"a {kind.kind} of {allowed_of(kind.element)}{most}"
        case Tuple():
            return f"a tuple of {', '.join(map(allowed_of, kind.elements))}"
        case Map():
            return f"a dict from {allowed_of(kind.key)} to {allowed_of(kind.value)}"
        case Struct():
            return f"an instance of {kind.name}"


def is_comparable(kind: Type, constant: object) -> bool:
    """Whether values of a field can be greater or less than a constant."""
    if not isinstance(kind, Scalar):
        return False
    classes = _CLASSES.get(kind.kind)
    is_flag = isinstance(constant, bool) and kind.kind != "boolean"
    return kind.is_converted or classes is None or (isinstance(constant, classes) and not is_flag)


def is_taken(kind: Type, constant: object) -> bool:
    """Whether a constant is a value of the field's type."""
    if not isinstance(kind, Scalar):
        return False
    if kind.constants:
        return any(type(allowed) is type(constant) and allowed == constant for allowed in kind.constants)
    if not is_comparable(kind, constant):
        return False
    match constant:
        case str() if kind.kind == "string" and not kind.is_converted:
            return _has_length(kind, len(constant)) and _matches(kind.pattern, constant)
        case int() | float() | Decimal() if not isinstance(constant, bool):
            return isfinite(constant) and _is_within(kind, constant)
        case _:
            return True


def is_stored(kind: Type, constant: object) -> bool:
    """Whether a constant that an upgrade stores is read as a value of the field's type."""
    if not isinstance(kind, Scalar) or kind.kind not in _CONSTANT_KINDS or kind.is_converted:
        return False
    read = _STORED.get(kind.kind)
    if read is None or kind.constants:
        return is_taken(kind, constant)
    try:
        return isinstance(constant, str) and is_taken(kind, read(constant))
    except (ValueError, InvalidOperation):
        return False


def _has_length(kind: Scalar, length: int) -> bool:
    low, high = kind.min_length or 0, kind.max_length
    return length >= low and (high is None or length <= high)


def _matches(pattern: str | None, text: str) -> bool:
    try:
        return pattern is None or search(pattern, text) is not None
    except PatternError:  # syntax of Pydantic's expressions that Python's do not have
        return True


def _is_within(kind: Scalar, number: int | float | Decimal) -> bool:
    low, high = kind.minimum, kind.maximum
    is_high_enough = low is None or number > low or (number == low and not kind.excludes_minimum)
    return is_high_enough and (high is None or number < high or (number == high and not kind.excludes_maximum))


def _bounds(kind: Scalar) -> str:
    words = []
    if kind.minimum is not None:
        words.append(f"{'above' if kind.excludes_minimum else 'from'} {kind.minimum}")
    if kind.maximum is not None:
        words.append(f"{'below' if kind.excludes_maximum else 'up to'} {kind.maximum}")
    if kind.min_length is not None:
        words.append(f"of length {kind.min_length} or more")
    if kind.max_length is not None:
        words.append(f"of length {kind.max_length} or less")
    return f" {' '.join(words)}" if words else ""
