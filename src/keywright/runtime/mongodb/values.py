"""Converts Python values to BSON types, and back."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from bson import Binary, Decimal128, Int64, ObjectId

from keywright.ir.attribute import ScalarKind
from keywright.runtime.items import text as forms
from keywright.runtime.validate import stored_types

Convert = Callable[[Any], Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _milliseconds(moment: datetime) -> datetime:
    """The moment with BSON's precision, so that the written value equals the value that is read."""
    moment = forms.utc(moment)
    microseconds = moment.microsecond % 1000
    return moment.replace(microsecond=moment.microsecond - microseconds) if microseconds else moment


def _aware(moment: datetime) -> datetime:
    """The moment in UTC; a client without time zones returns naive times in UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _day(moment: datetime) -> date:
    """The day of a midnight; ValueError for another time of day."""
    moment = _aware(moment)
    if moment != _midnight(moment):
        raise ValueError("it is not midnight in UTC")
    return moment.date()


def _uuid(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(bytes=stored_types.octets(value))


def _object_id(value: Any) -> str:
    return str(value) if isinstance(value, ObjectId) else stored_types.refuse(value)


def _number(value: Any) -> Any:
    return value.to_decimal() if isinstance(value, Decimal128) else value


def _whole(value: Any) -> int:
    number = _number(value)
    return stored_types.whole_number(int(number) if isinstance(number, Decimal) and number == int(number) else number)


def _exact(value: Any) -> Decimal:
    return stored_types.exact(_number(value))


def _to_plain(value: Any) -> Any:
    """A JSON value as a native one."""
    match value:
        case dict():
            return {str(key): _to_plain(inner) for key, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_to_plain(inner) for inner in value]
        case Decimal():
            return Decimal128(value)
        case UUID():
            return Binary.from_uuid(value)
        case _:
            return value


def _from_plain(value: Any) -> Any:
    """The JSON value of a native one."""
    match value:
        case dict():
            return {key: _from_plain(inner) for key, inner in value.items()}
        case list():
            return [_from_plain(inner) for inner in value]
        case Int64():
            return int(value)
        case _:
            return _number(value)


WRITE: dict[tuple[ScalarKind, str], Convert] = {
    ("string", "objectId"): ObjectId,
    ("integer", "decimal"): lambda value: Decimal128(str(value)),
    ("integer", "string"): str,
    ("float", "double"): float,  # models accept whole numbers too, in defaults without validation
    ("float", "decimal"): lambda value: Decimal128(repr(value)),
    ("decimal", "decimal"): lambda value: Decimal128(Decimal(value)),
    ("decimal", "string"): str,
    ("datetime", "date"): _milliseconds,
    ("datetime", "string"): forms.iso,
    ("datetime", "long"): lambda moment: Int64((forms.utc(moment) - _EPOCH) // _MICROSECOND),
    ("date", "date"): _midnight,
    ("date", "string"): date.isoformat,
    ("time", "string"): time.isoformat,
    ("duration", "long"): lambda duration: Int64(duration // _MICROSECOND),
    ("duration", "double"): timedelta.total_seconds,
    ("uuid", "binData"): Binary.from_uuid,
    ("uuid", "string"): str,
    ("json", "any"): _to_plain,
    ("json", "string"): json.dumps,
}
"""Conversions of values by kind and BSON type; values of other kinds are written unchanged."""

READ: dict[tuple[ScalarKind, str], Convert] = {
    ("string", "objectId"): _object_id,
    ("integer", "decimal"): _whole,
    ("integer", "string"): lambda value: int(stored_types.text(value)),
    ("float", "decimal"): lambda value: float(_exact(value)),
    ("decimal", "decimal"): _exact,
    ("decimal", "string"): lambda value: Decimal(stored_types.text(value)),
    ("datetime", "date"): _aware,
    ("datetime", "string"): datetime.fromisoformat,
    ("datetime", "long"): lambda number: _EPOCH + stored_types.whole_number(number) * _MICROSECOND,
    ("date", "date"): _day,
    ("date", "string"): date.fromisoformat,
    ("time", "string"): time.fromisoformat,
    ("duration", "long"): lambda number: stored_types.whole_number(number) * _MICROSECOND,
    ("duration", "double"): lambda number: timedelta(seconds=stored_types.real(number)),
    ("uuid", "binData"): _uuid,
    ("uuid", "string"): UUID,
    ("json", "any"): _from_plain,
    ("json", "string"): json.loads,
}
"""Conversions of native values; values of other kinds have a class of Python (`expected.CLASSES`)."""
