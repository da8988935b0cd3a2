"""Keyspaces on a real Cassandra 5.0.9: made, made again, completed, left alone, and filled."""

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from pydantic import BaseModel
from tests.engines.cassandra import everything
from tests.live.drawn import drawn
from tests.properties.cassandra import targets

from keywright import api, runtime
from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.cql import identifier
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Driver
from keywright.frontend.lower import binding_of
from keywright.ir.design import Design
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.record import replace

pytestmark = pytest.mark.live

Place = Callable[[KeyspaceTarget], KeyspaceTarget]

COUNT = itertools.count()


@pytest.fixture(scope="module")
def server(start: Callable[..., Running]) -> Running:
    return start("cassandra")


@pytest.fixture(scope="module")
def driver(server: Running) -> Iterator[Driver]:
    connected = cassandra.connect(server.url)
    yield connected
    connected.close()


@pytest.fixture(scope="module")
def session(server: Running) -> Iterator[Any]:
    session = cassandra.client(server.url)
    yield session
    session.cluster.shutdown()


@pytest.fixture(scope="module")
def example() -> tuple[KeyspaceTarget, ...]:
    """The keyspaces of the worked example."""
    project = api.load(str(Path(__file__).parents[2]))
    return ENGINE.lower(project.design.of_engine("cassandra"))


def an_environment(server: Running) -> CassandraEnvironment:
    """A local one whose keyspaces nobody else has."""
    return replace(ENGINE.localise(None, server.version), keyspace_prefix=f"t{next(COUNT)}_")


def outcomes(statements: tuple[Statement, ...], driver: Driver) -> set[str]:
    return {done.outcome for done in run(statements, driver)}


def native(target: KeyspaceTarget, driver: Driver) -> Any:
    result = driver.introspect([target.name])[target.name]
    assert result is not None
    return result["native"]


def test_the_example_is_made_once_and_then_kept(
    example: tuple[KeyspaceTarget, ...], server: Running, driver: Driver
) -> None:
    environment = an_environment(server)
    for declared in example:
        placed = ENGINE.place(declared, environment)
        assert list(ENGINE.refuse(placed, environment)) == []
        assert outcomes(ENGINE.create(placed), driver) == {"made"}
        assert outcomes(ENGINE.create(placed), driver) == {"kept"}
        assert native(placed, driver) == ENGINE.describe(placed)["native"]


def test_a_live_keyspace_is_what_was_declared(
    example: tuple[KeyspaceTarget, ...], server: Running, driver: Driver
) -> None:
    environment = an_environment(server)
    placed = ENGINE.place(example[0], environment)
    run(ENGINE.create(placed), driver)
    description = driver.introspect([placed.name])[placed.name]
    assert description is not None
    live = ENGINE.unplace(ENGINE.parse(description), environment)
    assert ENGINE.managed(live, example[0]) == replace(example[0], shape=())


def test_generated_keyspaces_are_made_and_read_back(server: Running, driver: Driver) -> None:
    @drawn(10)
    @given(targets())
    def is_read_back(declared: KeyspaceTarget) -> None:
        placed = ENGINE.place(declared, an_environment(server))
        statements = ENGINE.create(placed)
        assert outcomes(statements, driver) == {"made"}
        assert outcomes(statements, driver) == {"kept"}
        assert native(placed, driver) == ENGINE.describe(placed)["native"]

    is_read_back()


def test_a_half_created_keyspace_is_completed(
    example: tuple[KeyspaceTarget, ...], server: Running, driver: Driver
) -> None:
    placed = ENGINE.place(example[1], an_environment(server))
    statements = ENGINE.create(placed)
    run(statements[:3], driver)
    done = run(statements, driver)
    assert [entry.outcome for entry in done] == ["kept"] * 3 + ["made"] * (len(statements) - 3)
    assert native(placed, driver) == ENGINE.describe(placed)["native"]


def test_a_table_that_differs_is_a_conflict_and_stays(
    example: tuple[KeyspaceTarget, ...], server: Running, driver: Driver, session: Any
) -> None:
    placed = ENGINE.place(example[0], an_environment(server))
    statements = ENGINE.create(placed)
    run(statements[:1], driver)
    name = placed.tables[0].name
    session.execute(f"CREATE TABLE {placed.name}.{name} (id int PRIMARY KEY, note text)")
    before = native(placed, driver)
    done = run(statements, driver)
    assert [entry.outcome for entry in done] == ["kept", "conflict"]
    assert native(placed, driver) == before


