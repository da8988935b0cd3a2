"""Conversions between Python values and DynamoDB's forms."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Context, Decimal, Inexact, Overflow, Subnormal
from math import ceil
from typing import Any
from uuid import UUID

from keywright.engines.dynamodb.schema.capabilities import DIGITS, EXPONENT, EXPONENT_LEAST
from keywright.ir.attribute import Scalar
from keywright.runtime.errors import Unstorable
from keywright.runtime.items import text as forms
from keywright.runtime.validate.stored_types import refuse

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBERS = Context(
    prec=DIGITS.value, Emin=EXPONENT_LEAST.value, Emax=EXPONENT.value, traps=[Inexact, Overflow, Subnormal]
)
_SHORT_TEXT = len("Infinity")
"""Length below which a decimal without an exponent is finite and has few enough digits."""

_EXACT_BELOW = 10**15
"""Magnitude of integers that need no exact check, because every number type can represent them."""


def number(value: Decimal | int | float) -> str:
    """Number in the service's form; Unstorable for a number that the service does not store exactly."""
    if type(value) is Decimal and len(text := str(value)) < _SHORT_TEXT and "E" not in text and "N" not in text:
        return text  # most decimals: so few digits without an exponent are always exact
    try:
        exact = _NUMBERS.create_decimal(float_text(value) if isinstance(value, float) else value)
    except (Overflow, Subnormal):
        least, greatest = EXPONENT_LEAST.value, EXPONENT.value
        allowed = f"zero, and magnitudes from 1E{least} to 9.9E{greatest}"
        raise Unstorable(f"it is out of range: DynamoDB stores {allowed}", "", _name(value)) from None
    except Inexact:
        reason = f"it has more than {DIGITS.value} digits, which DynamoDB does not store"
        raise Unstorable(reason, "", _name(value)) from None
    if not exact.is_finite():
        raise Unstorable("it is not a finite number, which DynamoDB requires", "", _name(value))
    return str(exact)


def _name(value: object) -> str:
    return type(value).__name__


def float_text(value: float) -> str:
    """Shortest text that is read as the same float; a model may contain an int instead."""
    return float.__repr__(float(value))


def whole_number(value: int) -> str:
    """Integer as digits."""
    if not -_EXACT_BELOW < value < _EXACT_BELOW:
        number(value)
    return str(value)


def epoch(moment: datetime) -> str:
    """Whole epoch seconds, rounded up, so that no item expires too early."""
    return str(ceil(forms.utc(moment).timestamp()))


def epoch_exact(moment: datetime) -> str:
    """Epoch seconds with microseconds after the point."""
    return forms.seconds(forms.utc(moment) - _EPOCH)


def epoch_milliseconds(moment: datetime) -> str:
    """Whole epoch milliseconds."""
    return str(forms.epoch_milliseconds(moment))


def epoch_seconds(moment: datetime) -> str:
    """Whole epoch seconds, without what is finer."""
    return str(forms.epoch_seconds(moment))


def epoch_day(day: date) -> str:
    """Epoch seconds of the day's midnight in UTC."""
    return forms.seconds(day - _EPOCH.date())


def from_epoch(number: str) -> datetime:
    """Time of epoch seconds."""
    return _EPOCH + from_seconds(number)


def from_epoch_day(number: str) -> date:
    """Day of epoch seconds."""
    return _EPOCH.date() + from_seconds(number)


def from_seconds(number: str) -> timedelta:
    """Exact duration of seconds."""
    return timedelta(microseconds=int(Decimal(number) * 1_000_000))


def in_set(value: dict[str, Any], native: str) -> Any:
    """Members of a set, which is an empty list if it has none; WrongType for another value."""
    if native not in value and value.get("L") != []:
        refuse(value)
    return value.get(native, ())


def from_json(value: Any) -> Any:
    """Native value of a JSON value."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case int():
            return {"N": whole_number(value)}
        case float() | Decimal():
            return {"N": number(value)}
        case bytes():
            return {"B": value}
        case dict():
            return {"M": {str(key): from_json(inner) for key, inner in value.items()}}
        case list() | tuple() | set() | frozenset():
            return {"L": [from_json(inner) for inner in value]}
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def to_json(native: dict[str, Any]) -> Any:
    """JSON value of a native value; whole numbers are int, others float."""
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
    """JSON value as text."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(text: str) -> bytes:
    """Text as UTF-8."""
    return text.encode()


def decode(value: Any) -> str:
    """Text from UTF-8."""
    return to_bytes(value).decode()


def to_bytes(value: Any) -> bytes:
    """Bytes of a binary value, which boto3 may wrap in its own class."""
    return bytes(getattr(value, "value", value))


def uuid_bytes(value: UUID) -> bytes:
    """Sixteen bytes of a UUID."""
    return value.bytes


def to_uuid(value: Any) -> UUID:
    """UUID from its sixteen bytes."""
    return UUID(bytes=to_bytes(value))


WRITE: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("string", "B"): encode,
    ("integer", "N"): whole_number, ("integer", "S"): str,
    ("float", "N"): number, ("float", "S"): float_text,
    ("decimal", "N"): number, ("decimal", "S"): str,
    ("datetime", "S"): forms.iso, ("datetime", "N"): epoch_exact,
    ("date", "S"): date.isoformat, ("date", "N"): epoch_day,
    ("time", "S"): time.isoformat,
    ("duration", "N"): forms.seconds, ("duration", "S"): forms.seconds,
    ("uuid", "S"): str, ("uuid", "B"): uuid_bytes,
    ("json", "S"): dump,
}  # fmt: skip
"""Functions that write a value, by its kind and native type; other values are written unchanged."""

_WRITE_PRECISE: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("milliseconds", "S"): forms.iso_milliseconds, ("milliseconds", "N"): epoch_milliseconds,
    ("seconds", "S"): forms.iso_seconds, ("seconds", "N"): epoch_seconds,
}  # fmt: skip
"""Functions that write a time, by its precision and native type."""

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
"""Functions that read a native value; other values are given to the model unchanged."""

_READ_PRECISE: dict[str, Callable[[Any], datetime]] = {
    "milliseconds": forms.from_milliseconds, "seconds": forms.from_seconds,
}  # fmt: skip
"""Functions that read the number of a time, by its precision; its text is read like any other."""


def writer(scalar: Scalar, native: str) -> Callable[[Any], Any] | None:
    """The function that writes a value; None if it is written unchanged."""
    return WRITE.get((scalar.kind, native)) if scalar.precision is None else _WRITE_PRECISE[scalar.precision, native]


def reader(scalar: Scalar, native: str) -> Callable[[Any], Any] | None:
    """The function that reads a value; None if it is given to the model unchanged."""
    if scalar.precision is None or native != "N":
        return READ.get((scalar.kind, native))
    return _READ_PRECISE[scalar.precision]
