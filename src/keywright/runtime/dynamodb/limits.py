"""Limits of DynamoDB on field values, in addition to those of the model."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.capabilities import DIGITS
from keywright.engines.dynamodb.schema.keys import field_type
from keywright.engines.dynamodb.schema.typemap import native_type
from keywright.ir.attribute import Many, Map, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.runtime.errors import Unstorable
from keywright.runtime.validate.limits import StoreLimit, json_value

from .values import number

_LARGEST = 10**DIGITS.value - 1


def limit_of(binding: Binding[Item], path: str, kind: Scalar | Map | Many) -> StoreLimit | None:
    """See `runtime.limits.LimitOf`."""
    if isinstance(kind, Map):
        return StoreLimit(check=_key)
    if isinstance(kind, Many):
        return None
    attributes = resolve(binding.entity.attributes, path)
    is_attribute = bool(attributes) and attributes[-1].type is kind  # type: ignore[index]
    native = field_type(binding, path) if is_attribute else native_type(kind)
    if kind.kind == "json":
        return StoreLimit(check=_json if native != "S" else json_value())
    if native != "N":
        return None
    if kind.kind == "integer":
        return None if _is_bounded(kind) else StoreLimit(check=_integer)
    return StoreLimit(check=_number) if kind.kind in ("float", "decimal") else None


def _is_bounded(kind: Scalar) -> bool:
    return bool(kind.constants) or (
        kind.minimum is not None and kind.maximum is not None and kind.minimum >= -_LARGEST and kind.maximum <= _LARGEST
    )


def _key(name: object) -> str | None:
    return None if name != "" else "a key of a map must not be empty in DynamoDB"


def _integer(value: int) -> str | None:
    return None if -_LARGEST <= value <= _LARGEST else _number(value)


def _number(value: Any) -> str | None:
    try:
        number(value)
    except Unstorable as problem:
        return problem.reason
    return None


_ANY = json_value(bytes, Decimal)


def _json(value: Any) -> str | None:
    return _ANY(value) or _native_problem(value)


def _native_problem(value: Any) -> str | None:
    match value:
        case bool() | str() | bytes() | None:
            return None
        case int() | float() | Decimal():
            return _number(value)
        case Mapping():
            return next(filter(None, [*map(_key, value), *map(_native_problem, value.values())]), None)
        case list() | tuple():
            return next(filter(None, map(_native_problem, value)), None)
    return None
