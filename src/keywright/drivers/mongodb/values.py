"""Converts values of BSON's own classes to plain Python, and back."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.drivers.translate_errors import not_installed
from keywright.ir.json import Json

try:
    from bson import Binary, CodecOptions, Decimal128, Int64, ObjectId, encode, json_util
    from bson.binary import UuidRepresentation
    from bson.codec_options import DatetimeConversion
    from bson.errors import InvalidDocument
except ImportError as error:
    raise not_installed("mongodb") from error

CODEC: CodecOptions[dict[str, Any]] = CodecOptions(
    document_class=dict,
    tz_aware=True,
    tzinfo=UTC,
    uuid_representation=UuidRepresentation.STANDARD,
    datetime_conversion=DatetimeConversion.DATETIME_AUTO,
)
"""Options for reading documents: every value that is read is written back as the same BSON value."""

_JSON = json_util.JSONOptions(
    json_mode=json_util.JSONMode.CANONICAL,
    tz_aware=True,
    tzinfo=UTC,
    uuid_representation=UuidRepresentation.STANDARD,
    datetime_representation=json_util.DatetimeRepresentation.NUMBERLONG,
)


def plain(value: Any) -> Any:
    """A BSON value as plain Python."""
    convert = _PLAIN.get(type(value))
    return convert(value) if convert else value


def plain_items(document: dict[str, Any]) -> dict[str, Any]:
    """A document as plain Python; the same object if no value needs conversion, as for most documents."""
    return document if _CONVERTED.isdisjoint(map(type, document.values())) else plain(document)


def native(value: Any) -> Any:
    """The inverse of `plain`."""
    convert = _NATIVE.get(type(value))
    return convert(value) if convert else value


def as_stored(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document of plain Python as stored; ValueError for values that BSON cannot store."""
    converted: dict[str, Any] = native(dict(document))
    try:
        encode(converted, codec_options=CODEC)
    except (InvalidDocument, OverflowError) as error:
        raise ValueError(str(error)) from error
    return converted


_PLAIN: dict[type, Callable[[Any], Any]] = {
    Decimal128: Decimal128.to_decimal,
    dict: lambda value: {key: plain(inner) for key, inner in value.items()},
    list: lambda value: [plain(inner) for inner in value],
}

_CONVERTED = frozenset(_PLAIN)

_NATIVE: dict[type, Callable[[Any], Any]] = {
    Decimal: Decimal128,
    UUID: Binary.from_uuid,
    dict: lambda value: {key: native(inner) for key, inner in value.items()},
    list: lambda value: [native(inner) for inner in value],
}


def to_json(value: Any) -> Json:
    """A value as JSON: texts unchanged, every other value with its type in Extended JSON."""
    if type(value) is str:
        return value
    if type(value) is ObjectId:
        return {"$oid": str(value)}
    if type(value) is int:
        return {"$numberLong": str(value)}
    extended: Json = json.loads(json_util.dumps({"v": value}, json_options=_JSON))["v"]
    return extended


def from_json(value: Json) -> Any:
    """The inverse of `to_json`."""
    return json_util.loads(json.dumps({"v": value}), json_options=_JSON)["v"] if isinstance(value, dict) else value


BRACKETS: dict[type, str] = {
    int: "number", Int64: "number", float: "number", Decimal128: "number", str: "text", ObjectId: "id",
}  # fmt: skip
"""Kinds of `_id` types: a comparison without `$expr` finds all values between two of the same kind."""


def are_alike(first: Any, second: Any) -> bool:
    """Whether a plain comparison finds everything between two values, because their types are of one kind."""
    kind = BRACKETS.get(type(first))
    is_number = first == first and second == second  # not NaN, which is the smallest number and not equal to itself
    return kind is not None and kind == BRACKETS.get(type(second)) and is_number
