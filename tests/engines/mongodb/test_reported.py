"""What a server reports, in the form of a declaration."""

from typing import Any

import pytest

from keywright.engines.mongodb.schema.reported import collation, collection, index, is_hidden_collection

ENGLISH = {
    "locale": "en", "caseLevel": False, "caseFirst": "off", "strength": 2, "numericOrdering": False,
    "alternate": "non-ignorable", "maxVariable": "punct", "normalization": False, "backwards": False,
    "version": "57.1",
}  # fmt: skip

INDEXES: list[tuple[dict[str, Any], tuple[str, Any]]] = [
    ({"v": 2, "key": {"a": 1, "b": -1}, "name": "a_1_b_-1"}, ("a_1_b_-1", {"key": [["a", 1], ["b", -1]]})),
    ({"v": 2, "key": {"a": 1.0, "b": -3}, "name": "x", "sparse": True, "unique": False},
     ("x", {"key": [["a", 1], ["b", -1]], "sparse": True})),
    ({"v": 2, "key": {"_fts": "text", "_ftsx": 1}, "name": "t_text_b_text", "weights": {"b": 1, "t": 5},
      "default_language": "english", "language_override": "language", "textIndexVersion": 3},
     ("t_text_b_text", {"key": [["b", "text"], ["t", "text"]], "weights": {"b": 1, "t": 5},
                        "default_language": "english"})),
    ({"v": 2, "key": {"p": "2dsphere"}, "name": "p_2dsphere", "2dsphereIndexVersion": 3, "collation": ENGLISH},
     ("p_2dsphere", {"key": [["p", "2dsphere"]], "collation": {"locale": "en", "strength": 2}})),
    ({"v": 2, "key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 60.0, "hidden": True},
     ("at_1", {"key": [["at", 1]], "expireAfterSeconds": 60, "hidden": True})),
]  # fmt: skip


@pytest.mark.parametrize(("reported", "described"), INDEXES)
def test_an_index_is_described_without_what_the_server_fills_in(reported: Any, described: Any) -> None:
    assert index(reported) == described


COLLECTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"validator": {}, "validationLevel": "strict"}, {}),
    ({"validator": {"a": 1}}, {"validator": {"a": 1}, "validationLevel": "strict", "validationAction": "error"}),
    ({"changeStreamPreAndPostImages": {"enabled": False}, "capped": False}, {}),
    ({"capped": True, "size": 1024}, {"capped": True, "size": 1024}),
    ({"collation": ENGLISH}, {"collation": {"locale": "en", "strength": 2}}),
    ({"timeseries": {"timeField": "at", "granularity": "minutes", "bucketMaxSpanSeconds": 86_400}},
     {"timeseries": {"timeField": "at", "granularity": "minutes"}}),
    ({"timeseries": {"timeField": "at", "bucketMaxSpanSeconds": 7, "bucketRoundingSeconds": 7}},
     {"timeseries": {"timeField": "at", "bucketMaxSpanSeconds": 7, "bucketRoundingSeconds": 7}}),
]  # fmt: skip


@pytest.mark.parametrize(("options", "described"), COLLECTIONS)
def test_a_collection_is_described_without_what_the_server_fills_in(options: Any, described: Any) -> None:
    assert collection({"name": "c", "type": "collection", "options": options}) == described


def test_a_collation_keeps_what_differs_from_its_language() -> None:
    assert collation({**ENGLISH, "numericOrdering": True}) == {"locale": "en", "strength": 2, "numericOrdering": True}
    assert collation({**ENGLISH, "locale": "fr_CA", "backwards": True}) == {"locale": "fr_CA", "strength": 2}
    assert collation({"locale": "simple"}) is None


def test_buckets_are_the_servers_own() -> None:
    assert is_hidden_collection("system.buckets.readings")
    assert not is_hidden_collection("systems")


def test_history_is_no_part_of_the_database_that_it_is_kept_in() -> None:
    assert is_hidden_collection("_kw_history")
    assert not is_hidden_collection("_kwargs")