def test_rendered_statements_are_accepted_twice(
    example: tuple[KeyspaceTarget, ...], server: Running, driver: Driver, session: Any
) -> None:
    environment = an_environment(server)
    placed = ENGINE.place(example[1], environment)
    (artefact,) = ENGINE.render(example[1], placed, environment)
    text = "\n".join(line for line in artefact.text.splitlines() if not line.startswith("--"))
    for statement in [*text.split(";\n"), *text.split(";\n")]:
        if statement.strip():
            session.execute(statement)
    assert native(placed, driver) == ENGINE.describe(placed)["native"]


def test_a_keyspace_that_is_not_there_has_no_description(driver: Driver) -> None:
    assert driver.introspect(["nowhere"]) == {"nowhere": None}


def test_keyspaces_of_the_server_are_not_named(driver: Driver) -> None:
    assert not any(name.startswith("system") for name in driver.names())


def test_loaded_rows_are_there(server: Running, driver: Driver, session: Any) -> None:
    name = f"t{next(COUNT)}_load"
    _keyspace(session, name)
    session.execute(f'CREATE TABLE {name}.t (p int PRIMARY KEY, "Note" text)')
    session.execute(f"CREATE TABLE {name}.c (p int PRIMARY KEY, n counter)")
    assert driver.load(f"{name}.t", [{"p": 1, "Note": "a"}, {"p": 2, "Note": None}, {"p": 3}]) == 3
    assert driver.load(f"{name}.c", [{"p": 1, "n": 2}, {"p": 1, "n": 3}]) == 2
    assert sorted(tuple(row) for row in session.execute(f"SELECT * FROM {name}.t")) == [(1, "a"), (2, None), (3, None)]
    assert [tuple(row) for row in session.execute(f"SELECT * FROM {name}.c")] == [(1, 5)]


def _keyspace(session: Any, name: str) -> None:
    replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
    session.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}")


@pytest.fixture(scope="module")
def filled(server: Running, driver: Driver) -> str:
    """Name of a keyspace with the tables of the models that hold everything."""
    models = (everything.Everything, everything.Otherwise, everything.Tally, everything.Session)
    bindings = [binding_of(model.__name__, model) for model in models]
    result = tuple(binding for binding in bindings if binding is not None)
    physical = result[0].physical
    design = Design(
        tuple(entry.entity for entry in result),
        (physical,),
        tuple(replace(entry, physical=physical) for entry in result),
    )
    assert list(ENGINE.check(design)) == []
    placed = ENGINE.place(ENGINE.lower(design)[0], an_environment(server))
    assert outcomes(ENGINE.create(placed), driver) == {"made"}
    assert native(placed, driver) == ENGINE.describe(placed)["native"]
    return placed.name


@pytest.mark.parametrize("instance", everything.INSTANCES, ids=lambda entry: f"{type(entry).__name__} {entry.name}")
def test_what_is_written_is_read_back(filled: str, driver: Driver, session: Any, instance: BaseModel) -> None:
    table = identifier(type(instance).__store__.name)  # type: ignore[attr-defined]  # each has a table
    key = runtime.key_of(instance)
    assert driver.load(f"{filled}.{table.strip(chr(34))}", [runtime.to_item(instance)]) == 1
    where = " AND ".join(f"{identifier(column)} = ?" for column in key)
    result = session.execute(session.prepare(f"SELECT * FROM {filled}.{table} WHERE {where}"), list(key.values())).one()
    names = [row.column_name for row in session.execute(
        "SELECT column_name FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s",
        (filled, table.strip('"')),
    )]  # fmt: skip
    assert set(result._asdict()) == set(names)
    assert runtime.from_item(type(instance), result._asdict()) == instance


def test_counters_are_incremented(filled: str, driver: Driver, session: Any) -> None:
    item = runtime.to_item(everything.TALLY)
    assert driver.load(f"{filled}.tally", [item, item]) == 2
    result = session.execute(f"SELECT * FROM {filled}.tally").one()
    assert runtime.from_item(everything.Tally, result._asdict()) == everything.TALLY.model_copy(update={"views": 6})


def test_a_row_with_an_expiry_is_written_with_it(filled: str, driver: Driver, session: Any) -> None:
    now = datetime.now(UTC)
    live, gone = (
        everything.Session(token="live", started=now),
        everything.Session(token="gone", started=now - timedelta(2)),
    )
    assert driver.load(f"{filled}.sessions", [runtime.to_item(live), runtime.to_item(gone)]) == 1
    (result,) = session.execute(f'SELECT "token", TTL(started) AS kept FROM {filled}.sessions')
    assert result.token == "live"
    assert 3000 < result.kept <= 3600
