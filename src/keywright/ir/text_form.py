"""Stored values as key text: what a key template means for an item that is read as plain Python values."""

import re
import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from .template import TIME_WIDTHS, Filter, Placeholder, Template

_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGITS = re.compile(r"[0-9]+")


def fill(template: Template, values: Callable[[str], Any]) -> Any:
    """What a template makes of an item; None where a value that it needs is absent or null.

    values: the value at a stored path, None where there is none. A placeholder that is the whole template and has no
    filter keeps its value as it is. Raises ValueError for a value that has no such text.
    """
    found = {one.path: values(one.path) for one in template.placeholders}
    if None in found.values():
        return None
    if template.lone:
        return found[template.lone.path]
    return "".join(part if isinstance(part, str) else _filled(part, found[part.path]) for part in template.parts)


def text(value: Any) -> str:
    """The text of one value without a filter; ValueError for what has none, such as a list."""
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
            raise ValueError(f"a {type(value).__name__} has no text")


def moment(value: Any) -> datetime:
    """The moment that a value is, in UTC; ValueError for what is none, such as a time without a zone."""
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        raise ValueError(f"{_shown(value)} is no time")
    if value.tzinfo is None:
        raise ValueError(f"{_shown(value)} has no time zone")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{_shown(value)} is no time in UTC") from None


def iso(value: datetime) -> str:
    """UTC with microseconds, always 27 characters, so that text order is time order."""
    written = moment(value).replace(tzinfo=None).isoformat(timespec="microseconds")
    return f"{written}Z"


def whole(value: Any) -> int:
    """The number of digits or of a whole number that is not negative; ValueError for anything else."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{_shown(value)} is no whole number from 0 on")
    return int(value)


def _filled(placeholder: Placeholder, value: Any) -> str:
    for filter in placeholder.filters:
        value = _filtered(filter, value)
    return text(value)


def _filtered(filter: Filter, value: Any) -> str:
    if filter.name in TIME_WIDTHS:
        return _time(filter.name, value)
    match filter.name, filter.number:
        case "pad", int(width):
            written = f"{whole(value):0{width}d}"
            if len(written) > width:
                raise ValueError(f"{written} does not fit :pad({width})")
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


def _time(name: str, value: Any) -> str:
    if name == "iso":
        return iso(moment(value))
    if name == "hour":
        return iso(moment(value))[:13]
    day = _day(value)
    if name == "week":
        year, number, _ = day.isocalendar()
        return f"{year:04d}-W{number:02d}"
    return day.isoformat()[: TIME_WIDTHS[name]]


def _day(value: Any) -> date:
    if isinstance(value, str) and _DAY.fullmatch(value):
        return date.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    return moment(value).date()


def _shown(value: Any) -> str:
    """The kind of a value, for messages: never the value itself, which may be personal data."""
    return f"a {type(value).__name__}"
