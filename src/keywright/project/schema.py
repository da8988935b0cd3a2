"""The JSON Schema of `keywright:environment`, made from what the engines declare; docs/schemas/environment.json."""

import dataclasses
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from keywright.engines.environment import ByteSize
from keywright.engines.interface import Engine
from keywright.ir.json import Json


def schema(engines: Iterable[Engine[Any, Any]]) -> Json:
    """The schema; editors complete and check stack files by it."""
    own: dict[str, Json] = {
        "mode": {"enum": ["dev", "gated"]},
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
        "history": {"type": "string"},
        "position": {"type": "string"},
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
        "properties": {_key(field): _of(hints[field.name]) for field in fields},
    }
    return {**described, "required": required} if required else described


def _key(field: "dataclasses.Field[Any]") -> str:
    return field.name.replace("_", "-")


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
