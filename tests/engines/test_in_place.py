"""What no statement can change in place is refused by name, in every engine."""

from typing import Any

import pytest

from keywright.engines.cassandra.schema import target as c
from keywright.engines.contract.in_place import CannotChange
from keywright.engines.dynamodb.schema import target as d
from keywright.engines.interface import Engine
from keywright.engines.mongodb.schema import target as m
from keywright.engines.redis.schema import target as r
from keywright.engines.registry import ENGINES
from keywright.record import replace

BY_NAME: dict[str, Engine[Any, Any]] = {engine.name: engine for engine in ENGINES}

PK, SK, OTHER = d.KeyPart("pk", "S", "HASH"), d.KeyPart("sk", "S", "RANGE"), d.KeyPart("n", "N", "RANGE")
TABLE = d.TableTarget("shop", 1, (PK, SK), local_indexes=(d.IndexTarget("by_n", (PK, OTHER)),))

THINGS = m.CollectionTarget("things")
POINTS = m.CollectionTarget("points", series=m.SeriesOptions("at", "source", "minutes"))


def a_database(*collections: m.CollectionTarget) -> m.DatabaseTarget:
    return m.DatabaseTarget("shop", collections)


KEY = (c.Column("a", "text"),)
ROWS = c.TableTarget("rows", KEY, (c.ClusteringColumn("at", "timestamp"),), columns=(c.Column("n", "int"),))
PART = c.TypeTarget("part", (c.Column("n", "int"), c.Column("m", "int")))


def a_keyspace(table: c.TableTarget = ROWS, type: c.TypeTarget = PART) -> c.KeyspaceTarget:
    return c.KeyspaceTarget("metrics", types=(type,), tables=(table,))


SERVER = r.ServerTarget("sessions", 1, placement=r.Placement("redis"))

CASES: list[tuple[str, Any, Any, str]] = [
    ("dynamodb", TABLE, replace(TABLE, keys=(PK,)), "native/keys"),
    ("dynamodb", TABLE, replace(TABLE, keys=(PK, d.KeyPart("sk", "N", "RANGE"))), "native/keys"),
    ("dynamodb", TABLE, replace(TABLE, local_indexes=()), "native/local_indexes/by_n"),
    ("dynamodb", replace(TABLE, local_indexes=()), TABLE, "native/local_indexes/by_n"),
    ("dynamodb", TABLE, replace(TABLE, local_indexes=(d.IndexTarget("by_n", (PK, OTHER), "KEYS_ONLY"),)),
     "native/local_indexes/by_n"),
    ("dynamodb", TABLE, replace(TABLE, generation=2), "generation"),
    ("mongodb", a_database(THINGS), a_database(replace(THINGS, collation={"locale": "en", "strength": 3})),
     "native/collections/things/collation"),
    ("mongodb", a_database(THINGS), a_database(replace(THINGS, others=(("capped", True), ("size", 4096)))),
     "native/collections/things/capped"),
    ("mongodb", a_database(POINTS), a_database(replace(POINTS, series=None)), "native/collections/points/timeseries"),
    ("mongodb", a_database(POINTS), a_database(replace(POINTS, series=m.SeriesOptions("at", "source", "hours"))),
     "native/collections/points/timeseries"),
    ("cassandra", a_keyspace(), a_keyspace(replace(ROWS, partition=(c.Column("a", "uuid"),))),
     "native/tables/rows/partition"),
    ("cassandra", a_keyspace(), a_keyspace(replace(ROWS, clustering=(c.ClusteringColumn("at", "timestamp", True),))),
     "native/tables/rows/clustering"),
    ("cassandra", a_keyspace(), a_keyspace(replace(ROWS, columns=(c.Column("n", "text"),))),
     "native/tables/rows/columns/n"),
    ("cassandra", a_keyspace(), a_keyspace(replace(ROWS, columns=(), static=(c.Column("n", "int"),))),
     "tables/rows/static/n"),
    ("cassandra", a_keyspace(replace(ROWS, columns=(), static=(c.Column("n", "int"),))), a_keyspace(),
     "tables/rows/columns/n"),
    ("cassandra", a_keyspace(replace(ROWS, columns=(c.Column("p", "part"),))), a_keyspace(replace(ROWS, columns=())),
     "native/tables/rows/columns/p"),
    ("cassandra", a_keyspace(), a_keyspace(type=c.TypeTarget("part", PART.fields[::-1])), "native/types/part"),
    ("cassandra", a_keyspace(), a_keyspace(type=c.TypeTarget("part", PART.fields[:1])), "native/types/part"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after", "part"), CASES, ids=[f"{case[0]} {case[3]}" for case in CASES])
def test_a_part_that_cannot_change_in_place_is_named(name: str, before: Any, after: Any, part: str) -> None:
    with pytest.raises(CannotChange, match="cannot change in place") as refused:
        BY_NAME[name].migrate(before, after)
    assert refused.value.problem.partition("place: ")[2].partition(" (")[0] == part


def test_everything_that_cannot_change_is_named_at_once() -> None:
    with pytest.raises(CannotChange, match="cannot change in place") as refused:
        BY_NAME["dynamodb"].migrate(TABLE, replace(TABLE, keys=(PK,), local_indexes=()))
    assert refused.value.problem == (
        "dynamodb: shop cannot change in place: native/keys (the key of a table is fixed); "
        "native/local_indexes/by_n (a local index is fixed when its table is created)"
    )


@pytest.mark.parametrize(
    ("name", "target"),
    [("dynamodb", TABLE), ("mongodb", a_database(THINGS)), ("cassandra", a_keyspace()), ("redis", SERVER)],
)
def test_nothing_is_renamed_in_place(name: str, target: Any) -> None:
    with pytest.raises(ValueError, match="a target cannot be renamed in place"):
        BY_NAME[name].migrate(target, replace(target, name="other"))


def test_a_field_behind_the_others_of_a_type_is_no_rebuild() -> None:
    longer = c.TypeTarget("part", (*PART.fields, c.Column("o", "int")))
    (statement,) = BY_NAME["cassandra"].migrate(a_keyspace(), a_keyspace(type=longer))
    assert statement.native == "ALTER TYPE metrics.part ADD o int"
