"""Values of Python in the forms in which Redis keeps them, and back."""

import json
from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import ceil
from typing import Any

from keywright.engines.redis.item import Item, Place, Scored
from keywright.runtime import text as forms

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def dump(value: Any) -> str:
    """A JSON value as text, without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def load(written: Any) -> Any:
    """The value of JSON text."""
    return json.loads(written)


def flag(value: bool) -> str:
    """A truth value as it stands in keys too."""
    return "true" if value else "false"


def to_flag(written: str) -> bool:
    """The truth value of a text."""
    return written == "true"


def base64(value: bytes) -> str:
    """Bytes as JSON can hold them."""
    return b64encode(value).decode("ascii")


def from_base64(written: str) -> bytes:
    """The bytes that JSON held."""
    return b64decode(written)


def to_text(value: Any) -> str:
    """What a client answered, as text."""
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def to_bytes(value: Any) -> bytes:
    """What a client answered, as bytes; a client that decodes answers can give back only bytes that are UTF-8."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8")


def to_duration(written: str) -> timedelta:
    """A duration from seconds, exactly."""
    return timedelta(microseconds=int(Decimal(written) * 1_000_000))


def real(number: float) -> str:
    """A number in floating point as text; a model may hold a whole one in its place, as a default is not looked at."""
    return repr(float(number))


def score(moment: datetime) -> float:
    """Seconds since 1970, which a double holds to the microsecond until the year 2242."""
    return (forms.utc(moment) - _EPOCH) / timedelta(seconds=1)


def from_score(number: Any) -> datetime:
    """The moment of a score."""
    return _EPOCH + timedelta(microseconds=round(float(number) * 1_000_000))


def whole(number: Any) -> int:
    """The whole number of a score."""
    return int(float(number))


def epoch(moment: datetime) -> int:
    """Whole epoch seconds, rounded up, so that nothing expires too early."""
    return ceil(forms.utc(moment).timestamp())


def pair(item: Any) -> tuple[str, Any]:
    """(key, value) of an item, or of a pair of both, in the form in which clients answer."""
    if not isinstance(item, Item):
        key, value = item
        return to_text(key), value
    match item.value:
        case Scored(member, number):
            return item.key, (member, number)
        case Place(member, longitude, latitude):
            return item.key, (member, (longitude, latitude))
        case value:
            return item.key, value


def fields(value: Any) -> dict[str, Any]:
    """The fields of a hash or entry by their names as text."""
    return {to_text(name): inner for name, inner in value.items()}
