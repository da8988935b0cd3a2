"""MongoDB targets, documents and scripts on a real mongod."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from bson import Decimal128
from hypothesis import given
from pymongo import MongoClient
from pymongo.errors import WriteError
from tests.engines.mongodb import everything
from tests.engines.mongodb.designs import database_of, shop, stored_in
from tests.live.drawn import drawn
from tests.live.stock_tools import mongosh
from tests.properties.mongodb import targets

import keywright as kw
from keywright import api, runtime
from keywright.drivers.mongodb import driver as driver_of
from keywright.engines.contract.diff import differences
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.filters import extended_date
from keywright.engines.mongodb.schema.target import DatabaseTarget
from keywright.local import Running
from keywright.migrations.run.runner import Done, run

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
    """A client of a server without databases, but for the one that the tests of documents share."""
    asking: Client = MongoClient(server.url)
    for name in asking.list_database_names():
        if name not in ("admin", "config", "local", "everything"):
            asking.drop_database(name)
    yield asking
    asking.close()


def placed(declared: DatabaseTarget) -> DatabaseTarget:
    return ENGINE.place(declared, ENGINE.localise(None, "6.0"))


def applied(target: DatabaseTarget, driver: Driver) -> list[Done]:
    return run(ENGINE.create(target), driver)


def outcomes(target: DatabaseTarget, driver: Driver) -> set[str]:
    return {entry.outcome for entry in applied(target, driver)}


def remaining(target: DatabaseTarget, driver: Driver) -> list[Any]:
    """What still differs between the target and the live database."""
    live = ENGINE.parse(driver.introspect([target.name])[target.name] or {})
    native = ENGINE.describe(ENGINE.managed(live, target))["native"]
    return list(differences(ENGINE.describe(target)["native"], native))


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
    assert {"content", "identity", "plant", "reporting"} <= set(driver.names())


@drawn(10)
@given(targets().filter(lambda target: bool(target.collections)))
def test_generated_databases_are_made_and_read_back(driver: Driver, client: Client, declared: DatabaseTarget) -> None:
    target = placed(declared)
    client.drop_database(target.name)
    assert list(ENGINE.refuse(target, ENGINE.localise(None, "6.0"))) == []
    applied(target, driver)
    assert remaining(target, driver) == []
    assert outcomes(target, driver) == {"kept"}


def test_a_half_created_database_is_completed(driver: Driver, client: Client) -> None:
    for statement in ENGINE.create(THINGS)[:2]:
        driver.run(statement)
    assert [entry.outcome for entry in applied(THINGS, driver)] == ["kept", "kept", "made"]
    assert remaining(THINGS, driver) == []


def test_a_collection_that_differs_is_reported_and_left_alone(driver: Driver, client: Client) -> None:
    client.shop.create_collection("things", capped=True, size=4096)
    assert [entry.outcome for entry in applied(THINGS, driver)] == ["conflict"]
    assert client.shop.things.options() == {"capped": True, "size": 4096}
    assert list(client.shop.things.index_information()) == ["_id_"]


def test_an_index_that_differs_is_reported_and_left_alone(driver: Driver, client: Client) -> None:
    driver.run(ENGINE.create(THINGS)[0])
    client.shop.things.create_index("word", name="word_1", hidden=True)
    assert [entry.outcome for entry in applied(THINGS, driver)] == ["kept", "made", "conflict"]
    assert client.shop.things.index_information()["word_1"]["hidden"] is True


def test_a_database_without_collections_is_there_at_once(driver: Driver, client: Client) -> None:
    target = placed(DatabaseTarget("shop"))
    assert applied(target, driver) == []
    assert remaining(target, driver) == []


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


def test_a_filter_for_presence_serves_queries_for_a_value(client: Client) -> None:
    client.shop.c.create_index("a", partialFilterExpression={"a": {"$exists": True}})
    plan = client.shop.c.find({"a": "x"}).explain()["queryPlanner"]["winningPlan"]
    assert plan["inputStage"]["stage"] == "IXSCAN"


def test_extended_json_of_filters_is_that_of_drivers(driver: Driver, client: Client) -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, 6_000, tzinfo=UTC)
    filter = {"b": {"$gte": moment}, "c": {"$lt": Decimal128("1.50")}}
    client.shop.c.create_index("a", name="x", partialFilterExpression=filter)
    native: Any = (driver.introspect(["shop"])["shop"] or {})["native"]
    assert native["indexes"]["c"]["x"]["partialFilterExpression"] == {
        "b": {"$gte": extended_date(moment)},
        "c": {"$lt": {"$numberDecimal": "1.50"}},
    }


# Validators and the run-time codec: what the model takes, the server takes, and gives back.


EVERYTHING = (everything.Usual, everything.Other, everything.Point, everything.Reference)


@pytest.fixture(scope="module")
def made(server: Running, driver: Driver) -> Iterator[Client]:
    """A client of a server with the collections of `everything`; tests leave them empty, or with keys of their own."""
    with MongoClient[dict[str, Any]](server.url) as asking:
        asking.drop_database("everything")
        applied(placed(database_of(*EVERYTHING)), driver)
        yield asking


@pytest.mark.parametrize("changes", [{}, {"optional": None, "given": None}, {"chosen": set(), "listed": []}])
@pytest.mark.parametrize("options", [{}, {"tz_aware": True, "uuidRepresentation": "standard"}])
@pytest.mark.parametrize("model", [everything.Usual, everything.Other])
def test_every_logical_type_comes_back_from_any_client(
    made: Client, server: Running, model: type[everything.Values], options: Any, changes: Any
) -> None:
    instance = model(**everything.values(**changes))
    with MongoClient[dict[str, Any]](server.url, **options) as asking:
        collection = asking.everything[model.__store__.name]  # type: ignore[attr-defined]  # both have a store
        collection.delete_many({})
        collection.insert_one(runtime.to_item(instance))
        result = collection.find_one(runtime.key_of(instance))
    assert result is not None
    assert runtime.from_item(model, result) == instance


def test_a_measurement_and_a_document_without_id_come_back(made: Client) -> None:
    point = everything.Point(at=everything.values()["moment"], source="a", value=Decimal("1.50"))
    reference = everything.Reference(target="64b7c0000000000000000000")
    for name, entry in (("points", point), ("references", reference)):
        made.everything[name].insert_one(runtime.to_item(entry))
        assert runtime.from_item(type(entry), made.everything[name].find_one({})) == entry


BROKEN: list[tuple[str, Any]] = [
    ("text", "UPPER"),
    ("text", "a" * 21),
    ("text", None),
    ("small", 10),
    ("small", -1),
    ("small", 2**40),
    ("real", "0.1"),
    ("exact", 1.5),
    ("exact", Decimal128("-0.01")),
    ("truth", 1),
    ("moment", "2026-11-21"),
    ("day", "2026-11-21"),
    ("span", 1.5),
    ("identity", "12345678"),
    ("colour", "blue"),
    ("level", 3),
    ("word", None),
    ("given", "7"),
    ("listed", [{}] * 6),
    ("listed", [{"at": None}]),
    ("chosen", [1, 1]),
    ("chosen", [None]),
    ("mapped", {"a": 1}),
    ("gaps", [1, "x"]),
    ("part", None),
    ("_kw_v", 0),
]


@pytest.mark.parametrize(("field", "value"), BROKEN)
def test_a_validator_refuses_what_the_model_would(made: Client, field: str, value: Any) -> None:
    item = {**runtime.to_item(everything.Usual(**everything.values())), field: value}
    with pytest.raises(WriteError) as refused:
        made.everything.usual.insert_one(item)
    assert refused.value.code == 121


@pytest.mark.parametrize(
    "field", sorted({*everything.Values.model_fields} - {"number", "optional", "given", "anything"})
)
def test_a_validator_refuses_a_document_that_lacks_a_field(made: Client, field: str) -> None:
    item = runtime.to_item(everything.Usual(**everything.values()))
    del item[field]
    with pytest.raises(WriteError) as refused:
        made.everything.usual.insert_one(item)
    assert refused.value.code == 121


# The script, as the shell itself runs it.


def test_the_shell_runs_the_scripts_and_runs_them_again(
    driver: Driver, client: Client, server: Running, tmp_path: Path
) -> None:
    client.drop_database("everything")
    declared = (*ENGINE.lower(api.load(str(ROOT)).design.of_engine("mongodb")), database_of(*EVERYTHING))
    command = [*mongosh(), "--quiet", server.url]
    for database in declared:
        (artefact,) = ENGINE.render(database, placed(database), ENGINE.localise(None, "6.0"))
        script = tmp_path / Path(artefact.path).name
        script.write_text(artefact.text, encoding="utf-8")
        command += ["--file", str(script), "--file", str(script)]
    shell = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (shell.returncode, shell.stdout, shell.stderr) == (0, "", "")
    assert [remaining(placed(database), driver) for database in declared] == [[]] * len(declared)
