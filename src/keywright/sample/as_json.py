"""Converts sample values to JSON that models can read."""

from base64 import b64encode
from collections.abc import Mapping, Set
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

from keywright.ir.json import Json, canonical


def to_json(value: object) -> Json:
    """The value in JSON: times in ISO form, decimals and UUIDs as text, bytes in base64, sets as sorted lists."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal() | UUID():
            return str(value)
        case bytes():
            return b64encode(value).decode()
        case datetime() | date() | time():
            return value.isoformat().replace("+00:00", "Z")
        case timedelta():
            return _duration(value)
        case Mapping():
            return {_key(key): to_json(inner) for key, inner in value.items()}
        case Set():
            return sorted(map(to_json, value), key=_rank)
        case list() | tuple():
            return [to_json(inner) for inner in value]
        case _:
            raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


def _key(key: object) -> str:
    """The text of a key of a mapping."""
    written = to_json(key)
    return written if isinstance(written, str) else canonical(written)


def _rank(value: Json) -> tuple[float, str]:
    """The sort key: numbers by size, other values by text."""
    return (value, "") if isinstance(value, (int, float)) else (0, canonical(value))


def _duration(value: timedelta) -> str:
    """The duration in ISO 8601, in seconds."""
    seconds, microseconds = divmod(abs(value) // timedelta(microseconds=1), 10**6)
    sign = "-" if value < timedelta(0) else ""
    return f"{sign}PT{seconds}" + (f".{microseconds:06d}" if microseconds else "") + "S"
