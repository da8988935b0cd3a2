"""The JSON Schema of `keywright:environment`, made from what the engines declare; docs/schemas/environment.json."""

import dataclasses
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from keywright.engines.environment import ByteSize, Percent, Threshold
from keywright.engines.interface import Engine
from keywright.ir.json import Json

from .monitoring import Monitoring


def schema(engines: Iterable[Engine[Any, Any]]) -> Json:
    """The schema; editors complete and check stack files by it."""
    own: dict[str, Json] = {
        "mode": {"enum": ["dev", "gated"]},
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
        "history": {"type": "string"},
        "position": {"type": "string"},
        "monitoring": _object(Monitoring),
    }
    parts: dict[str, Json] = {engine.name: _of(engine.environment) for engine in engines}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "keywright:environment",
        "type": "object",
        "additionalProperties": False,
        "properties": {**own, **parts},
    }


def _of(kind: Any) -> Json:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind is ByteSize:
        return {"type": ["integer", "string"], "pattern": "^[0-9]+ *([kKmMgGtT]?[bB]?)$"}
    if kind in (Percent, Threshold):
        return {"type": "number", "minimum": 1, "maximum": 99} if kind is Percent else {"type": "number", "minimum": 0}
    if dataclasses.is_dataclass(kind):
        return _object(kind)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (typing.Union, types.UnionType):
        arms = [_of(arm) for arm in args if arm is not type(None)]
        return arms[0] if len(arms) == 1 else {"anyOf": arms}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _of(args[1])}
    if origin is tuple:
        return {"type": "array", "items": _of(args[0])}
    return {"type": {str: "string", int: "integer", float: "number", bool: "boolean"}[kind]}


def _object(kind: Any) -> Json:
    hints = typing.get_type_hints(kind)
    fields = [field for field in dataclasses.fields(kind) if field.name in hints]
    required: list[Json] = [_key(field) for field in fields if _is_required(field)]
    described: dict[str, Json] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {_key(field): _of_field(field, hints[field.name]) for field in fields},
    }
    return {**described, "required": required} if required else described


def _of_field(field: "dataclasses.Field[Any]", kind: Any) -> Json:
    """Null may be said where that is something else than saying nothing."""
    told = _of(kind)
    is_off = type(None) in typing.get_args(kind) and field.default not in (None, dataclasses.MISSING)
    return {"anyOf": [told, {"type": "null"}]} if is_off else told


def _key(field: "dataclasses.Field[Any]") -> str:
    return field.name.replace("_", "-")


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
