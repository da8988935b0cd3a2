"""MDB110: a handwritten validator contains keywords of JSON Schema that the server does not support.

https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.engines.mongodb.schema.capabilities import SCHEMA_WORDS
from keywright.ir.json import Json

_INSTEAD = {
    "$ref": "write what it refers to in its place",
    "definitions": "write each where it is used",
    "$defs": "write each where it is used",
    "format": 'say bsonType: "date" of a time, or pattern: of a text',
    "const": "say enum: with the one value",
    'type: "integer"': 'say bsonType: "int" or "long"',
    "a number as exclusiveMinimum": "say it as minimum, and exclusiveMinimum: true beside it",
    "a number as exclusiveMaximum": "say it as maximum, and exclusiveMaximum: true beside it",
}
_BY_NAME = ("properties", "patternProperties", "dependencies")
_WITHIN = ("allOf", "anyOf", "oneOf", "not", "items", "additionalItems", "additionalProperties")


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every unsupported keyword of every validator; validators that keywright generates have none."""
    for collection in target.placed.collections:
        for word in dict.fromkeys(_words(collection.validator)):
            yield FindingDraft(
                problem=f'the validator of "{collection.physical_name}" holds {word}, which MongoDB does not know',
                help=_INSTEAD.get(word, "leave it out"),
                subject=collection.physical_name,
            )


def _words(condition: Json) -> Iterator[str]:
    """Unsupported keywords of all schemas in a condition."""
    for key, value in condition.items() if isinstance(condition, dict) else ():
        if key == "$jsonSchema":
            yield from _in_schema(value)
        elif key in ("$and", "$or", "$nor") and isinstance(value, list):
            for operand in value:
                yield from _words(operand)


def _in_schema(schema: Json) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from _in_schema(item)
    if not isinstance(schema, dict):
        return
    yield from (word for word in schema if word not in SCHEMA_WORDS)
    kinds = schema.get("type")
    if "integer" in (kinds if isinstance(kinds, list) else [kinds]):
        yield 'type: "integer"'
    for word in ("exclusiveMinimum", "exclusiveMaximum"):
        if not isinstance(schema.get(word, False), bool):
            yield f"a number as {word}"
    for key, value in schema.items():
        if key in _WITHIN:
            yield from _in_schema(value)
        elif key in _BY_NAME and isinstance(value, dict):
            yield from _in_schema(list(value.values()))
