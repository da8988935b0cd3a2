"""Validators that admit the mark of a backfill while it runs, and the same validators without it."""

from collections.abc import Callable
from typing import Any

from keywright.engines.contract.pages import MARK
from keywright.ir.json import Json

_ALIKE = ("$and", "$or", "$nor", "$jsonSchema", "allOf", "anyOf", "oneOf", "not")
"""Keywords whose schemas apply to the same document."""


def admitting(validator: Json) -> Json:
    """A validator that treats a document with the mark like the document without it.

    Only schemas that reject additional fields need to name the mark.
    """

    def opened(schema: dict[str, Any]) -> dict[str, Any]:
        if schema.get("additionalProperties", True) is True:
            return schema
        return {**schema, "properties": {**schema.get("properties", {}), MARK: {}}}

    return _changed(validator, opened)


def without(validator: Json) -> Json:
    """A validator without the mark of a backfill: the one that is compared, and restored after the backfill."""

    def closed(schema: dict[str, Any]) -> dict[str, Any]:
        if MARK not in schema.get("properties", {}):
            return schema
        properties = {name: value for name, value in schema["properties"].items() if name != MARK}
        other_keywords = {name: value for name, value in schema.items() if name != "properties"}
        return {**other_keywords, "properties": properties} if properties else other_keywords

    return _changed(validator, closed)


def _changed(part: Json, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Json:
    if isinstance(part, list):
        return [_changed(item, change) for item in part]
    if not isinstance(part, dict):
        return part
    return change({name: _changed(value, change) if name in _ALIKE else value for name, value in part.items()})
