"""Values of Python in BSON's forms, and back."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from bson import Binary, Decimal128, Int64, ObjectId

from keywright.ir.attribute import ScalarKind
from keywright.runtime import text as forms

Convert = Callable[[Any], Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _milliseconds(moment: datetime) -> datetime:
    """The moment as BSON keeps it, so that what is written equals what is read."""
    moment = forms.utc(moment)
    rest = moment.microsecond % 1000
    return moment.replace(microsecond=moment.microsecond - rest) if rest else moment


def _aware(moment: datetime) -> datetime:
    """The moment in UTC, which a client without time zones gives without saying so."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _uuid(value: Any) -> UUID:
    return value if isinstance(value, UUID) else UUID(bytes=bytes(value))


def _number(value: Any) -> Any:
    return value.to_decimal() if isinstance(value, Decimal128) else value


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
    ("float", "double"): float,  # models take whole numbers too, as defaults unseen
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
"""How a value is written, by its kind and BSON type; what is not here is written as it is."""

READ: dict[tuple[ScalarKind, str], Convert] = {
    ("string", "objectId"): str,
    ("integer", "int"): int,
    ("integer", "long"): int,
    ("integer", "decimal"): lambda value: int(_number(value)),
    ("integer", "string"): int,
    ("float", "decimal"): lambda value: float(_number(value)),
    ("decimal", "decimal"): _number,
    ("decimal", "string"): Decimal,
    ("datetime", "date"): _aware,
    ("datetime", "string"): datetime.fromisoformat,
    ("datetime", "long"): lambda number: _EPOCH + number * _MICROSECOND,
    ("date", "date"): lambda moment: moment.date(),
    ("date", "string"): date.fromisoformat,
    ("time", "string"): time.fromisoformat,
    ("duration", "long"): lambda number: number * _MICROSECOND,
    ("duration", "double"): lambda number: timedelta(seconds=number),
    ("uuid", "binData"): _uuid,
    ("uuid", "string"): UUID,
    ("json", "any"): _from_plain,
    ("json", "string"): json.loads,
}
"""How a native value is read; what is not here is given to the model as it is."""
