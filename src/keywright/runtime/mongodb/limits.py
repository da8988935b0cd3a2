"""Limits of BSON for values of a field, beyond those of the model."""

import re
from datetime import datetime, timedelta
from decimal import Decimal, DecimalException
from typing import Any
from uuid import UUID

from bson import Decimal128

from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.schema.fields import chosen_type
from keywright.engines.mongodb.schema.typemap import DECIMAL_DIGITS, INT32, INT64, native_type
from keywright.ir.attribute import Many, Map, Scalar
from keywright.ir.binding import Binding
from keywright.runtime.validate.limits import Check, StoreLimit, json_value

_WHOLE = {"int": INT32, "long": INT64, "decimal": range(1 - 10**DECIMAL_DIGITS, 10**DECIMAL_DIGITS)}
_OBJECT_ID = re.compile("[0-9a-fA-F]{24}")
_LONGEST = timedelta(microseconds=INT64[-1])


def limit_of(binding: Binding[AnyCollection], path: str, kind: Scalar | Map | Many) -> StoreLimit | None:
    """See `runtime.limits.LimitOf`."""
    if isinstance(kind, Map):
        return StoreLimit(check=_key)
    if isinstance(kind, Many):
        return None
    native = native_type(kind, chosen_type(binding, path))
    if kind.kind == "integer" and native in _WHOLE:
        return StoreLimit(_WHOLE[native][0], _WHOLE[native][-1])
    check = _CHECKS.get((kind.kind, native))
    return StoreLimit(check=check) if check else None


def _key(name: object) -> str | None:
    return "names of fields must not contain NUL" if isinstance(name, str) and "\x00" in name else None


def _decimal(value: Any) -> str | None:
    if len(text := str(value)) < DECIMAL_DIGITS and "E" not in text:  # most decimals
        return None
    try:
        Decimal128(value)
    except DecimalException:
        return f"a decimal has up to {DECIMAL_DIGITS} digits in MongoDB"
    return None


def _duration(value: timedelta) -> str | None:
    return None if -_LONGEST <= value <= _LONGEST else "a duration has up to 64 bits of microseconds in MongoDB"


def _object_id(value: str) -> str | None:
    return None if _OBJECT_ID.fullmatch(value) else "an ObjectId is 24 hexadecimal digits"


_ANY = json_value(bytes, datetime, Decimal, UUID)


def _json(value: Any) -> str | None:
    return None if value is None or (type(value) is str and value.isascii()) else _ANY(value) or _bson(value)


def _bson(value: Any) -> str | None:
    """The reason why BSON would change a nested value of a JSON value; None if it would not."""
    match value:
        case bool():
            return None
        case int():
            return None if value in INT64 else "a whole number has up to 64 bits in MongoDB"
        case Decimal():
            return _decimal(value)
        case dict():
            return next(filter(None, [*map(_key, value), *map(_bson, value.values())]), None)
        case list() | tuple():
            return next(filter(None, map(_bson, value)), None)
    return None


_CHECKS: dict[tuple[str, str], Check] = {
    ("decimal", "decimal"): _decimal,
    ("duration", "long"): _duration,
    ("string", "objectId"): _object_id,
    ("json", "any"): _json,
    ("json", "string"): json_value(),
}
