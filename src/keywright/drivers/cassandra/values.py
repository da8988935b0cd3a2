"""Values of rows as plain Python, and back; and keys as JSON."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.drivers.extras import not_installed
from keywright.ir.json import Json

try:
    from cassandra.util import Date, Time
except ImportError as error:
    raise not_installed("cassandra") from error


def plain(value: Any) -> Any:
    """A value as the driver reads it as plain Python; its classes that Python has none for stay."""
    match value:
        case datetime() if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        case Date():
            try:
                return value.date()
            except (ValueError, OverflowError):
                return value  # a day that Python's calendar does not have
        case Time():
            return value.time()
        case _:
            return value


def to_json(value: Any) -> Json:
    """A value of a key column as JSON."""
    match plain(value):
        case bool() | int() | str() as same:
            return same
        case float() as number:
            return {"double": repr(number)}
        case bytes() as held:
            return {"blob": held.hex()}
        case datetime() as moment:
            return {"timestamp": moment.isoformat()}
        case date() as day:
            return {"date": day.isoformat()}
        case time() as of_day:
            return {"time": of_day.isoformat()}
        case UUID() as id:
            return {"uuid": str(id)}
        case Decimal() as number:
            return {"decimal": str(number)}
        case list() | tuple() as several:
            return [to_json(one) for one in several]
        case other:
            return {"text": str(other)}


def from_json(told: Any) -> Any:
    """The inverse of `to_json`."""
    if isinstance(told, list):
        return [from_json(one) for one in told]
    if not isinstance(told, dict):
        return told
    ((kind, text),) = told.items()
    return _READ[kind](text)


_READ: dict[str, Any] = {
    "double": float, "blob": bytes.fromhex, "timestamp": datetime.fromisoformat, "date": date.fromisoformat,
    "time": time.fromisoformat, "uuid": UUID, "decimal": Decimal, "text": str,
}  # fmt: skip
