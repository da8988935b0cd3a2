"""Converts values of rows to plain Python, and values of keys to JSON and back."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.drivers.translate_errors import not_installed
from keywright.ir.json import Json

try:
    from cassandra.util import Date, Time
except ImportError as error:
    raise not_installed("cassandra") from error


def plain(value: Any) -> Any:
    """A value of the client as plain Python. Values of client classes without an equivalent stay."""
    match value:
        case datetime() if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        case Date():
            try:
                return value.date()
            except (ValueError, OverflowError):
                return value  # a day outside Python's calendar
        case Time():
            return value.time()
        case _:
            return value


def to_json(value: Any) -> Json:
    """A value of a key column as JSON."""
    match plain(value):
        case bool() | int() | str() as plain_value:
            return plain_value
        case float() as number:
            return {"double": repr(number)}
        case bytes() as blob:
            return {"blob": blob.hex()}
        case datetime() as timestamp:
            return {"timestamp": timestamp.isoformat()}
        case date() as day:
            return {"date": day.isoformat()}
        case time() as time_of_day:
            return {"time": time_of_day.isoformat()}
        case UUID() as id:
            return {"uuid": str(id)}
        case Decimal() as number:
            return {"decimal": str(number)}
        case list() | tuple() as elements:
            return [to_json(element) for element in elements]
        case other:
            return {"text": str(other)}


def from_json(encoded: Any) -> Any:
    """The inverse of `to_json`."""
    if isinstance(encoded, list):
        return [from_json(element) for element in encoded]
    if not isinstance(encoded, dict):
        return encoded
    ((kind, text),) = encoded.items()
    return _DECODERS[kind](text)


_DECODERS: dict[str, Any] = {
    "double": float, "blob": bytes.fromhex, "timestamp": datetime.fromisoformat, "date": date.fromisoformat,
    "time": time.fromisoformat, "uuid": UUID, "decimal": Decimal, "text": str,
}  # fmt: skip
