"""Folders of mongodump, and validators as types."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bson
import pytest
from bson import Int64, ObjectId
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.projects import imported_alone

from keywright.api.adopt.sources import from_files
from keywright.compiler import load
from keywright.edit.create.model_file import ModelFile, source_of
from keywright.engines.contract.adoption import NO_SAMPLE, Adopted, Adoption, Sample
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget, IndexTarget
from keywright.engines.registry import engine_named, part_of
from keywright.project.environments.environment import Environment
from keywright.project.settings import read_settings
from keywright.record import replace

ROOT = Path(__file__).parents[2]
PROJECTS = [ROOT, *sorted((ROOT / "tests" / "recall").glob("*/good"))]
ENGINE = engine_named("mongodb")
ADOPTION = part_of("mongodb", "adoption", "ADOPTION", Adoption)
ENVIRONMENT = MongoEnvironment(flavour="mongodb")
FILES = sorted((CORPORA / "mongodb").rglob("*.metadata.json"))


def adopted(target: DatabaseTarget, **samples: Any) -> Adopted:
    result: Adopted = ADOPTION.adopt(target, samples, ENVIRONMENT)
    return result


def validated(schema: dict[str, Any], items: Any = (), **words: Any) -> tuple[Adopted, str]:
    """The declarations of one collection with a validator, and their source."""
    target = DatabaseTarget("app", (CollectionTarget("users", validator={"$jsonSchema": schema}, **words),))
    tables = adopted(target, users=Sample(items) if items else NO_SAMPLE)
    assert_law(ENGINE, target, tables, ENVIRONMENT)
    return tables, source_of(ModelFile("Adopted.", tables.design, tables.comments, width=120))


def has_default(schema: Any) -> bool:
    """Whether a field is not required and never null: it has a default that a validator does not contain."""
    schema = schema.get("$jsonSchema", schema)
    for name, inner in schema.get("properties", {}).items():
        types = inner.get("bsonType", [])
        is_collection = types == "array" or (types == "object" and "properties" not in inner)
        is_always = name in schema.get("required", ()) or "null" in types or types in ([], "objectId")
        if not (is_always or is_collection) or has_default(inner) or has_default(inner.get("items") or {}):
            return True
    return isinstance(other := schema.get("additionalProperties"), dict) and has_default(other)


@NEEDED
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:40])
def test_every_public_dump_is_adopted(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8-sig")
    read = ADOPTION.read_schema({str(path): text})
    assert read is not None
    assert read.not_expressed == ()
    for target in read.targets:
        database = adopted(target)
        assert_law(ENGINE, target, database, ENVIRONMENT)
        if "longcollection" not in path.name:  # its class alone is longer than a line
            assert_is_as_a_person_writes(database, tmp_path)


def test_documents_beside_the_metadata_give_types(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    metadata = {
        "indexes": [
            {"v": {"$numberInt": "2"}, "key": {"_id": {"$numberInt": "1"}}, "name": "_id_"},
            {"v": {"$numberInt": "2"}, "key": {"customer": {"$numberInt": "1"}, "at": {"$numberInt": "-1"}},
             "name": "customer_1_at_-1"},
        ],
        "uuid": "a", "collectionName": "orders", "type": "collection",
    }  # fmt: skip
    file = folder / "orders.metadata.json"
    file.write_text(json.dumps(metadata))
    orders = [
        {"_id": ObjectId(), "customer": f"c{number}", "at": datetime(2026, 1, 1, tzinfo=UTC), "total": Int64(number)}
        for number in range(30)
    ]
    whole = b"".join(map(bson.encode, orders))
    (folder / "orders.bson").write_bytes(whole + whole[:20])  # the last document is damaged
    (target,) = from_files({str(file): file.read_text()}, Environment("dev")).targets
    text = source_of(ModelFile("Adopted.", target.adopted.design, target.adopted.comments, width=120))
    assert target.name == "shop"
    assert 'kw.Collection(shop, "orders", indexes=[kw.Index(["customer", "-at"])], validation="off")' in text
    assert "    customer: str\n    at: datetime\n    total: int\n" in text


def test_indexes_of_an_empty_collection_give_embedded_models(tmp_path: Path) -> None:
    indexes = (
        IndexTarget("expiry", (("visit.ended.at", 1),), expire_after_seconds=60),
        IndexTarget("visit.place_1_ended_1", (("visit.place", 1), ("ended", 1))),
        IndexTarget("visit.ended.by_hashed", (("visit.ended.by", "hashed"),)),
        IndexTarget("rows.0.a_1", (("rows.0.a", 1),)),
    )
    target = DatabaseTarget("app", (CollectionTarget("users", indexes=indexes), CollectionTarget("visits")))
    tables = adopted(target)
    assert_law(ENGINE, target, tables, ENVIRONMENT)
    assert [part.object for part in tables.not_expressed] == ["indexes/users/rows.0.a_1"]
    text = assert_is_as_a_person_writes(tables, tmp_path)
    for lines in (
        "class Ended(BaseModel):\n    at: datetime | None = None\n    by: Any = None\n",
        "class UserVisit(BaseModel):\n    ended: Ended | None = None\n    place: Any = None\n",
        "    ended: Any = None\n    visit: UserVisit | None = None\n",
    ):
        assert lines in text, text


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: f"{project.parent.name}/{project.name}")
def test_a_validator_that_keywright_renders_is_adopted_as_types(project: Path) -> None:
    with imported_alone(project):
        design = load(read_settings(project)).design.of_engine("mongodb")
    for target in ENGINE.lower(design):
        live = replace(target, shape=())
        database = adopted(live)
        assert_law(ENGINE, live, database, ENVIRONMENT)
        gaps = {part.object.split("/")[1] for part in database.not_expressed if part.object.endswith("/validator")}
        validators = {collection.name: collection.validator for collection in target.collections}
        assert gaps == {name for name, validator in validators.items() if validator and has_default(validator)}


def test_a_validator_of_others_gives_types_and_stays_as_it_is() -> None:
    schema = {
        "bsonType": "object", "required": ["email", "age", "kind"], "title": "users",
        "properties": {
            "email": {"bsonType": "string", "pattern": "^.+@.+$", "description": "must be an address"},
            "age": {"bsonType": "int", "minimum": 0, "maximum": 150},
            "kind": {"enum": ["free", "paid"]},
            "address": {"bsonType": "object", "required": ["city"], "properties": {"city": {"bsonType": "string"}}},
            "tags": {"bsonType": "array", "uniqueItems": True, "maxItems": 5, "items": {"bsonType": "string"}},
            "joined": {"bsonType": ["date", "null"]},
            "scores": {"bsonType": "object", "additionalProperties": {"bsonType": "double"}},
            "hard": {"bsonType": "string", "pattern": "^(?=x)"},
        },
    }  # fmt: skip
    tables, text = validated(schema)
    assert {part.object.split("/")[-1] for part in tables.not_expressed} == {
        "validator", "validationAction", "validationLevel",
    }  # fmt: skip
    for line in (
        'validation="off"',
        'email: Annotated[str, Field(pattern="^.+@.+$"), kw.Pii()]',
        "age: Annotated[int, Field(ge=0, le=150)]",
        'kind: Literal["free", "paid"]',
        "address: Address | None = None",
        "    city: str",
        "tags: Annotated[set[str], Field(max_length=5)] = set()",
        "joined: datetime | None = None",
        "scores: dict[str, float] = {}",
        "hard: str | None = None",
    ):
        assert line in text, text


@pytest.mark.parametrize(
    ("level", "action", "word"),
    [
        ("moderate", "error", "moderate"),
        ("strict", "warn", "warn"),
        ("moderate", "warn", "moderate-warn"),
        ("strict", "error", ""),
    ],
)
def test_a_validator_of_the_model_has_its_level_and_action(level: Any, action: Any, word: str) -> None:
    schema = {
        "bsonType": "object", "required": ["name"],
        "properties": {"_id": {"bsonType": "objectId"}, "name": {"bsonType": "string", "maxLength": 9}},
        "additionalProperties": False,
    }  # fmt: skip
    tables, text = validated(schema, level=level, action=action)
    assert tables.not_expressed == ()
    assert (f'validation="{word}"' in text) == bool(word)
    assert 'model_config = ConfigDict(extra="forbid")' in text


def test_fields_that_a_validator_leaves_open_come_from_documents() -> None:
    schema = {"bsonType": "object", "properties": {"title": {"bsonType": "string"}, "note": {}}}
    items = [{"_id": ObjectId(), "title": 7, "note": "x", "more": number} for number in range(3)]
    _, text = validated(schema, items)
    assert "    title: str | None = None\n    note: str | None = None\n    more: int\n" in text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"indexes": 1}', '{"indexes": [], "models": {}}'])
def test_other_json_is_no_dump(text: str) -> None:
    assert ADOPTION.read_schema({"a.json": text}) is None


def test_a_damaged_collection_is_a_reason() -> None:
    read = ADOPTION.read_schema({"db/a.metadata.json": json.dumps({"indexes": [{"name": "x"}]})})
    assert read is not None
    assert [part.reason for part in read.not_expressed] == ["collection not read: 'key' is missing or of another form"]


def test_views_of_a_dump_are_adopted(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "users.metadata.json").write_text(
        '{"options": {}, "indexes": [{"v": 2, "key": {"_id": 1}, "name": "_id_"}], "collectionName": "users"}'
    )
    documents = [{"_id": ObjectId(), "name": f"n{at}", "age": Int64(at), "left": at % 2 == 0} for at in range(30)]
    (folder / "users.bson").write_bytes(b"".join(map(bson.encode, documents)))
    pipeline = [
        {"$match": {"left": False, "age": {"$gte": {"$numberInt": "3"}}}},
        {"$project": {"name": {"$numberInt": "1"}}},
    ]
    (folder / "active.metadata.json").write_text(
        json.dumps({"options": {"viewOn": "users", "pipeline": pipeline}, "indexes": [], "type": "view"})
    )
    files = {str(file): file.read_text() for file in sorted(folder.glob("*.json"))}
    (source,) = from_files(files, Environment("dev")).targets
    assert source.adopted.not_expressed == ()
    active = next(binding for binding in source.adopted.design.bindings if binding.spec.name == "active")
    assert [attribute.name for attribute in active.entity.attributes] == ["name"]
    text = assert_is_as_a_person_writes(source.adopted, tmp_path)
    assert 'on="users", where={"left": False, "age": kw.AtLeast(3)}, project=True' in " ".join(text.split())
