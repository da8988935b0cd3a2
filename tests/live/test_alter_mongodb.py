"""Databases that change on a real mongod: collections, validators, indexes."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from pymongo import MongoClient
from pymongo.errors import DuplicateKeyError, OperationFailure, WriteError
from tests.live.altering import PACE, becomes, done, outcomes, remaining, survives
from tests.live.drawn import drawn
from tests.properties.near import pairs

from keywright.drivers.mongodb import driver as driver_of
from keywright.engines.interface import Driver
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget, IndexTarget, SeriesOptions
from keywright.local import Running
from keywright.migrations.run.runner import ApplyError, run

pytestmark = pytest.mark.live

Client = MongoClient[dict[str, Any]]
HERE = ENGINE.localise(None, "6.0")

OLD: Any = {"$jsonSchema": {"required": ["name"], "properties": {"name": {"bsonType": "string"}}}}
NEW: Any = {"$jsonSchema": {"required": ["title"], "properties": {"title": {"bsonType": "string"}}}}
BOTH: Any = {"$or": [OLD, NEW]}


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    connected = driver_of.connect(start("mongodb").url)
    yield connected
    connected.close()


@pytest.fixture
def client(start: Callable[..., Running]) -> Iterator[Client]:
    """A client of a server without the databases of this file."""
    with MongoClient[dict[str, Any]](start("mongodb").url) as asking:
        empty(asking)
        yield asking


def empty(client: Client) -> None:
    for name in ("altered", "generated"):
        client.drop_database(name)


def a_database(*collections: CollectionTarget) -> DatabaseTarget:
    return ENGINE.place(DatabaseTarget("altered", collections), HERE)


def things(*indexes: IndexTarget, **options: Any) -> CollectionTarget:
    return CollectionTarget("things", indexes=tuple(sorted(indexes, key=lambda index: index.name)), **options)


def an_index(path: str, name: str = "", **options: Any) -> IndexTarget:
    return IndexTarget(name or f"{path}_1", ((path, 1),), **options)


# Pairs, each with what the steps between say.

SERIES = SeriesOptions("at", "source", "minutes")
PAIRS: list[tuple[str, CollectionTarget, CollectionTarget, list[str]]] = [
    ("a validator comes", things(), things(validator=OLD), ["alter collection"]),
    ("a validator goes", things(validator=OLD, level="moderate", action="warn"), things(), ["alter collection"]),
    ("a validator admits both", things(validator=OLD), things(validator=BOTH), ["alter collection"]),
    ("a validator admits the new", things(validator=BOTH), things(validator=NEW), ["alter collection"]),
    ("documents are judged otherwise", things(validator=OLD), things(validator=OLD, level="moderate", action="warn"),
     ["alter collection"]),
    ("documents are logged unless they broke it before", things(validator=OLD, level="moderate"),
     things(validator=OLD, level="moderate", action="warn"), ["alter collection"]),
    ("images come", things(), things(has_images=True), ["alter collection"]),
    ("images go", things(has_images=True, validator=OLD), things(validator=OLD), ["alter collection"]),
    ("measurements expire", things(series=SERIES), things(series=SERIES, expire_after_seconds=60),
     ["alter collection"]),
    ("measurements expire later", things(series=SERIES, expire_after_seconds=60),
     things(series=SERIES, expire_after_seconds=61), ["alter collection"]),
    ("measurements expire no longer", things(series=SERIES, expire_after_seconds=60), things(series=SERIES),
     ["alter collection"]),
    ("measurements without a source expire", things(series=SeriesOptions("at", None, "hours")),
     things(series=SeriesOptions("at", None, "hours"), expire_after_seconds=60), ["alter collection"]),
    ("an index of measurements is hidden", things(an_index("source"), series=SERIES),
     things(an_index("source", is_hidden=True), series=SERIES), ["hide index"]),
    ("an index is hidden", things(an_index("a")), things(an_index("a", is_hidden=True)), ["hide index"]),
    ("an index is shown", things(an_index("a", is_hidden=True)), things(an_index("a")), ["show index"]),
    ("documents expire later", things(an_index("a", expire_after_seconds=60)),
     things(an_index("a", expire_after_seconds=61)), ["set the expiry of index"]),
    ("documents begin to expire", things(an_index("a")), things(an_index("a", expire_after_seconds=60)),
     ["hide index", "drop index", "create index"]),
    ("documents of one state begin to expire", things(an_index("a", "x", filter={"b": 1}, expire_after_seconds=60)),
     things(an_index("a", "x", filter={"b": 1}, expire_after_seconds=60),
            an_index("a", "y", filter={"b": 2}, expire_after_seconds=90)), ["create index"]),
    ("documents expire by another state", things(an_index("a", filter={"b": 1}, expire_after_seconds=60)),
     things(an_index("a", filter={"b": 2}, expire_after_seconds=60)), ["hide index", "drop index", "create index"]),
    ("documents expire by an embedded time no longer", things(an_index("a.b", expire_after_seconds=60)), things(),
     ["hide index", "drop index"]),
    ("a hash of several fields", things(IndexTarget("h", (("a", "hashed"),))),
     things(IndexTarget("h", (("b", 1), ("a", "hashed"), ("c", -1)))), ["hide index", "drop index", "create index"]),
    ("a wildcard index of other fields", things(IndexTarget("w", (("$**", 1),), projection=(("a", 1),))),
     things(IndexTarget("w", (("$**", 1),), projection=(("a.b", 0), ("c", 0)))),
     ["hide index", "drop index", "create index"]),
    ("an index becomes unique", things(an_index("a")), things(an_index("a", is_unique=True)),
     ["reject new duplicates in index", "make index"]),
    ("all that collMod can", things(an_index("a", expire_after_seconds=60)),
     things(an_index("a", expire_after_seconds=61, is_unique=True, is_hidden=True)),
     ["set the expiry of index", "reject new duplicates in index", "make index", "hide index"]),
    ("an index is unique no longer", things(an_index("a", is_unique=True)), things(an_index("a")),
     ["hide index", "drop index", "create index"]),
    ("another filter under the same name", things(an_index("a", filter={"b": {"$gt": 1}})),
     things(an_index("a", filter={"b": {"$gt": 2}})), ["hide index", "drop index", "create index"]),
    ("another filter, hidden before", things(an_index("a", is_hidden=True, filter={"b": {"$gt": 1}})),
     things(an_index("a", filter={"b": {"$gt": 2}})), ["drop index", "create index"]),
    ("an index goes", things(an_index("a")), things(), ["hide index", "drop index"]),
    ("an index takes the place of another", things(an_index("a")), things(an_index("b")),
     ["create index", "hide index", "drop index"]),
    ("an index has another name", things(an_index("a")), things(an_index("a", "by_a", is_hidden=True)),
     ["hide index", "drop index", "create index"]),
    ("two indexes change their names", things(an_index("a", "x"), an_index("b", "y")),
     things(an_index("a", "y"), an_index("b", "x")),
     ["hide index", "drop index", "hide index", "drop index", "create index", "create index"]),
    ("a unique twin goes", things(an_index("a", "u", is_unique=True), an_index("a")),
     things(an_index("a", is_unique=True)),
     ["hide index", "drop index", "reject new duplicates in index", "make index"]),
    ("a plain twin comes", things(an_index("a", "u")), things(an_index("a"), an_index("a", "u", is_unique=True)),
     ["reject new duplicates in index", "make index", "create index"]),
    ("another text index",
     things(IndexTarget("t", (("a", "text"),), weights=(("a", 1),), language="english")),
     things(IndexTarget("s", (("b", "text"),), weights=(("b", 1),), language="english")),
     ["hide index", "drop index", "create index"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "summaries"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS]
)
def test_a_collection_becomes_another(
    client: Client, driver: Driver, before: CollectionTarget, after: CollectionTarget, summaries: list[str]
) -> None:
    output = becomes(ENGINE, a_database(before), a_database(after), driver)
    assert [summary.partition(' "')[0] for summary in output] == summaries


BEFORE = a_database(
    things(
        an_index("a", expire_after_seconds=60),
        an_index("b", filter={"c": {"$gt": 1}}),
        an_index("f", "old_name"),
        validator=OLD,
    ),
    CollectionTarget("gone", indexes=(an_index("a"),)),
)
AFTER = a_database(
    things(
        an_index("a", expire_after_seconds=60, is_unique=True, is_hidden=True),
        an_index("b", filter={"c": {"$gt": 2}}),
        an_index("f", "new_name"),
        validator=BOTH,
    ),
)


def test_a_database_survives_every_crash(client: Client, driver: Driver) -> None:
    assert len(survives(ENGINE, BEFORE, AFTER, driver, lambda: empty(client))) == 12


@drawn(6)
@given(pairs(ENGINE).filter(lambda pair: pair[0] != pair[1]))
def test_a_generated_database_becomes_another(
    client: Client, driver: Driver, pair: tuple[DatabaseTarget, DatabaseTarget]
) -> None:
    empty(client)
    becomes(ENGINE, *pair, driver)


def test_a_database_that_goes_leaves_what_others_put_there(client: Client, driver: Driver) -> None:
    outcomes(ENGINE.create(BEFORE), driver)
    client.altered.others.insert_one({})
    statements = ENGINE.migrate(BEFORE, None)
    assert [statement.summary for statement in statements] == ['drop collection "things"', 'drop collection "gone"']
    assert outcomes(statements, driver) == Counter(made=2)
    assert outcomes(statements, driver) == Counter(kept=2)
    assert client.altered.list_collection_names() == ["others"]


def test_documents_are_judged_by_either_validator_and_then_by_the_new_one(client: Client, driver: Driver) -> None:
    becomes(ENGINE, a_database(things(validator=OLD)), a_database(things(validator=BOTH)), driver)
    client.altered.things.insert_many([{"name": "old"}, {"title": "new"}])
    statements = ENGINE.migrate(a_database(things(validator=BOTH)), a_database(things(validator=NEW)))
    assert outcomes(statements, driver) == Counter(made=1)
    client.altered.things.insert_one({"title": "new"})
    with pytest.raises(WriteError):
        client.altered.things.insert_one({"name": "old"})


# Unique indexes, while there are duplicates.

PLAIN, UNIQUE = a_database(things(an_index("a"))), a_database(things(an_index("a", is_unique=True)))


def reported(client: Client) -> Any:
    """The index as listIndexes tells it."""
    (result,) = (dict(index) for index in client.altered.things.list_indexes() if index["name"] == "a_1")
    return {key: value for key, value in result.items() if key not in ("v", "key", "name")}


def test_an_index_is_made_unique_once_no_duplicate_is_left(client: Client, driver: Driver) -> None:
    outcomes(ENGINE.create(PLAIN), driver)
    client.altered.things.insert_many([{"a": 1}, {"a": 1}])
    statements = ENGINE.migrate(PLAIN, UNIQUE)
    with pytest.raises(ApplyError, match="Cannot convert the index to unique") as failed:
        run(statements, driver, pace=PACE)
    assert [entry.outcome for entry in failed.value.done] == ["made"]
    assert reported(client) == {"prepareUnique": True}
    with pytest.raises(DuplicateKeyError):
        client.altered.things.insert_one({"a": 1})
    client.altered.things.delete_one({"a": 1})
    assert [entry.outcome for entry in done(statements, driver)] == ["kept", "made"]
    assert reported(client) == {"unique": True}
    assert remaining(ENGINE, UNIQUE, driver) == []


def test_an_index_that_no_longer_refuses_duplicates_is_as_it_was(client: Client, driver: Driver) -> None:
    outcomes(ENGINE.create(PLAIN), driver)
    for is_prepared in (True, False):
        client.altered.command("collMod", "things", index={"name": "a_1", "prepareUnique": is_prepared})
    assert remaining(ENGINE, PLAIN, driver) == []
    assert reported(client) == {}


def test_an_index_that_somebody_else_altered_is_left_alone(client: Client, driver: Driver) -> None:
    outcomes(ENGINE.create(PLAIN), driver)
    client.altered.command("collMod", "things", index={"name": "a_1", "hidden": True})
    assert outcomes(ENGINE.migrate(PLAIN, UNIQUE), driver) == Counter(conflict=1)
    assert reported(client) == {"hidden": True}


# What the server does.

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("unique at once", {"collMod": "things", "index": {"name": "a_1", "unique": True}}, "prepareUnique=false"),
    ("unique no longer", {"collMod": "unique", "index": {"name": "a_1", "unique": False}}, "Cannot make index non-un"),
    ("the same under another name",
     {"createIndexes": "things", "indexes": [{"key": {"a": 1}, "name": "x"}]}, "already exists with a different name"),
    ("the same, but hidden, under another name",
     {"createIndexes": "things", "indexes": [{"key": {"a": 1}, "name": "x", "hidden": True}]},
     "already exists with a different name"),
    ("the same, but expiring, under another name",
     {"createIndexes": "things", "indexes": [{"key": {"a": 1}, "name": "x", "expireAfterSeconds": 1}]},
     "An equivalent index already exists"),
    ("a second text index",
     {"createIndexes": "text", "indexes": [{"key": {"b": "text"}, "name": "x"}]},
     "An equivalent index already exists"),
    ("a validator of measurements", {"collMod": "series", "validator": {"a": 1}}, "not supported on a time-series"),
    ("images of measurements", {"collMod": "series", "changeStreamPreAndPostImages": {"enabled": True}},
     "not supported on a time-series"),
    ("another collation", {"collMod": "things", "collation": {"locale": "en"}}, "unknown field"),
]  # fmt: skip
"""Commands that no step sends, and a part of the server's own words."""


@pytest.mark.parametrize(("command", "words"), [entry[1:] for entry in REFUSED], ids=[entry[0] for entry in REFUSED])
def test_the_server_refuses_what_a_plan_goes_around(client: Client, command: dict[str, Any], words: str) -> None:
    client.altered.things.create_index("a")
    client.altered.unique.create_index("a", unique=True)
    client.altered.text.create_index([("a", "text")])
    client.altered.create_collection("series", timeseries={"timeField": "at"})
    with pytest.raises(OperationFailure, match=words):
        client.altered.command(command)


@pytest.mark.parametrize(
    "options",
    [
        {"unique": True},
        {"sparse": True},
        {"partialFilterExpression": {"b": {"$gt": 1}}},
        {"collation": {"locale": "en"}},
    ],
    ids=str,
)
def test_indexes_over_one_key_stand_side_by_side_if_they_differ_in_this(client: Client, options: Any) -> None:
    client.altered.things.create_index("a")
    client.altered.things.create_index("a", name="x", **options)
    assert len(client.altered.things.index_information()) == 3
