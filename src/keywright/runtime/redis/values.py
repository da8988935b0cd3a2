"""Conversions between Python values and their stored forms in Redis."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import ceil
from typing import Any

from keywright.engines.redis.schema.item import GeoMember, RedisItem, Scored
from keywright.ir.attribute import Precision
from keywright.runtime.items import text as forms
from keywright.runtime.validate import stored_types

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def dump(value: Any) -> str:
    """A JSON value as text, without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def load(written: Any) -> Any:
    """The value of JSON text; a mapping is such a value already."""
    return written if isinstance(written, dict) else json.loads(written)


def flag(value: bool) -> str:
    """A boolean as text, in keys too."""
    return "true" if value else "false"


def to_flag(written: str) -> bool:
    """The boolean of a text; raises ValueError for other texts."""
    if written not in ("true", "false"):
        raise ValueError("it is neither true nor false")
    return written == "true"


def base64(value: bytes) -> str:
    """Bytes in the form of JSON."""
    return b64encode(value).decode("ascii")


def from_base64(written: str) -> bytes:
    """Bytes from the form of JSON."""
    return b64decode(stored_types.text(written), validate=True)


def to_text(value: Any) -> str:
    """A client's answer as text."""
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def to_bytes(value: Any) -> bytes:
    """A client's answer as bytes; a client that decodes answers can return only bytes that are UTF-8."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8")


def to_decimal(written: Any) -> Decimal:
    """A decimal from its text, or from a JSON number that another program wrote."""
    return Decimal(written) if isinstance(written, str) else stored_types.exact(written)


def to_duration(written: Any) -> timedelta:
    """A duration from seconds, exactly."""
    return timedelta(microseconds=int(to_decimal(written) * 1_000_000))


def real(number: float) -> str:
    """A float as text; a model may contain an int instead, because defaults are not validated."""
    return repr(float(number))


def score(moment: datetime) -> float:
    """Seconds since 1970; a double represents them to the microsecond until the year 2242."""
    return (forms.utc(moment) - _EPOCH) / timedelta(seconds=1)


def from_score(number: Any) -> datetime:
    """The datetime of a score."""
    return _EPOCH + timedelta(microseconds=round(float(number) * 1_000_000))


def whole_score(precision: Precision) -> Callable[[datetime], float]:
    """A function from a time to its whole seconds or milliseconds since 1970."""
    number = forms.EPOCHS[precision]
    return lambda moment: float(number(moment))


def from_whole_score(precision: Precision) -> Callable[[Any], datetime]:
    """A function from such a score to its time; it raises WrongType for a score with a fraction."""
    moment = forms.MOMENTS[precision]
    return lambda number: moment(whole_number(number))


def whole_number(number: Any) -> int:
    """The integer of a score; raises WrongType for a score with a fraction."""
    return stored_types.whole_number(float(number))


def epoch(moment: datetime) -> int:
    """Epoch seconds, rounded up so that nothing expires too early."""
    return ceil(forms.utc(moment).timestamp())


def pair(item: Any) -> tuple[str, Any]:
    """(key, value) of an item or of such a pair, in the form of a client's answer."""
    if not isinstance(item, RedisItem):
        key, value = item
        return to_text(key), value
    match item.value:
        case Scored(member, number):
            return item.key, (member, number)
        case GeoMember(member, longitude, latitude):
            return item.key, (member, (_cell(longitude, 180.0), _cell(latitude, 85.05112878)))
        case value:
            return item.key, value


def _cell(degrees: float, highest: float) -> float:
    """The degrees that the server returns for a place: the middle of its cell, one of 2^26 on each axis.

    Source: geohash.c, geohashEncode and geohashDecode, https://github.com/redis/redis/tree/7.4/src, 2026-11-22.
    """
    cells, scale = 1 << 26, highest - -highest
    cell = int((degrees - -highest) / scale * cells)
    low, high = -highest + cell / cells * scale, -highest + (cell + 1) / cells * scale
    return (low + high) / 2


def fields(value: Any) -> dict[str, Any]:
    """The fields of a hash or entry, with names as text."""
    return {to_text(name): field_value for name, field_value in value.items()}
