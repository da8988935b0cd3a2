"""Rules of stored things of MongoDB, over collections of others, and against what a server was seen to answer."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.corpora.modelfile import CORPORA, NEEDED

from keywright.engines.findings.context import TargetInEnvironment
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.rules import json_schema_not_lowered, redundant_prefix_index
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget, IndexTarget

pytestmark = NEEDED

OF_INDEXES = {
    "key",
    "name",
    "v",
    "ns",
    "unique",
    "partialFilterExpression",
    "collation",
    "expireAfterSeconds",
    "hidden",
}

PREFIX = 'index "five_three_four" is the beginning of "five_three_four_one_two", and every write keeps both'

REFUSED_FOR_OTHER_REASONS = {
    "type and bsonType", "unknown bsonType", "exclusiveMinimum true without minimum", "required empty",
    "required duplicate", "enum empty", "enum duplicate", "anyOf empty", "minLength negative", "minLength fraction",
    "pattern not valid", "multipleOf 0", "properties not an object",
}  # fmt: skip


def stored(*indexes: IndexTarget, validator: Any = None) -> TargetInEnvironment:
    database = DatabaseTarget("others", (CollectionTarget("things", validator=validator, indexes=indexes),))
    return TargetInEnvironment("mongodb", database, database, MongoEnvironment(flavour="mongodb"))


def dumped(file: Path) -> list[IndexTarget]:
    """The indexes of a file of mongodump, beside that on `_id`."""
    return [
        IndexTarget(
            entry["name"],
            tuple((path, _direction(way)) for path, way in entry["key"].items()),
            is_unique=bool(entry.get("unique")),
            filter=entry.get("partialFilterExpression"),
            collation=entry.get("collation"),
            expire_after_seconds=0 if "expireAfterSeconds" in entry else None,
            others=tuple((key, value) for key, value in entry.items() if key not in OF_INDEXES),
        )
        for entry in json.loads(file.read_text("utf-8")).get("indexes", [])
        if list(entry["key"]) != ["_id"]
    ]


def _direction(way: Any) -> int | str:
    """A direction in one of the many ways in which old servers and tools wrote it."""
    if isinstance(way, dict):
        return _direction(next(iter(way.values())))  # pyright: ignore[reportUnknownArgumentType]
    try:
        return -1 if float(way) < 0 else 1
    except ValueError:
        return str(way)


def test_the_one_index_that_is_the_beginning_of_another_is_found() -> None:
    result = {
        (file.name, flaw.problem)
        for file in sorted((CORPORA / "mongodb").rglob("*.metadata.json"))
        for flaw in redundant_prefix_index.stored(stored(*dumped(file)))
    }
    assert result == {("tmc.metadata.json", PREFIX)}


def probes() -> list[dict[str, Any]]:
    """What a server answered to validators."""
    file = CORPORA / "mongodb" / "server_behaviour.json"
    result: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))["probes"] if file.is_file() else []
    return [entry for entry in result if entry["case"].startswith("$jsonSchema: ")]


@pytest.mark.parametrize("probe", probes(), ids=lambda probe: probe["case"])
def test_a_validator_is_told_where_the_server_refused_its_words(probe: dict[str, Any]) -> None:
    findings = list(json_schema_not_lowered.stored(stored(validator=probe["statement"]["validator"])))
    case = probe["case"].removeprefix("$jsonSchema: ")
    assert bool(findings) == (not probe["accepted"] and case not in REFUSED_FOR_OTHER_REASONS)
