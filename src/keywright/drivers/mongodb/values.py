"""Values of documents as plain Python, and back: what BSON has a class of its own for."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.drivers.extras import not_installed
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
"""How documents are read: every BSON value comes back as something that is written as the same one again."""

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
    """A document as plain Python; the same one where it holds nothing else, which spares most of the work."""
    return document if _CONVERTED.isdisjoint(map(type, document.values())) else plain(document)


def native(value: Any) -> Any:
    """The inverse of `plain`."""
    convert = _NATIVE.get(type(value))
    return convert(value) if convert else value


def held(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document of plain Python as it is stored; ValueError for what BSON does not hold."""
    made: dict[str, Any] = native(dict(document))
    try:
        encode(made, codec_options=CODEC)
    except (InvalidDocument, OverflowError) as error:
        raise ValueError(str(error)) from error
    return made


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
    """A value as JSON: texts as they are, everything else by its type in Extended JSON."""
    if type(value) is str:
        return value
    if type(value) is ObjectId:
        return {"$oid": str(value)}
    if type(value) is int:
        return {"$numberLong": str(value)}
    told: Json = json.loads(json_util.dumps({"v": value}, json_options=_JSON))["v"]
    return told


def from_json(told: Json) -> Any:
    """The inverse of `to_json`."""
    return json_util.loads(json.dumps({"v": told}), json_options=_JSON)["v"] if isinstance(told, dict) else told


BRACKETS: dict[type, str] = {
    int: "number", Int64: "number", float: "number", Decimal128: "number", str: "text", ObjectId: "id",
}  # fmt: skip
"""Types of `_id` by which comparisons without `$expr` see all values between two of the same kind."""


def are_alike(one: Any, other: Any) -> bool:
    """Whether everything between two values has their type, so that a plain comparison finds it."""
    kind = BRACKETS.get(type(one))
    is_number = one == one and other == other  # not NaN, which is the smallest number and equals nothing
    return kind is not None and kind == BRACKETS.get(type(other)) and is_number
