"""What mongod refuses: every answer that the pages of the codes speak of."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bson import SON
from bson.raw_bson import RawBSONDocument
from pymongo import MongoClient
from pymongo.errors import OperationFailure, WriteError

from keywright.local import Running

pytestmark = pytest.mark.live

Client = MongoClient[dict[str, Any]]


@pytest.fixture
def client(start: Callable[..., Running]) -> Iterator[Client]:
    """A client of a server without the database `shop`."""
    with MongoClient[dict[str, Any]](start("mongodb").url) as asking:
        asking.drop_database("shop")
        yield asking


def _index(key: Any, name: str = "x", **options: Any) -> dict[str, Any]:
    pattern = key if isinstance(key, RawBSONDocument) else SON(key)
    return {"createIndexes": "c", "indexes": [{"key": pattern, "name": name, **options}]}


TWO_OF_A_NAME = RawBSONDocument(b"\x13\0\0\0" + b"\x10a\0\1\0\0\0" * 2 + b"\0")
"""`{a: 1, a: 1}`, which no mapping can say."""


REFUSED: list[tuple[str, dict[str, Any], int, str]] = [
    ("MDB011", _index([("a", 1)], partialFilterExpression={"b": {"$ne": 1}}), 67, "not supported in partial index"),
    ("MDB011", _index([("a", 1)], partialFilterExpression={"b": {"$exists": False}}), 67, "not supported"),
    ("MDB013", _index([("a", 1), ("b", 1)], expireAfterSeconds=0), 67, "TTL indexes are single-field indexes"),
    ("MDB013", _index([("_id", 1)], expireAfterSeconds=0), 197, "not valid for an _id index"),
    ("MDB013", _index([("a", 1)], expireAfterSeconds=2**31), 67, "acceptable range"),
    ("MDB013", _index([("a", 1)], expireAfterSeconds=-1), 67, "cannot be less than 0"),
    ("MDB101", _index([("_id", 1)], partialFilterExpression={"b": 1}), 197, "not valid for an _id index"),
    ("MDB101", _index([("_id", 1)], hidden=True), 197, "not valid for an _id index"),
    ("MDB101", _index([("a", 1)], partialFilterExpression={"b": 1}, sparse=True), 67, "cannot mix"),
    ("MDB102", _index([("a", "hashed")], unique=True), 16764, "cannot guarantee uniqueness"),
    ("MDB104", _index([(f"f{n}", 1) for n in range(33)]), 13103, "too many compound keys"),
    ("MDB107", _index([]), 67, "cannot be empty"),
    ("MDB107", _index(TWO_OF_A_NAME), 2, "appears multiple times"),
    ("MDB107", _index([("$a", 1)]), 67, "starts with '$'"),
    ("MDB107", _index([("_id", -1)]), 2, "_id index must be"),
    ("MDB108", _index([("a", 1), ("b.$**", 1)]), 67, "wildcard indexes do not allow compounding"),
    ("MDB108", _index([("b.$**", 1)], unique=True), 67, "does not support the unique option"),
    ("MDB109", _index([("a", "text")], collation={"locale": "en"}), 67, "text"),
    ("MDB109", _index([("a", 1)], collation={"locale": "klingon"}), 2, "klingon"),
    ("E0503", _index([("a", "text")], default_language="klingon"), 67, "language"),
    ("MDB111", {"create": "a$b"}, 73, "Invalid collection name"),
    ("MDB111", {"create": "system.things"}, 73, "Invalid system namespace"),
    ("MDB111", {"create": ".things"}, 73, "cannot start with"),
    ("E0310", {"create": "d", "capped": True}, 72, "size"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "command", "number", "words"), REFUSED)
def test_the_server_refuses_what_check_refuses(
    client: Client, code: str, command: dict[str, Any], number: int, words: str
) -> None:
    client.shop.create_collection("c")
    with pytest.raises(OperationFailure) as refused:
        client.shop.command(command)
    assert (refused.value.code, words in str(refused.value)) == (number, True)


TWICE: list[tuple[str, dict[str, Any], dict[str, Any], int]] = [
    ("MDB014", _index([("a", "text")]), _index([("b", "text")], "y"), 85),
    ("MDB105", _index([("a", 1)]), _index([("a", 1)], "y"), 85),
    ("MDB105", _index([("a", 1)]), _index([("a", 1)], unique=True), 86),
    ("MDB105", _index([("a", 1)]), _index([("a", 1)], "y", expireAfterSeconds=1), 85),
]  # fmt: skip


@pytest.mark.parametrize(("code", "first", "second", "number"), TWICE)
def test_the_server_refuses_a_second_index_of_a_kind(
    client: Client, code: str, first: dict[str, Any], second: dict[str, Any], number: int
) -> None:
    client.shop.command(first)
    with pytest.raises(OperationFailure) as refused:
        client.shop.command(second)
    assert refused.value.code == number


def test_the_server_refuses_a_65th_index(client: Client) -> None:
    client.shop.command({"createIndexes": "c", "indexes": [{"key": {f"f{n}": 1}, "name": f"f{n}"} for n in range(63)]})
    with pytest.raises(OperationFailure, match="too many indexes"):
        client.shop.command(_index([("last", 1)]))


INSERTS: list[tuple[str, list[tuple[str, Any]], dict[str, Any], int]] = [
    ("MDB007", [("a", 1), ("b", 1)], {"a": [1], "b": [1]}, 171),
    ("MDB007", [("a.b", 1), ("a.c", 1)], {"a": [{"b": [1], "c": [1]}]}, 171),
    ("MDB107", [("a", "hashed")], {"a": [1]}, 16766),
    ("MDB107", [("a", "2dsphere")], {"a": "here"}, 16755),
]


@pytest.mark.parametrize(("code", "key", "document", "number"), INSERTS)
def test_the_server_builds_an_index_and_then_refuses_documents(
    client: Client, code: str, key: list[tuple[str, Any]], document: dict[str, Any], number: int
) -> None:
    client.shop.command(_index(key))
    with pytest.raises(WriteError) as refused:
        client.shop.c.insert_one(document)
    assert refused.value.code == number


def test_two_fields_of_one_array_may_stand_in_an_index(client: Client) -> None:
    client.shop.command(_index([("a.b", 1), ("a.c", 1)]))
    client.shop.c.insert_one({"a": [{"b": 1, "c": [1, 2]}, {"b": 2, "c": []}]})


SERIES: list[tuple[str, dict[str, Any], int]] = [
    ("GEN106", _index([("v", 1)], unique=True), 72),
    ("MDB109", _index([("v", 1)], partialFilterExpression={"v": 1}, collation={"locale": "en"}), 85),
]


@pytest.mark.parametrize(("code", "command", "number"), SERIES)
def test_a_time_series_has_fewer_kinds_of_index(
    client: Client, code: str, command: dict[str, Any], number: int
) -> None:
    client.shop.create_collection("c", timeseries={"timeField": "at", "metaField": "m"})
    with pytest.raises(OperationFailure) as refused:
        client.shop.command(command)
    assert refused.value.code == number


def test_a_capped_collection_does_not_expire(client: Client) -> None:
    client.shop.create_collection("c", capped=True, size=4096)
    with pytest.raises(OperationFailure, match="Cannot create TTL index on a capped collection"):
        client.shop.command(_index([("at", 1)], expireAfterSeconds=0))


def test_databases_that_differ_by_case_only_clash(client: Client) -> None:
    client.shop.create_collection("c")
    with pytest.raises(OperationFailure) as refused:
        client.SHOP.create_collection("c")
    assert refused.value.code == 13297
