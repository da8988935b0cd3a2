"""Attribute values to and from plain Python."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from keywright.engines.dynamodb.migrate.transform import form, number
from keywright.ir.json import Json
from keywright.ir.text_form import UnsupportedValue

Native = dict[str, Any]
"""Value with its type: `{"S": "x"}`."""


def plain(value: Native) -> Any:
    """Attribute value as plain Python; sets as frozensets."""
    ((kind, inner),) = value.items()
    match kind:
        case "N":
            return number(Decimal(inner))
        case "NULL":
            return None
        case "B":
            return to_bytes(inner)
        case "M":
            return {name: plain(element) for name, element in inner.items()}
        case "L":
            return [plain(element) for element in inner]
        case "SS" | "NS" | "BS":
            return frozenset(plain({kind[0]: element}) for element in inner)
        case _:
            return inner


def native(value: Any) -> Native:
    """The inverse of `plain`; ValueError for values that an item cannot store."""
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
            return {"M": {str(name): native(element) for name, element in value.items()}}
        case list() | tuple():
            return {"L": [native(element) for element in value]}
        case set() | frozenset() if value:
            kinds = {next(iter(native(element))) for element in value}
            if len(kinds) == 1 and kinds <= {"S", "N", "B"}:
                kind = kinds.pop()
                return {f"{kind}S": sorted(native(element)[kind] for element in value)}
    raise UnsupportedValue(f"a {type(value).__name__} cannot be stored in an item")


def to_bytes(value: Any) -> bytes:
    """Bytes of a binary value, which boto3 may wrap in its own class."""
    wrapped: Any = getattr(value, "value", value)
    return bytes(wrapped)


def key_to_json(key: Mapping[str, Native]) -> Json:
    """Key as JSON: bytes in base64."""
    return {
        name: {kind: b64encode(to_bytes(value)).decode() if kind == "B" else value}
        for name, typed_value in key.items()
        for kind, value in typed_value.items()
    }


def key_from_json(json_key: Any) -> dict[str, Native]:
    """The inverse of `key_to_json`."""
    return {
        name: {kind: b64decode(value) if kind == "B" else value}
        for name, typed_value in json_key.items()
        for kind, value in typed_value.items()
    }
