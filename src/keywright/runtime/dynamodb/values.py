"""Values of Python in DynamoDB's forms, and back."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import ceil
from typing import Any
from uuid import UUID

from keywright.runtime import text as forms

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def epoch(moment: datetime) -> str:
    """Whole epoch seconds, rounded up, so that nothing expires too early."""
    return str(ceil(forms.utc(moment).timestamp()))


def epoch_exact(moment: datetime) -> str:
    """Epoch seconds with microseconds behind the point."""
    return forms.seconds(forms.utc(moment) - _EPOCH)


def from_epoch(number: str) -> datetime:
    """The moment of some epoch seconds."""
    return _EPOCH + from_seconds(number)


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
        case int() | float() | Decimal():
            return {"N": str(value)}
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
        case _:
            return value


def to_bytes(value: Any) -> bytes:
    """The bytes of a binary value, which boto3 may wrap in a class of its own."""
    return bytes(getattr(value, "value", value))


def to_uuid(value: Any) -> UUID:
    """A UUID from its sixteen bytes."""
    return UUID(bytes=to_bytes(value))
