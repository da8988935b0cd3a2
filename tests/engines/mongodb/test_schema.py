"""Pydantic's types as the validators that the server takes."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field, HttpUrl
from tests.engines.mongodb.designs import schema_of, shop, stored_in

import keywright as kw


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Part(BaseModel):
    sku: Annotated[str, Field(max_length=9, alias="s")]
    note: str | None = None


class Closed(BaseModel, extra="forbid"):
    sku: str


TYPES: list[tuple[Any, dict[str, Any]]] = [
    (str, {"bsonType": "string"}),
    (Annotated[str, Field(min_length=2, max_length=5, pattern="^a")],
     {"bsonType": "string", "minLength": 2, "maxLength": 5, "pattern": "^a"}),
    (int, {"bsonType": ["int", "long"]}),
    (Annotated[int, Field(ge=1, le=9)], {"bsonType": "int", "minimum": 1, "maximum": 9}),
    (Annotated[int, Field(gt=2**40)], {"bsonType": "long", "minimum": 2**40, "exclusiveMinimum": True}),
    (Annotated[float, Field(lt=0.5)], {"bsonType": "double", "maximum": 0.5, "exclusiveMaximum": True}),
    (Annotated[Decimal, Field(ge=Decimal("0.10"))],
     {"bsonType": "decimal", "minimum": {"$numberDecimal": "0.10"}}),
    (bool, {"bsonType": "bool"}),
    (Annotated[bytes, Field(max_length=9)], {"bsonType": "binData"}),
    (datetime, {"bsonType": "date"}),
    (date, {"bsonType": "date"}),
    (time, {"bsonType": "string"}),
    (timedelta, {"bsonType": ["int", "long"]}),
    (UUID, {"bsonType": "binData"}),
    (HttpUrl, {"bsonType": "string"}),
    (Any, {}),
    (Literal["on", "off"], {"bsonType": "string", "enum": ["on", "off"]}),
    (Literal[1, 2], {"bsonType": "int", "enum": [1, 2]}),
    (Colour, {"bsonType": "string", "enum": ["red", "green"]}),
    (str | None, {"bsonType": ["string", "null"]}),
    (Colour | None, {"bsonType": ["string", "null"], "enum": ["red", "green", None]}),
    (Annotated[list[str], Field(min_length=1, max_length=3)],
     {"bsonType": "array", "minItems": 1, "maxItems": 3, "items": {"bsonType": "string"}}),
    (list[int | None], {"bsonType": "array", "items": {"bsonType": ["int", "long", "null"]}}),
    (list[Any], {"bsonType": "array"}),
    (set[str], {"bsonType": "array", "uniqueItems": True, "items": {"bsonType": "string"}}),
    (tuple[float, float], {"bsonType": "array", "minItems": 2, "maxItems": 2, "items": {"bsonType": "double"}}),
    (dict[str, int], {"bsonType": "object", "additionalProperties": {"bsonType": ["int", "long"]}}),
    (Annotated[dict[str, str], Field(max_length=4)],
     {"bsonType": "object", "maxProperties": 4, "additionalProperties": {"bsonType": "string"}}),
    (Part, {"bsonType": "object", "required": ["s"], "properties": {
        "s": {"bsonType": "string", "maxLength": 9}, "note": {"bsonType": ["string", "null"]},
     }}),
    (Closed, {"bsonType": "object", "required": ["sku"], "properties": {"sku": {"bsonType": "string"}},
              "additionalProperties": False}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "schema"), TYPES)
def test_a_type_is_lowered(kind: Any, schema: dict[str, Any]) -> None:
    thing = stored_in(kw.Collection(shop, "things"), {"field": kind})
    assert schema_of(thing)["properties"]["field"] == schema


CHOSEN: list[tuple[Any, str, dict[str, Any]]] = [
    (int, "long", {"bsonType": "long"}),
    (int, "string", {"bsonType": "string"}),
    (datetime, "string", {"bsonType": "string"}),
    (UUID, "string", {"bsonType": "string"}),
    (str, "objectId", {"bsonType": "objectId"}),
    (Decimal | None, "string", {"bsonType": ["string", "null"]}),
    (list[UUID], "string", {"bsonType": "array", "items": {"bsonType": "string"}}),
]


@pytest.mark.parametrize(("kind", "chosen", "schema"), CHOSEN)
def test_a_native_type_may_be_chosen(kind: Any, chosen: Any, schema: dict[str, Any]) -> None:
    thing = stored_in(kw.Collection(shop, "things", types={"field": chosen}), {"field": kind})
    assert schema_of(thing)["properties"]["field"] == schema


def test_a_native_type_may_be_chosen_inside_an_embedded_model() -> None:
    thing = stored_in(kw.Collection(shop, "things", types={"part.sku": "objectId"}), {"part": Part})
    assert schema_of(thing)["properties"]["part"]["properties"]["s"] == {"bsonType": "objectId"}


def test_without_a_template_the_server_makes_the_id() -> None:
    thing = stored_in(kw.Collection(shop, "things"), {"word": str, "hint": str | None}, hint=None)
    assert schema_of(thing) == {
        "bsonType": "object",
        "required": ["word"],
        "properties": {
            "_id": {"bsonType": "objectId"},
            "word": {"bsonType": "string"},
            "hint": {"bsonType": ["string", "null"]},
        },
    }


def test_a_lone_placeholder_is_stored_as_the_id_only() -> None:
    thing = stored_in(kw.Collection(shop, "things", id="{number}"), {"number": int})
    assert schema_of(thing)["properties"] == {"_id": {"bsonType": ["int", "long"]}}


def test_a_composed_id_leaves_its_fields_where_they_are() -> None:
    thing = stored_in(kw.Collection(shop, "things", id="{word}#{number:pad(6)}"), {"word": str, "number": int})
    assert list(schema_of(thing)["properties"]) == ["_id", "word", "number"]
    assert schema_of(thing)["properties"]["_id"] == {"bsonType": "string"}


def test_a_lone_placeholder_inside_an_embedded_model_is_copied() -> None:
    thing = stored_in(kw.Collection(shop, "things", id="{part.sku}"), {"part": Part})
    assert schema_of(thing)["properties"]["_id"] == {"bsonType": "string", "maxLength": 9}
    assert schema_of(thing)["required"] == ["part"]


def test_computed_attributes_are_always_there() -> None:
    store = kw.Collection(shop, "things", computed={"month": "{at:month}", "again": "{number}"})
    schema = schema_of(stored_in(store, {"at": datetime, "number": int}))
    assert schema["required"] == ["again", "at", "month", "number"]
    assert (schema["properties"]["month"], schema["properties"]["again"]) == (
        {"bsonType": "string"},
        {"bsonType": ["int", "long"]},
    )


class Excluding(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "things")
    word: str
    kept_back: Annotated[str, Field(exclude=True)] = ""


def test_an_excluded_field_is_not_stored() -> None:
    assert list(schema_of(Excluding)["properties"]) == ["_id", "word"]
