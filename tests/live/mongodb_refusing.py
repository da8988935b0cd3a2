"""What mongod refuses, though somebody might write it: claims of pages, each with the command and the error."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from bson import SON
from bson.raw_bson import RawBSONDocument
from pymongo import MongoClient
from pymongo.errors import OperationFailure
from tests.live.truth import Truths

Client = MongoClient[dict[str, Any]]

truth = Truths("mongodb")


def refused(do: Callable[[], object], words: str) -> str:
    """The error that an attempt ends with, whose message holds these words."""
    with pytest.raises(OperationFailure) as error:
        do()
    details = error.value.details or {}
    assert words in str(details.get("errmsg", error.value))
    name = str(details.get("codeName", ""))
    return f"error {error.value.code}{f' {name}' if name and not name.startswith('Location') else ''}: {words}"


def index(key: Any, name: str = "x", **options: Any) -> dict[str, Any]:
    """A command that makes an index of the collection `c`."""
    pattern = key if isinstance(key, RawBSONDocument) else SON(key)
    return {"createIndexes": "c", "indexes": [{"key": pattern, "name": name, **options}]}


TWO_OF_A_NAME = RawBSONDocument(b"\x13\0\0\0" + b"\x10a\0\1\0\0\0" * 2 + b"\0")
"""`{a: 1, a: 1}`, which no mapping can say."""

REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    ("MDB011", "A partial index does not test for not equal",
     index([("a", 1)], partialFilterExpression={"b": {"$ne": 1}}), "not supported in partial index"),
    ("MDB011", "A partial index does not test for none of several",
     index([("a", 1)], partialFilterExpression={"b": {"$nin": [1]}}), "not supported in partial index"),
    ("MDB011", "A partial index does not test for what is not there",
     index([("a", 1)], partialFilterExpression={"b": {"$exists": False}}), "not supported in partial index"),
    ("MDB011", "A partial index does not test for a pattern of text",
     index([("a", 1)], partialFilterExpression={"b": {"$regex": "^a"}}), "not supported in partial index"),
    ("MDB013", "An expiry is over one field",
     index([("a", 1), ("b", 1)], expireAfterSeconds=0), "TTL indexes are single-field indexes"),
    ("MDB013", "Nothing expires by `_id`", index([("_id", 1)], expireAfterSeconds=0), "not valid for an _id index"),
    ("MDB013", "An expiry is after 2147483647 seconds at the most",
     index([("a", 1)], expireAfterSeconds=2**31), "must be within an acceptable range"),
    ("MDB013", "An expiry is not before the time", index([("a", 1)], expireAfterSeconds=-1), "cannot be less than 0"),
    ("MDB013", "A wildcard index expires nothing",
     index([("a.$**", 1)], expireAfterSeconds=5), "cannot be a TTL index"),
    ("MDB101", "The index on `_id` is not partial",
     index([("_id", 1)], partialFilterExpression={"b": 1}), "not valid for an _id index"),
    ("MDB101", "The index on `_id` is not hidden", index([("_id", 1)], hidden=True), "not valid for an _id index"),
    ("MDB101", "An index is not sparse and partial",
     index([("a", 1)], partialFilterExpression={"b": 1}, sparse=True),
     'cannot mix "partialFilterExpression" and "sparse"'),
    ("MDB102", "A hashed index is not unique", index([("a", "hashed")], unique=True), "cannot guarantee uniqueness"),
    ("MDB102", "An index has one hash",
     index([("a", "hashed"), ("b", "hashed")]), "maximum of one index field is allowed to be hashed"),
    ("MDB104", "An index has 32 fields at the most",
     index([(f"f{n}", 1) for n in range(33)]), "too many compound keys"),
    ("MDB107", "An index has a field", index([]), "cannot be empty"),
    ("MDB107", "An index names a field once", index(TWO_OF_A_NAME), "appears multiple times"),
    ("MDB107", "A path of an index holds no operator", index([("$a", 1)]), "starts with '$'"),
    ("MDB107", "The direction of a field is not 0", index([("a", 0)]), "cannot be 0"),
    ("MDB107", "The kind of an index is one that there is", index([("a", "nope")]), "Unknown index plugin"),
    ("MDB107", "There is one index on `_id`, and it ascends", index([("_id", -1)]), "_id index must be"),
    ("MDB108", "A wildcard index has no field in front, before 7.0",
     index([("a", 1), ("b.$**", 1)]), "wildcard indexes do not allow compounding"),
    ("MDB108", "A wildcard index is not unique",
     index([("b.$**", 1)], unique=True), "does not support the unique option"),
    ("MDB108", "A projection belongs to an index over the whole document",
     index([("a.$**", 1)], wildcardProjection={"b": 1}), "'wildcardProjection' is only allowed"),
    ("MDB108", "A projection contains fields, or leaves out fields",
     index([("$**", 1)], wildcardProjection={"a": 1, "b": 0}), "Failed to parse: wildcardProjection"),
    ("MDB108", "A projection does not name a field and a part of it",
     index([("$**", 1)], wildcardProjection={"a": 1, "a.b": 1}), "Failed to parse: wildcardProjection"),
    ("MDB109", "A text index has no collation",
     index([("a", "text")], collation={"locale": "en"}), "does not support collation"),
    ("MDB109", "A collation is of a language that there is",
     index([("a", 1)], collation={"locale": "klingon"}), "Field 'locale' is invalid"),
    ("E0503", "A text index is of a language that there is",
     index([("a", "text")], default_language="klingon"), "default_language is not valid"),
    ("MDB111", "A collection's name holds no $", {"create": "a$b"}, "Invalid collection name"),
    ("MDB111", "A collection's name does not begin with system.",
     {"create": "system.things"}, "Invalid system namespace"),
    ("MDB111", "A collection's name does not begin with a dot", {"create": ".things"}, "cannot start with"),
    ("E0502", "A capped collection has a size", {"create": "d", "capped": True}, "the 'size' field is required"),
]  # fmt: skip


def _sent(command: dict[str, Any], words: str, client: Client) -> str:
    return refused(lambda: client.shop.command(command), words)


for _code, _text, _command, _words in REFUSED:
    truth(_code, _text)(partial(_sent, _command, _words))


TWICE: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
    ("MDB014", "A collection has one text index",
     index([("a", "text")]), index([("b", "text")], "y"), "An equivalent index already exists"),
    ("MDB105", "Equal keys and options are one index",
     index([("a", 1)]), index([("a", 1)], "y"), "Index already exists with a different name"),
    ("MDB105", "A name stands for one index",
     index([("a", 1)]), index([("a", 1)], unique=True), "same name as the requested index"),
    ("MDB105", "An expiry does not make another index",
     index([("a", 1)]), index([("a", 1)], "y", expireAfterSeconds=1), "An equivalent index already exists"),
]  # fmt: skip


def _twice(first: dict[str, Any], second: dict[str, Any], words: str, client: Client) -> str:
    client.shop.command(first)
    return refused(lambda: client.shop.command(second), words)


for _code, _text, _first, _second, _words in TWICE:
    truth(_code, _text)(partial(_twice, _first, _second, _words))


INSERTS: list[tuple[str, str, list[tuple[str, Any]], dict[str, Any], str]] = [
    ("MDB007", "An index over two arrays is built, and documents with both are refused",
     [("a", 1), ("b", 1)], {"a": [1], "b": [1]}, "cannot index parallel arrays"),
    ("MDB007", "Two arrays within elements of one are two arrays too",
     [("a.b", 1), ("a.c", 1)], {"a": [{"b": [1], "c": [1]}]}, "cannot index parallel arrays"),
    ("MDB107", "A hashed index takes no arrays",
     [("a", "hashed")], {"a": [1]}, "do not currently support array values"),
    ("MDB107", "Nor does any field beside the hash",
     [("a", "hashed"), ("b", 1)], {"a": 1, "b": [1]}, "do not currently support array values"),
    ("MDB107", "An index over places takes nothing else", [("a", "2dsphere")], {"a": "here"}, "extract geo keys"),
]  # fmt: skip


def _inserted(key: list[tuple[str, Any]], document: dict[str, Any], words: str, client: Client) -> str:
    client.shop.command(index(key))
    return refused(lambda: client.shop.c.insert_one(document), words)


for _code, _text, _key, _document, _words in INSERTS:
    truth(_code, _text)(partial(_inserted, _key, _document, _words))


SCHEMAS: list[tuple[str, dict[str, Any]]] = [
    ("keyword '$ref'", {"$ref": "#/definitions/a"}),
    ("keyword 'definitions'", {"definitions": {}}),
    ("keyword 'default'", {"properties": {"a": {"default": 1}}}),
    ("keyword 'format'", {"properties": {"a": {"format": "date-time"}}}),
    ("type 'integer'", {"properties": {"a": {"type": "integer"}}}),
]


def _validated(schema: dict[str, Any], words: str, client: Client) -> str:
    command = {"create": "c", "validator": {"$jsonSchema": schema}}
    return refused(lambda: client.shop.command(command), f"$jsonSchema {words} is not currently supported")


for _words, _schema in SCHEMAS:
    truth("MDB110", f"A validator does not know the {_words} of JSON Schema")(partial(_validated, _schema, _words))


@truth("MDB103", "A collection has 64 indexes at the most, that on `_id` included")
def _(client: Client) -> str:
    client.shop.command({"createIndexes": "c", "indexes": [{"key": {f"f{n}": 1}, "name": f"f{n}"} for n in range(63)]})
    return refused(lambda: client.shop.command(index([("last", 1)])), "too many indexes")


@truth("MDB013", "Documents of a capped collection do not expire")
def _(client: Client) -> str:
    client.shop.create_collection("c", capped=True, size=4096)
    return refused(
        lambda: client.shop.command(index([("at", 1)], expireAfterSeconds=0)), "TTL index on a capped collection"
    )


@truth("MDB111", "Names of databases differ by more than upper and lower case")
def _(client: Client) -> str:
    client.shop.create_collection("c")
    return refused(lambda: client.SHOP.create_collection("c"), "db already exists with different case")


def series(client: Client) -> None:
    """Makes the collection `c` a time series."""
    client.shop.create_collection("c", timeseries={"timeField": "at", "metaField": "m"})


@truth("GEN106", "A time series has no unique index")
def _(client: Client) -> str:
    series(client)
    return refused(lambda: client.shop.command(index([("v", 1)], unique=True)), "Unique indexes are not supported")


MEASURED: list[tuple[str, dict[str, Any]]] = [("null", {"v": None}), ("a type", {"v": {"$type": "int"}})]


def _measured(filter: dict[str, Any], client: Client) -> str:
    series(client)
    return refused(lambda: client.shop.command(index([("v", 1)], partialFilterExpression=filter)), "can't handle")


for _words, _filter in MEASURED:
    truth("MDB011", f"A partial index of a time series tests no measured value for {_words}")(
        partial(_measured, _filter)
    )


@truth("MDB013", "An index of a time series expires nothing, before 7.0")
def _(client: Client) -> str:
    series(client)
    return refused(
        lambda: client.shop.command(index([("m", 1)], expireAfterSeconds=5)), "TTL indexes are not supported"
    )


@truth("MDB109", "A partial index of a time series has no collation")
def _(client: Client) -> str:
    series(client)
    options: dict[str, Any] = {"partialFilterExpression": {"v": 1}, "collation": {"locale": "en"}}
    return refused(lambda: client.shop.command(index([("v", 1)], **options)), "arguments are incompatible")


@truth("MDB003", "A field of elements is not set through their array")
def _(client: Client) -> str:
    client.shop.c.insert_one({"_id": 1, "parts": [{"amount": 1}]})
    change = {"$set": {"parts.amount": 2}}
    return refused(lambda: client.shop.c.update_one({"_id": 1}, change), "Cannot create field 'amount' in element")


def _grown(client: Client) -> str:
    client.shop.c.insert_one({"_id": 1, "comments": []})
    entry = {"$push": {"comments": "x" * (5 * 2**20)}}
    for _ in range(3):
        client.shop.c.update_one({"_id": 1}, entry)
    return refused(lambda: client.shop.c.update_one({"_id": 1}, entry), "Size must be between 0 and 16793600(16MB)")


for _code in ("MDB001", "MDB002", "MDB004", "MDB016", "MDB049"):
    truth(_code, "A document has 16 MiB at the most, and an array grows no further")(_grown)
