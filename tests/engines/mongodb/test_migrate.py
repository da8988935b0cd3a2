"""Steps, their probes, and descriptions of what is half done."""

from typing import Any

import pytest
from tests.engines.mongodb.designs import SIX, database_of, shop, stored_in

import keywright as kw
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.plan import State, Step, probe

STORE = kw.Collection(
    shop,
    "things",
    validation="off",
    settings={"collation": {"locale": "en"}},
    indexes=[kw.Index("word", unique=True), kw.TextIndex("body")],
)
PLACED = ENGINE.place(database_of(stored_in(STORE, {"word": str, "body": str})), SIX)
COLLECTION, TEXT, UNIQUE = ENGINE.create(PLACED)


def native(**changes: Any) -> dict[str, Any]:
    described: Any = ENGINE.describe(PLACED)
    return {**described, "native": {**described["native"], **changes}}


def test_a_collection_comes_before_its_indexes() -> None:
    assert (
        Step(
            store="mongodb/shop",
            target="shop",
            object=("collections", "things"),
            summary='create collection "things"',
            statement={
                "command": "create",
                "collection": "things",
                "arguments": {"collation": {"locale": "en", "strength": 3}},
            },
            wants={"collation": {"locale": "en", "strength": 3}},
        )
        == COLLECTION
    )
    assert UNIQUE.statement == {
        "command": "createIndexes",
        "collection": "things",
        "arguments": {
            "indexes": [
                {
                    "name": "word_1",
                    "key": [["word", 1]],
                    "unique": True,
                    "collation": {"locale": "en", "strength": 3},
                }
            ]
        },
    }


def test_a_text_index_does_not_inherit_the_language_of_its_collection() -> None:
    statement: Any = TEXT.statement
    assert statement["arguments"]["indexes"][0]["collation"] == {"locale": "simple"}


@pytest.mark.parametrize(
    ("step", "changes", "state"),
    [
        (COLLECTION, {}, State.PRESENT),
        (COLLECTION, {"collections": {}}, State.ABSENT),
        (COLLECTION, {"collections": {"things": {}}}, State.CONFLICT),
        (UNIQUE, {"indexes": {}}, State.ABSENT),
        (UNIQUE, {"indexes": {"things": {"word_1": {"key": [["word", 1]]}}}}, State.CONFLICT),
        (UNIQUE, {"indexes": {"things": {"word_1": {"key": [["word", 1]], "building": True}}}}, State.PARTIAL),
    ],
)
def test_a_probe_tells_what_is_there(step: Step, changes: Any, state: State) -> None:
    assert probe(step, native(**changes)) is state


def test_nothing_is_there_without_a_database() -> None:
    assert probe(COLLECTION, None) is State.ABSENT
