"""Stored values as key text: applies a key template to an item of plain Python values."""

import re
import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from .attribute import Precision
from .template import TIME_WIDTHS, Filter, Placeholder, Template
from .time_format import arranged, cut

_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNITS: dict[Precision, timedelta] = {"seconds": timedelta(seconds=1), "milliseconds": timedelta(milliseconds=1)}
"""The smallest part of a time by its precision."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGITS = re.compile(r"[0-9]+")


class UnsupportedValue(ValueError):
    """A value without a text form, or that a store rejects; the message names its type, not its content."""


def fill(template: Template, values: Callable[[str], Any]) -> Any:
    """The result of a template for an item; None if a required value is absent or null.

    values: the value at a stored path, None if there is none. A placeholder that is the whole template and has no
    filter keeps its native value. Raises ValueError for a value without a text form.
    """
    values_by_path = {placeholder.path: values(placeholder.path) for placeholder in template.placeholders}
    if None in values_by_path.values():
        return None
    if template.lone:
        return values_by_path[template.lone.path]
    return "".join(
        part if isinstance(part, str) else _filled(part, values_by_path[part.path]) for part in template.parts
    )


def text(value: Any) -> str:
    """The text of one value without a filter; ValueError for a value without text, such as a list."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case datetime():
            return iso(value)
        case date() | time():
            return value.isoformat()
        case int() | float() | Decimal() | UUID():
            return str(value)
        case _:
            raise UnsupportedValue(f"a {type(value).__name__} has no text form")


def moment(value: Any) -> datetime:
    """A value as a time in UTC; ValueError for any other value, such as a time without a zone."""
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        raise UnsupportedValue(f"a {type(value).__name__} is not a time")
    if value.tzinfo is None:
        raise UnsupportedValue("a time has no time zone")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise UnsupportedValue("a time is out of range in UTC") from None


def iso(value: datetime, precision: Precision | None = None) -> str:
    """UTC with microseconds, or cut to a precision; always as many characters, so that text order is time order."""
    written = moment(value).replace(tzinfo=None).isoformat(timespec=precision or "microseconds")
    return f"{written}Z"


def epoch(value: datetime, precision: Precision) -> int:
    """Whole seconds or milliseconds since 1970."""
    return (moment(value) - _EPOCH) // UNITS[precision]


def whole_number(value: Any) -> int:
    """The number in a text of digits or a non-negative whole number; ValueError for anything else."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise UnsupportedValue(f"a {type(value).__name__} is not a whole number of at least 0")
    return int(value)


def _filled(placeholder: Placeholder, value: Any) -> str:
    for filter in placeholder.filters:
        value = _filtered(filter, value)
    return text(value)


def _filtered(filter: Filter, value: Any) -> str:
    if filter.name in TIME_WIDTHS:
        return _time(filter, value)
    match filter.name, filter.number:
        case "pad", int(width):
            is_time = filter.precision is not None and not isinstance(value, (int, Decimal))
            number = epoch(value, filter.precision) if is_time and filter.precision else value
            written = f"{whole_number(number):0{width}d}"
            if len(written) > width:
                raise UnsupportedValue(f"a number does not fit :pad({width})")
            return written
        case "shard", int(count):
            number = zlib.crc32(text(value).encode()) % count
            return f"{number:0{len(str(count - 1))}d}"
        case "upper", _:
            return text(value).upper()
        case "lower", _:
            return text(value).lower()
        case _:
            return "{" + text(value) + "}"


def _time(filter: Filter, value: Any) -> str:
    name = filter.name
    if filter.format:
        return arranged(filter.format, _parts(filter, value))
    if name == "iso":
        if filter.precision and isinstance(value, int):  # a number of that unit
            value = _EPOCH + value * UNITS[filter.precision]
        return iso(moment(value), filter.precision)
    if name == "hour":
        return iso(moment(value))[:13]
    day = _day(value)
    if name == "week":
        year, number, _ = day.isocalendar()
        return f"{year:04d}-W{number:02d}"
    return day.isoformat()[: TIME_WIDTHS[name]]


def _parts(filter: Filter, value: Any) -> str:
    """The text from which a format takes its parts: of a day, or of a time with microseconds."""
    if filter.name in ("date", "month"):
        return _day(value).isoformat()
    if filter.precision and isinstance(value, int):
        value = _EPOCH + value * UNITS[filter.precision]
    return cut(iso(moment(value)), filter.precision)


def _day(value: Any) -> date:
    if isinstance(value, str) and _DAY.fullmatch(value):
        return date.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    return moment(value).date()
