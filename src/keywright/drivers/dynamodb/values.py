"""Attribute values as plain Python, and back."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from keywright.engines.dynamodb.transform import form, number
from keywright.ir.json import Json

Native = dict[str, Any]
"""A value with its type: `{"S": "x"}`."""


def plain(value: Native) -> Any:
    """An attribute value as plain Python; sets as frozensets."""
    ((kind, inner),) = value.items()
    match kind:
        case "N":
            return number(Decimal(inner))
        case "NULL":
            return None
        case "B":
            return to_bytes(inner)
        case "M":
            return {name: plain(one) for name, one in inner.items()}
        case "L":
            return [plain(one) for one in inner]
        case "SS" | "NS" | "BS":
            return frozenset(plain({kind[0]: one}) for one in inner)
        case _:
            return inner


def native(value: Any) -> Native:
    """The inverse of `plain`; ValueError for what an item cannot hold."""
    match value:
        case None:
            return {"NULL": True}
        case str():
            return {"S": value}
        case bool():
            return {"BOOL": value}
        case int() | float() | Decimal():
            return {"N": str(form("", value, "N"))}
        case bytes():
            return {"B": value}
        case Mapping():
            return {"M": {str(name): native(one) for name, one in value.items()}}
        case list() | tuple():
            return {"L": [native(one) for one in value]}
        case set() | frozenset() if value:
            kinds = {next(iter(native(one))) for one in value}
            if len(kinds) == 1 and kinds <= {"S", "N", "B"}:
                kind = kinds.pop()
                return {f"{kind}S": sorted(native(one)[kind] for one in value)}
    raise ValueError(f"a {type(value).__name__} is nothing that an item holds")


def to_bytes(value: Any) -> bytes:
    """The bytes of a binary value, which boto3 may wrap in a class of its own."""
    found: Any = getattr(value, "value", value)
    return bytes(found)


def key_to_json(key: Mapping[str, Native]) -> Json:
    """A key as JSON: bytes in base64."""
    return {
        name: {kind: b64encode(to_bytes(value)).decode() if kind == "B" else value}
        for name, one in key.items()
        for kind, value in one.items()
    }


def key_from_json(told: Any) -> dict[str, Native]:
    """The inverse of `key_to_json`."""
    return {
        name: {kind: b64decode(value) if kind == "B" else value}
        for name, one in told.items()
        for kind, value in one.items()
    }
