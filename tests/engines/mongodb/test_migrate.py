"""Steps, their probes, and descriptions of what is half done."""

from typing import Any

import pytest
from tests.engines.mongodb.designs import SIX, database_of, shop, stored_in

import keywright as kw
from keywright.engines.contract.plan import ObjectState, Statement, probe
from keywright.engines.mongodb.engine import ENGINE

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
        Statement(
            store="mongodb/shop",
            target="shop",
            object=("collections", "things"),
            summary='create collection "things"',
            native={
                "command": "create",
                "collection": "things",
                "arguments": {"collation": {"locale": "en", "strength": 3}},
            },
            wants={"collation": {"locale": "en", "strength": 3}},
        )
        == COLLECTION
    )
    assert UNIQUE.native == {
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
    native: Any = TEXT.native
    assert native["arguments"]["indexes"][0]["collation"] == {"locale": "simple"}


@pytest.mark.parametrize(
    ("statement", "changes", "state"),
    [
        (COLLECTION, {}, ObjectState.PRESENT),
        (COLLECTION, {"collections": {}}, ObjectState.ABSENT),
        (COLLECTION, {"collections": {"things": {}}}, ObjectState.CONFLICT),
        (UNIQUE, {"indexes": {}}, ObjectState.ABSENT),
        (UNIQUE, {"indexes": {"things": {"word_1": {"key": [["word", 1]]}}}}, ObjectState.CONFLICT),
        (UNIQUE, {"indexes": {"things": {"word_1": {"key": [["word", 1]], "building": True}}}}, ObjectState.PARTIAL),
    ],
)
def test_a_probe_tells_what_is_there(statement: Statement, changes: Any, state: ObjectState) -> None:
    assert probe(statement, native(**changes)) is state


def test_nothing_is_there_without_a_database() -> None:
    assert probe(COLLECTION, None) is ObjectState.ABSENT
