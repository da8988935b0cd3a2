"""Generates the JSON Schema of `keywright:environment` from the engines' settings; docs/schemas/environment.json."""

import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from keywright import record
from keywright.engines.environment import ByteSize, Percent, Threshold
from keywright.engines.interface import Engine
from keywright.ir.json import Json

from .monitoring import Monitoring


def schema(engines: Iterable[Engine[Any, Any]]) -> Json:
    """The schema, with which editors complete and check stack files."""
    common: dict[str, Json] = {
        "mode": {"enum": ["dev", "gated"]},
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
        "history": {"type": "string"},
        "position": {"type": "string"},
        "monitoring": _object(Monitoring),
    }
    sections: dict[str, Json] = {engine.name: _schema_of(engine.environment) for engine in engines}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "keywright:environment",
        "type": "object",
        "additionalProperties": False,
        "properties": {**common, **sections},
    }


def _schema_of(kind: Any) -> Json:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind is ByteSize:
        return {"type": ["integer", "string"], "pattern": "^[0-9]+ *([kKmMgGtT]?[bB]?)$"}
    if kind in (Percent, Threshold):
        return {"type": "number", "minimum": 1, "maximum": 99} if kind is Percent else {"type": "number", "minimum": 0}
    if record.is_record(kind):
        return _object(kind)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (typing.Union, types.UnionType):
        arms = [_schema_of(arm) for arm in args if arm is not type(None)]
        return arms[0] if len(arms) == 1 else {"anyOf": arms}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _schema_of(args[1])}
    if origin is tuple:
        return {"type": "array", "items": _schema_of(args[0])}
    return {"type": {str: "string", int: "integer", float: "number", bool: "boolean"}[kind]}


def _object(kind: Any) -> Json:
    hints = typing.get_type_hints(kind)
    fields = [field for field in record.fields(kind) if field.name in hints]
    required: list[Json] = [_key(field) for field in fields if field.required]
    object_schema: dict[str, Json] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {_key(field): _of_field(field, hints[field.name]) for field in fields},
    }
    return {**object_schema, "required": required} if required else object_schema


def _of_field(field: record.FieldInfo, kind: Any) -> Json:
    """The schema of a field; it allows null if null differs from the default."""
    field_schema = _schema_of(kind)
    is_off = type(None) in typing.get_args(kind) and field.default not in (None, record.NODEFAULT)
    return {"anyOf": [field_schema, {"type": "null"}]} if is_off else field_schema


def _key(field: record.FieldInfo) -> str:
    return field.name.replace("_", "-")
