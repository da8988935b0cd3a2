"""Native values as plain ones, and their kinds."""

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from keywright.engines.infer import ValueKind

_KINDS: dict[type, ValueKind] = {
    bool: ValueKind("boolean"), int: ValueKind("integer"), Decimal: ValueKind("decimal"), bytes: ValueKind("bytes"),
}  # fmt: skip

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
"""The form in which keywright stores a datetime; other forms of ISO 8601 stay text, because they sort differently."""


def plain(value: Mapping[str, Any]) -> Any:
    """A native value such as `{"S": "a"}` as text, number, list and dictionary."""
    ((kind, inner),) = value.items()
    match kind:
        case "NULL":
            return None
        case "N":
            return _number(inner)
        case "M":
            return {name: plain(element) for name, element in inner.items()}
        case "L":
            return [plain(element) for element in inner]
        case "NS":
            return {_number(element) for element in inner}
        case "SS" | "BS":
            return set(inner)
        case _:
            return inner


def _number(text: str) -> int | Decimal:
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else number


def kind_of(value: Any) -> ValueKind | None:
    """The kind of a single plain value; None for a list, a set, a mapping or null."""
    if isinstance(value, str):
        return ValueKind("datetime", is_text=True) if is_moment(value) else ValueKind("string")
    return _KINDS.get(type(value))


def is_moment(text: str) -> bool:
    """Whether a text is a datetime in the form in which keywright stores it."""
    if not _MOMENT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
