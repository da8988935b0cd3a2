"""Validators while a pass marks documents: they admit the mark, and nothing else that they did not."""

from typing import Any

import pytest

from keywright.engines.mongodb.schema.marked_validators import admitting, without
from keywright.engines.mongodb.schema.reported import collection

STRICT: Any = {"bsonType": "object", "properties": {"a": {"bsonType": "int"}}, "additionalProperties": False}
OPEN: Any = {"bsonType": "object", "properties": {"a": {"bsonType": "int"}}}
MARKED: Any = {**STRICT, "properties": {"a": {"bsonType": "int"}, "_kw_m": {}}}
TYPED: Any = {**STRICT, "additionalProperties": {"bsonType": "int"}}
INNER: Any = {**OPEN, "properties": {"a": STRICT}}

VALIDATORS: dict[str, tuple[Any, Any]] = {
    "strict": ({"$jsonSchema": STRICT}, {"$jsonSchema": MARKED}),
    "open": ({"$jsonSchema": OPEN}, {"$jsonSchema": OPEN}),
    "no schema": ({"a": {"$type": "int"}}, {"a": {"$type": "int"}}),
    "both forms": (
        {"$or": [{"$jsonSchema": STRICT}, {"$jsonSchema": OPEN}]},
        {"$or": [{"$jsonSchema": MARKED}, {"$jsonSchema": OPEN}]},
    ),
    "schemas of one document": ({"$jsonSchema": {"anyOf": [STRICT, OPEN]}}, {"$jsonSchema": {"anyOf": [MARKED, OPEN]}}),
    "an embedded document": ({"$jsonSchema": INNER}, {"$jsonSchema": INNER}),
    "without properties": (
        {"$jsonSchema": {"additionalProperties": False}},
        {"$jsonSchema": {"additionalProperties": False, "properties": {"_kw_m": {}}}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VALIDATORS)
def test_a_validator_admits_the_mark_where_it_would_not(name: str) -> None:
    before, expected = VALIDATORS[name]
    assert admitting(before) == expected
    assert admitting(expected) == expected


@pytest.mark.parametrize("name", VALIDATORS)
def test_what_a_server_reports_is_compared_without_the_mark(name: str) -> None:
    before, marked = VALIDATORS[name]
    assert without(marked) == before
    assert collection({"options": {"validator": marked}}) == collection({"options": {"validator": before}})


def test_other_fields_of_other_schemas_keep_what_they_say() -> None:
    typed = admitting({"$jsonSchema": TYPED})
    assert typed == {"$jsonSchema": {**TYPED, "properties": {"a": {"bsonType": "int"}, "_kw_m": {}}}}
    assert without(typed) == {"$jsonSchema": TYPED}
