"""Values as key text and back: what the filters of a template mean in Python."""

import zlib
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any


def plain(value: Any) -> Any:
    """The value of an enum member; anything else as it is."""
    return value.value if isinstance(value, Enum) else value


def utc(moment: datetime) -> datetime:
    """The moment in UTC; ValueError for one without a time zone, which means another moment on each machine."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no time zone: use datetime.now(UTC), or AwareDatetime in the model")
    return moment.astimezone(UTC)


def iso(moment: datetime) -> str:
    """UTC with microseconds, always 27 characters, so that text order is time order."""
    if moment.tzinfo is not UTC:
        moment = utc(moment)
    text = moment.isoformat()
    return f"{text[:26]}Z" if moment.microsecond else f"{text[:19]}.000000Z"


def day(moment: date) -> str:
    """The day, of a datetime in UTC."""
    return _day(moment).isoformat()


def month(moment: date) -> str:
    """The month, as 2026-11."""
    return _day(moment).isoformat()[:7]


def week(moment: date) -> str:
    """The ISO week, as 2026-W47."""
    year, number, _ = _day(moment).isocalendar()
    return f"{year:04d}-W{number:02d}"


def hour(moment: datetime) -> str:
    """The hour, as 2026-11-21T16."""
    return iso(moment)[:13]


def pad(number: int, width: int) -> str:
    """The number with leading zeros; ValueError for one that is negative or too long, which would break the order."""
    text = f"{number:0{width}d}"
    if number < 0 or len(text) > width:
        raise ValueError(f"{number} does not fit :pad({width}): it takes 0 to {10**width - 1}")
    return text


def shard(text: str, count: int) -> str:
    """The shard of a text among `count`: its CRC-32 modulo the count, padded; the same in every language."""
    return shard_text(zlib.crc32(text.encode()) % count, count)


def shard_text(number: int, count: int) -> str:
    """The number of a shard as it stands in keys."""
    return f"{number:0{len(str(count - 1))}d}"


def text(value: Any) -> str:
    """A value without a filter."""
    value = plain(value)
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case datetime():
            return iso(value)
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _day(moment: date) -> date:
    return utc(moment).date() if isinstance(moment, datetime) else moment


def seconds(duration: timedelta) -> str:
    """A duration in seconds, exactly, with microseconds behind the point where there are any."""
    sign = "-" if duration < timedelta(0) else ""
    whole, rest = divmod(abs(duration) // timedelta(microseconds=1), 1_000_000)
    return f"{sign}{whole}.{rest:06d}" if rest else f"{sign}{whole}"
