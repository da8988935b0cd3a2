"""Values as key text: the filters of templates in Python."""

import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any

from keywright.ir.attribute import Precision
from keywright.ir.text_form import UNITS, epoch
from keywright.ir.time_format import arranged, cut

from ..errors import Unstorable

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def plain(value: Any) -> Any:
    """The value of an enum member; other values are unchanged."""
    return value.value if isinstance(value, Enum) else value


def utc(moment: datetime) -> datetime:
    """The time in UTC; ValueError without a time zone, because such a time depends on the machine."""
    if moment.tzinfo is None:
        raise Unstorable("it has no time zone: use datetime.now(UTC), or AwareDatetime in the model", "", "datetime")
    return moment.astimezone(UTC)


def iso(moment: datetime) -> str:
    """UTC with microseconds, always 27 characters, so that text order is time order."""
    if moment.tzinfo is not UTC:
        moment = utc(moment)
    text = moment.isoformat()
    return f"{text[:26]}Z" if moment.microsecond else f"{text[:19]}.000000Z"


def iso_milliseconds(moment: datetime) -> str:
    """UTC with milliseconds, always 24 characters."""
    return f"{iso(moment)[:23]}Z"


def iso_seconds(moment: datetime) -> str:
    """UTC with seconds, always 20 characters."""
    return f"{iso(moment)[:19]}Z"


ISO: dict[Precision | None, Callable[[datetime], str]] = {
    None: iso, "milliseconds": iso_milliseconds, "seconds": iso_seconds,
}  # fmt: skip
"""The text of a time, by its precision."""


def formatted(format: str, precision: Precision | None, moment: date) -> str:
    """UTC in a format of `strftime`, cut to a precision."""
    text = cut(iso(moment), precision) if isinstance(moment, datetime) else moment.isoformat()
    return arranged(format, text)


def epoch_milliseconds(moment: datetime) -> int:
    """Whole milliseconds since 1970."""
    return epoch(utc(moment), "milliseconds")


def epoch_seconds(moment: datetime) -> int:
    """Whole seconds since 1970."""
    return epoch(utc(moment), "seconds")


EPOCHS: dict[Precision, Callable[[datetime], int]] = {
    "milliseconds": epoch_milliseconds, "seconds": epoch_seconds,
}  # fmt: skip
"""The number of a time, by its precision."""


def from_milliseconds(number: Any) -> datetime:
    """The time of whole milliseconds since 1970; ValueError for a number with a fraction."""
    return _EPOCH + int(number) * UNITS["milliseconds"]


def from_seconds(number: Any) -> datetime:
    """The time of whole seconds since 1970; ValueError for a number with a fraction."""
    return _EPOCH + int(number) * UNITS["seconds"]


MOMENTS: dict[Precision, Callable[[Any], datetime]] = {
    "milliseconds": from_milliseconds, "seconds": from_seconds,
}  # fmt: skip
"""The time of a number, by its precision."""


def day(moment: date) -> str:
    """The day; for a datetime, the day in UTC."""
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
    """The number with leading zeros; ValueError for a negative or longer number, which would break the order."""
    text = f"{number:0{width}d}"
    if number < 0 or len(text) > width:
        raise Unstorable(f":pad({width}) in its key takes 0 to {10**width - 1}", "", "int")
    return text


def shard(text: str, count: int) -> str:
    """The shard of a text: its CRC-32 modulo `count`, padded; the same in every programming language."""
    return shard_text(zlib.crc32(text.encode()) % count, count)


def shard_text(number: int, count: int) -> str:
    """The number of a shard as key text."""
    return f"{number:0{len(str(count - 1))}d}"


def text(value: Any) -> str:
    """Key text of a value without filters."""
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
    """A duration in seconds, exact; with six decimals if it has microseconds."""
    sign = "-" if duration < timedelta(0) else ""
    full_seconds, microseconds = divmod(abs(duration) // timedelta(microseconds=1), 1_000_000)
    return f"{sign}{full_seconds}.{microseconds:06d}" if microseconds else f"{sign}{full_seconds}"
