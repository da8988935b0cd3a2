"""Native values as plain ones, and their kinds."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from keywright.engines.infer import ValueKind
from keywright.engines.time_precisions import form_of

_KINDS: dict[type, ValueKind] = {
    bool: ValueKind("boolean"), int: ValueKind("integer"), Decimal: ValueKind("decimal"), bytes: ValueKind("bytes"),
}  # fmt: skip

_FORMS: Mapping[str, type | tuple[type, ...]] = {
    "S": str, "N": str, "B": (str, bytes), "BOOL": bool, "NULL": bool, "M": dict, "L": list, "SS": list, "NS": list,
    "BS": list,
}  # fmt: skip
"""Native types with the classes of their values in JSON."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def plain(item: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an item in native form as texts, numbers, lists and dictionaries."""
    return {name: _plain(value) for name, value in item.items()}


def _plain(value: Mapping[str, Any]) -> Any:
    """A native value such as `{"S": "a"}` as text, number, list and dictionary."""
    ((kind, inner),) = value.items()
    match kind:
        case "NULL":
            return None
        case "N":
            return _number(inner)
        case "M":
            return {name: _plain(element) for name, element in inner.items()}
        case "L":
            return [_plain(element) for element in inner]
        case "NS":
            return {_number(element) for element in inner}
        case "SS" | "BS":
            return set(inner)
        case _:
            return inner


def native_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item of a file in native form: files have plain JSON inside of maps, or repeat the type of a map."""
    return {name: _native(value) for name, value in item.items()}


def _native(value: Any) -> Any:
    match value:
        case {"M": {"M": dict() as inner}} if len(value) == 1 and not _is_native(inner):
            return _native({"M": inner})
        case {"M": dict() as inner} if len(value) == 1:
            return {"M": {name: _native(element) for name, element in inner.items()}}
        case {"L": list() as inner} if len(value) == 1:
            return {"L": [_native(element) for element in inner]}
        case dict() if _is_native(value):
            return value
        case dict():
            return {"M": {name: _native(element) for name, element in value.items()}}
        case list():
            return {"L": [_native(element) for element in value]}
        case bool():
            return {"BOOL": value}
        case int() | float():
            return {"N": str(value)}
        case None:
            return {"NULL": True}
        case _:
            return {"S": str(value)}


def _is_native(value: Mapping[str, Any]) -> bool:
    """Whether a value has the form of DynamoDB's values: a type and the value."""
    if len(value) != 1:
        return False
    ((kind, inner),) = value.items()
    return isinstance(inner, _FORMS.get(kind, ())) and (kind != "N" or _NUMBER.fullmatch(str(inner)) is not None)


def _number(text: str) -> int | Decimal:
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else number


def kind_of(value: Any) -> ValueKind | None:
    """The kind of a single plain value; None for a list, a set, a mapping or null."""
    if isinstance(value, str):
        form = form_of(value)
        return ValueKind("datetime", is_text=True, precision=form[0]) if form else ValueKind("string")
    return _KINDS.get(type(value))
