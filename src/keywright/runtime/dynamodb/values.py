"""Values of Python in DynamoDB's forms, and back."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal, Inexact, Overflow, Subnormal
from math import ceil
from typing import Any
from uuid import UUID

from keywright.engines.dynamodb.capabilities import DIGITS, EXPONENT, EXPONENT_LEAST
from keywright.runtime import text as forms

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBERS = Context(
    prec=DIGITS.value, Emin=EXPONENT_LEAST.value, Emax=EXPONENT.value, traps=[Inexact, Overflow, Subnormal]
)
_FEW = len("Infinity")
"""Characters below which a decimal without an exponent is a number, and one with few enough digits."""

_ORDINARY = 10**15
"""Whole numbers below are held by whatever holds a number, so that most are not looked at closer."""


def number(value: Decimal | int | float) -> str:
    """A number as the service takes it; ValueError for one that it does not hold exactly."""
    if type(value) is Decimal and len(text := str(value)) < _FEW and "E" not in text and "N" not in text:
        return text  # most decimals: so few digits without an exponent are held by whatever holds a number
    try:
        held = _NUMBERS.create_decimal(float_text(value) if isinstance(value, float) else value)
    except (Overflow, Subnormal):
        least, most = EXPONENT_LEAST.value, EXPONENT.value
        allowed = f"zero, and magnitudes from 1E{least} to 9.9E{most}"
        raise ValueError(f"{value} is out of range: DynamoDB holds {allowed}") from None
    except Inexact:
        raise ValueError(f"{value} has more than {DIGITS.value} digits, which DynamoDB does not keep") from None
    if not held.is_finite():
        raise ValueError(f"{value} is no number that DynamoDB holds: it takes finite ones")
    return str(held)


def float_text(value: float) -> str:
    """The shortest text that is read as the same float; a model may hold a whole number in its place."""
    return float.__repr__(float(value))


def whole(value: int) -> str:
    """A whole number, in digits alone."""
    if not -_ORDINARY < value < _ORDINARY:
        number(value)
    return str(value)


def epoch(moment: datetime) -> str:
    """Whole epoch seconds, rounded up, so that nothing expires too early."""
    return str(ceil(forms.utc(moment).timestamp()))


def epoch_exact(moment: datetime) -> str:
    """Epoch seconds with microseconds behind the point."""
    return forms.seconds(forms.utc(moment) - _EPOCH)


def epoch_day(day: date) -> str:
    """Epoch seconds of the day's midnight in UTC."""
    return forms.seconds(day - _EPOCH.date())


def from_epoch(number: str) -> datetime:
    """The moment of some epoch seconds."""
    return _EPOCH + from_seconds(number)


def from_epoch_day(number: str) -> date:
    """The day of some epoch seconds."""
    return _EPOCH.date() + from_seconds(number)


def from_seconds(number: str) -> timedelta:
    """A duration from seconds, exactly."""
    return timedelta(microseconds=int(Decimal(number) * 1_000_000))


def from_json(value: Any) -> Any:
    """A JSON value as a native one."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case int():
            return {"N": whole(value)}
        case float() | Decimal():
            return {"N": number(value)}
        case bytes():
            return {"B": value}
        case dict():
            return {"M": {str(key): from_json(inner) for key, inner in value.items()}}
        case list() | tuple() | set() | frozenset():
            return {"L": [from_json(inner) for inner in value]}
    raise TypeError(f"{type(value).__name__} is no JSON value")


def to_json(native: dict[str, Any]) -> Any:
    """The JSON value of a native one; whole numbers come back as int, others as float."""
    (kind, value), *_ = native.items()
    match kind:
        case "NULL":
            return None
        case "N":
            return int(value) if value.lstrip("-").isdigit() else float(value)
        case "M":
            return {key: to_json(inner) for key, inner in value.items()}
        case "L":
            return [to_json(inner) for inner in value]
        case "B":
            return to_bytes(value)
        case _:
            return value


def dump(value: Any) -> str:
    """A JSON value as text."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(text: str) -> bytes:
    """Text as UTF-8."""
    return text.encode()


def decode(value: Any) -> str:
    """Text from UTF-8."""
    return to_bytes(value).decode()


def to_bytes(value: Any) -> bytes:
    """The bytes of a binary value, which boto3 may wrap in a class of its own."""
    return bytes(getattr(value, "value", value))


def uuid_bytes(value: UUID) -> bytes:
    """The sixteen bytes of a UUID."""
    return value.bytes


def to_uuid(value: Any) -> UUID:
    """A UUID from its sixteen bytes."""
    return UUID(bytes=to_bytes(value))


WRITE: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("string", "B"): encode,
    ("integer", "N"): whole, ("integer", "S"): str,
    ("float", "N"): number, ("float", "S"): float_text,
    ("decimal", "N"): number, ("decimal", "S"): str,
    ("datetime", "S"): forms.iso, ("datetime", "N"): epoch_exact,
    ("date", "S"): date.isoformat, ("date", "N"): epoch_day,
    ("time", "S"): time.isoformat,
    ("duration", "N"): forms.seconds, ("duration", "S"): forms.seconds,
    ("uuid", "S"): str, ("uuid", "B"): uuid_bytes,
    ("json", "S"): dump,
}  # fmt: skip
"""How a value is written, by its kind and native type; what is not here is written as it is."""

READ: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("string", "B"): decode,
    ("integer", "N"): int, ("integer", "S"): int,
    ("float", "N"): float, ("float", "S"): float,
    ("decimal", "N"): Decimal, ("decimal", "S"): Decimal,
    ("datetime", "S"): datetime.fromisoformat, ("datetime", "N"): from_epoch,
    ("date", "S"): date.fromisoformat, ("date", "N"): from_epoch_day,
    ("time", "S"): time.fromisoformat,
    ("duration", "N"): from_seconds, ("duration", "S"): from_seconds,
    ("uuid", "S"): UUID, ("uuid", "B"): to_uuid, ("bytes", "B"): to_bytes,
    ("json", "S"): json.loads,
}  # fmt: skip
"""How a native value is read; what is not here is given to the model as it is."""
