"""Limits of a store on the values of a field, in addition to the model's; each call checks both."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from math import isfinite
from typing import Any, TypeAlias

from keywright.ir.attribute import Many, Map, Scalar
from keywright.ir.binding import Binding
from keywright.record import Record

Check: TypeAlias = Callable[[Any], str | None]
"""Returns the problem with a value and the allowed values; None for a value that can be stored."""


class StoreLimit(Record):
    """Values of one field that a store can hold, among those that the model allows."""

    low: int | None = None
    """The smallest whole number."""
    high: int | None = None
    """The largest whole number."""
    check: Check | None = None
    """Any other check."""


LimitOf: TypeAlias = Callable[[Binding[Any], str, Scalar | Map | Many], StoreLimit | None]
"""(binding, dotted field path, its type): the limit of a value, a vector, or a map's keys; None without a limit."""


def json_value(*further: type) -> Check:
    """A check of values without a declared structure: JSON with finite numbers, and values of further types."""
    single = (type(None), bool, int, *further)

    def problem_of(value: Any) -> str | None:
        if isinstance(value, str):
            return _surrogate(value)
        if isinstance(value, datetime) and value.tzinfo is None:
            return "a time needs a time zone"
        if isinstance(value, float):
            return None if isfinite(value) else "JSON allows only finite numbers"
        if isinstance(value, Decimal) and Decimal in further:
            return None if value.is_finite() else "JSON allows only finite numbers"
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                return "the keys of a JSON object are text"
            return next(filter(None, map(problem_of, (*value, *value.values()))), None)
        if isinstance(value, list):
            return next(filter(None, map(problem_of, value)), None)
        return None if isinstance(value, single) else f"{type(value).__name__} is not a JSON value"

    return problem_of


def _surrogate(text: str) -> str | None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "text is Unicode, without halves of surrogate pairs"
    return None
