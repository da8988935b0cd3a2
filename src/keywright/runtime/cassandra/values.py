"""Converts Python values to the types of Cassandra's driver, and back."""

import json
import struct
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID

from keywright.drivers.translate_errors import not_installed
from keywright.runtime.items import text as forms

try:
    from cassandra.util import Duration
except ImportError as error:
    raise not_installed("cassandra") from error

V = TypeVar("V")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY = 86_400_000_000


def to_timestamp(moment: datetime) -> datetime:
    """The moment in UTC, cut to the milliseconds of a timestamp."""
    moment = forms.utc(moment)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def from_timestamp(moment: datetime) -> datetime:
    """The driver's moment, which is in UTC without a time zone."""
    return moment.replace(tzinfo=UTC)


def to_epoch(moment: datetime) -> int:
    """Microseconds since 1970."""
    return (forms.utc(moment) - _EPOCH) // _MICROSECOND


def from_epoch(microseconds: int) -> datetime:
    """The moment from microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)


def to_duration(length: timedelta) -> Duration:
    """A duration of days and nanoseconds, both with the same sign."""
    microseconds = length // _MICROSECOND
    sign = -1 if microseconds < 0 else 1
    days, rest = divmod(abs(microseconds), _DAY)
    return Duration(0, sign * days, sign * rest * 1000)


def from_duration(length: Duration) -> timedelta:
    """A duration without months, because the length of a month varies."""
    if length.months:
        raise ValueError(f"{length} has months, whose length is not known")
    return timedelta(days=length.days, microseconds=length.nanoseconds // 1000)


def to_microseconds(length: timedelta) -> int:
    """A duration in microseconds."""
    return length // _MICROSECOND


def from_microseconds(microseconds: int) -> timedelta:
    """A duration from microseconds."""
    return timedelta(microseconds=microseconds)


def from_seconds(text: str) -> timedelta:
    """A duration from seconds, exactly."""
    return timedelta(microseconds=int(Decimal(text) * 1_000_000))


def to_json(value: Any) -> str:
    """A JSON value as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def to_decimal(number: float) -> Decimal:
    """The shortest decimal that converts to the same float."""
    return Decimal(repr(number))


def iso(value: date | time) -> str:
    """A day or time of day as text."""
    return value.isoformat()


def day(value: Any) -> date:
    """A date, from the driver's class or a Python date."""
    converted: date = value if isinstance(value, date) else value.date()
    return converted


def time_of_day(value: Any) -> time:
    """A time of day, from the driver's class, which counts nanoseconds, or a Python time."""
    converted: time = value if isinstance(value, time) else value.time()
    return converted


def to_single(number: float) -> float:
    """The nearest number of 32 bits, as a `float` stores it. Raises OverflowError beyond 3.4e38."""
    nearest: float = struct.unpack("f", struct.pack("f", number))[0]
    return nearest


def in_order(values: Iterable[V]) -> list[V]:
    """Members of a set or keys of a map in the server's order.

    A frozen value that is a key is found by its bytes, and the server sorts only the outermost collection.
    """
    try:
        return sorted(values, key=_rank)
    except TypeError:  # models, which are tuples whose fields may be null
        return sorted(values, key=str)


def sorted_map(pairs: dict[V, Any]) -> dict[V, Any]:
    """A map with its keys in the server's order."""
    return {key: pairs[key] for key in in_order(pairs)}


def _rank(value: Any) -> Any:
    """A value that is compared as the server compares: UUIDs by version, those of version 1 by their time."""
    if not isinstance(value, UUID):
        return value
    return value.version or 0, value.time if value.version == 1 else 0, value.bytes


WRITE: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("datetime", "timestamp"): to_timestamp, ("datetime", "text"): forms.iso, ("datetime", "bigint"): to_epoch,
    ("date", "text"): iso, ("time", "text"): iso,
    ("duration", "duration"): to_duration, ("duration", "bigint"): to_microseconds, ("duration", "text"): forms.seconds,
    ("uuid", "text"): str, ("string", "uuid"): UUID, ("string", "timeuuid"): UUID,
    ("float", "decimal"): to_decimal, ("float", "float"): to_single, ("decimal", "text"): str,
    ("json", "text"): to_json,
}  # fmt: skip
"""Functions from a Python value to a native value, by (kind, native type). Other values are written as they are."""

READ: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("datetime", "timestamp"): from_timestamp, ("datetime", "text"): datetime.fromisoformat,
    ("datetime", "bigint"): from_epoch,
    ("date", "date"): day, ("date", "text"): date.fromisoformat,
    ("time", "time"): time_of_day, ("time", "text"): time.fromisoformat,
    ("duration", "duration"): from_duration, ("duration", "bigint"): from_microseconds,
    ("duration", "text"): from_seconds,
    ("uuid", "text"): UUID, ("string", "uuid"): str, ("string", "timeuuid"): str,
    ("float", "decimal"): float, ("decimal", "text"): Decimal, ("json", "text"): json.loads,
}  # fmt: skip
"""Functions from a native value to a Python value, by (kind, native type). Other values are read as they are."""
