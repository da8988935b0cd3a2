"""MongoDB targets on a real mongod."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bson import SON, json_util
from hypothesis import HealthCheck, Phase, given, settings
from pymongo import MongoClient
from pymongo.errors import OperationFailure, WriteError
from tests.engines.mongodb.designs import database_of, shop, stored_in
from tests.properties.mongodb import targets

import keywright as kw
from keywright import api
from keywright.drivers import mongodb as driver_of
from keywright.engines.compare import differences
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.target import DatabaseTarget
from keywright.history.runner import Done, run
from keywright.local import Running

pytestmark = pytest.mark.live

Start = Callable[..., Running]
Client = MongoClient[dict[str, Any]]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server(start: Start) -> Running:
    return start("mongodb")


@pytest.fixture(scope="module")
def driver(server: Running) -> Iterator[Driver]:
    connected = driver_of.connect(server.url)
    yield connected
    connected.close()


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    """A client of a server without databases."""
    asking: Client = MongoClient(server.url)
    for name in asking.list_database_names():
        if name not in ("admin", "config", "local"):
            asking.drop_database(name)
    yield asking
    asking.close()


def placed(declared: DatabaseTarget) -> DatabaseTarget:
    return ENGINE.place(declared, ENGINE.localise(None, "6.0"))


def applied(target: DatabaseTarget, driver: Driver) -> list[Done]:
    return run(ENGINE.create(target), driver, ENGINE.probe)


def outcomes(target: DatabaseTarget, driver: Driver) -> set[str]:
    return {one.outcome for one in applied(target, driver)}


def remaining(target: DatabaseTarget, driver: Driver) -> list[Any]:
    """What still differs between the target and the live database."""
    live = ENGINE.parse(driver.introspect([target.name])[target.name] or {})
    found = ENGINE.describe(ENGINE.managed(live, target))["native"]
    return list(differences(ENGINE.describe(target)["native"], found))


THINGS = placed(
    database_of(
        stored_in(
            kw.Collection(
                shop,
                "things",
                stream=kw.Stream(consumers=[]),
                settings={"collation": {"locale": "fr_CA"}},
                indexes=[kw.Index("word", unique=True, where={"number": kw.Present()}), kw.TextIndex("body")],
            ),
            {"word": str, "number": int | None, "body": str},
        )
    )
)


def test_the_worked_example_is_made_and_read_back(driver: Driver, client: Client) -> None:
    for declared in ENGINE.lower(api.load(str(ROOT)).design.of_engine("mongodb")):
        target = placed(declared)
        assert outcomes(target, driver) == {"made"}
        assert remaining(target, driver) == []
        assert outcomes(target, driver) == {"kept"}
    assert sorted(driver.names()) == ["content", "identity", "plant", "reporting"]


@settings(
    max_examples=10,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(targets().filter(lambda target: bool(target.collections)))
def test_generated_databases_are_made_and_read_back(driver: Driver, client: Client, declared: DatabaseTarget) -> None:
    target = placed(declared)
    client.drop_database(target.name)
    assert list(ENGINE.refuse(target, ENGINE.localise(None, "6.0"))) == []
    applied(target, driver)
    assert remaining(target, driver) == []
    assert outcomes(target, driver) == {"kept"}


def test_a_half_created_database_is_completed(driver: Driver, client: Client) -> None:
    for step in ENGINE.create(THINGS)[:2]:
        driver.run(step)
    assert [one.outcome for one in applied(THINGS, driver)] == ["kept", "kept", "made"]
    assert remaining(THINGS, driver) == []


def test_a_collection_that_differs_is_reported_and_left_alone(driver: Driver, client: Client) -> None:
    client.shop.create_collection("things", capped=True, size=4096)
    assert [one.outcome for one in applied(THINGS, driver)] == ["conflict"]
    assert client.shop.things.options() == {"capped": True, "size": 4096}
    assert list(client.shop.things.index_information()) == ["_id_"]


def test_an_index_that_differs_is_reported_and_left_alone(driver: Driver, client: Client) -> None:
    driver.run(ENGINE.create(THINGS)[0])
    client.shop.things.create_index("word", name="word_1", hidden=True)
    assert [one.outcome for one in applied(THINGS, driver)] == ["kept", "made", "conflict"]
    assert client.shop.things.index_information()["word_1"]["hidden"] is True


def test_a_database_without_collections_is_none(driver: Driver, client: Client) -> None:
    assert driver.introspect(["shop"]) == {"shop": None}


def test_everything_that_somebody_else_made_is_reported(driver: Driver, client: Client) -> None:
    client.shop.create_collection("others")
    client.shop.command("create", "seen", viewOn="others", pipeline=[{"$match": {"a": 1}}])
    client.shop.others.create_index("a", sparse=True)
    client.shop.others.create_index("b", storageEngine={"wiredTiger": {"configString": "block_compressor=zstd"}})
    client.shop.others.create_index([("$**", 1)], wildcardProjection={"a": 0})
    described = driver.introspect(["shop"])["shop"] or {}
    assert described["native"] == {
        "collections": {"others": {}, "seen": {"viewOn": "others", "pipeline": [{"$match": {"a": 1}}]}},
        "indexes": {
            "others": {
                "a_1": {"key": [["a", 1]], "sparse": True},
                "b_1": {
                    "key": [["b", 1]],
                    "storageEngine": {"wiredTiger": {"configString": "block_compressor=zstd"}},
                },
                "$**_1": {"key": [["$**", 1]], "wildcardProjection": {"a": 0}},
            }
        },
    }
    assert ENGINE.describe(ENGINE.parse(described)) == described


def test_an_index_in_the_making_is_told_from_a_finished_one(driver: Driver, client: Client) -> None:
    words = " ".join(f"word{n}" for n in range(300))
    client.shop.things.insert_many([{"body": words} for _ in range(3000)])
    build = threading.Thread(target=lambda: client.shop.things.create_index([("body", "text")], name="text"))
    seen: set[bool] = set()
    build.start()
    while build.is_alive():
        native: Any = (driver.introspect(["shop"])["shop"] or {})["native"]
        if index := native["indexes"].get("things", {}).get("text"):
            seen.add(index.get("building", False))
    build.join()
    assert True in seen


def test_documents_are_loaded_in_place_of_older_ones(driver: Driver, client: Client) -> None:
    items: list[Any] = [{"_id": n % 1500, "n": n} for n in range(2000)]
    assert driver.load("shop.things", items) == 2000
    assert client.shop.things.count_documents({}) == 1500
    assert driver.load("shop.others", [{"a": 1}]) == 1
    assert client.shop.others.count_documents({}) == 1


def test_a_failed_statement_has_the_words_of_the_server(driver: Driver, client: Client) -> None:
    client.shop.things.insert_many([{"word": "a", "number": 1}, {"word": "a", "number": 2}])
    with pytest.raises(StatementFailed, match="E11000 duplicate key error") as failed:
        driver.run(ENGINE.create(THINGS)[2])
    assert "full error" not in str(failed.value)


# What the pages of the codes say that the server answers.


def _index(key: Any, **options: Any) -> dict[str, Any]:
    return {"createIndexes": "c", "indexes": [{"key": SON(key), "name": "x", **options}]}


REFUSED: list[tuple[str, dict[str, Any], int, str]] = [
    ("MDB011", _index([("a", 1)], partialFilterExpression={"b": {"$ne": 1}}), 67, "not supported in partial index"),
    ("MDB011", _index([("a", 1)], partialFilterExpression={"b": {"$exists": False}}), 67, "not supported"),
    ("MDB013", _index([("a", 1), ("b", 1)], expireAfterSeconds=0), 67, "TTL indexes are single-field indexes"),
    ("MDB013", _index([("_id", 1)], expireAfterSeconds=0), 197, "not valid for an _id index"),
    ("MDB013", _index([("a", 1)], expireAfterSeconds=2**31), 67, "acceptable range"),
    ("MDB013", _index([("a", 1)], expireAfterSeconds=-1), 67, "cannot be less than 0"),
    ("MDB101", _index([("_id", 1)], partialFilterExpression={"b": 1}), 197, "not valid for an _id index"),
    ("MDB101", _index([("_id", 1)], hidden=True), 2, "hide _id index"),
    ("MDB101", _index([("a", 1)], partialFilterExpression={"b": 1}, sparse=True), 67, "cannot mix"),
    ("MDB102", _index([("a", "hashed")], unique=True), 16764, "cannot guarantee uniqueness"),
    ("MDB104", _index([(f"f{n}", 1) for n in range(33)]), 13103, "too many keys in index"),
    ("MDB107", _index([]), 67, "cannot be empty"),
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
    ("MDB014", _index([("a", "text")]), {**_index([("b", "text")]), "indexes": [{"key": {"b": "text"}, "name": "y"}]}, 85),
    ("MDB105", _index([("a", 1)]), {"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "y"}]}, 85),
    ("MDB105", _index([("a", 1)]), _index([("a", 1)], unique=True), 86),
    ("MDB105", _index([("a", 1)]), {"createIndexes": "c", "indexes": [
        {"key": {"a": 1}, "name": "y", "expireAfterSeconds": 1}]}, 85),
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


def test_a_filter_for_presence_serves_queries_for_a_value(client: Client) -> None:
    client.shop.command(_index([("a", 1)], partialFilterExpression={"a": {"$exists": True}}))
    plan = client.shop.c.find({"a": "x"}).explain()["queryPlanner"]["winningPlan"]
    assert plan["inputStage"]["stage"] == "IXSCAN"


def test_extended_json_of_filters_is_that_of_drivers(driver: Driver, client: Client) -> None:
    command = _index([("a", 1)], partialFilterExpression=json_util.loads(
        '{"b": {"$gte": {"$date": "2026-01-02T03:04:05.678Z"}}, "c": {"$lt": {"$numberDecimal": "1.50"}}}'
    ))  # fmt: skip
    client.shop.command(command)
    native: Any = (driver.introspect(["shop"])["shop"] or {})["native"]
    assert native["indexes"]["c"]["x"]["partialFilterExpression"] == {
        "b": {"$gte": {"$date": "2026-01-02T03:04:05.678Z"}},
        "c": {"$lt": {"$numberDecimal": "1.50"}},
    }
