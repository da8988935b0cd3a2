"""Keyspaces that change on a real Cassandra 5.0.9, and what the server itself refuses, resets and remembers."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from tests.live.altering import becomes, outcomes, remaining, survives
from tests.live.drawn import drawn
from tests.properties.near import near

from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.table_options import normal
from keywright.engines.cassandra.schema.target import (
    ClusteringColumn,
    Column,
    IndexTarget,
    KeyspaceTarget,
    TableTarget,
    TypeTarget,
    ViewTarget,
)
from keywright.engines.interface import Driver
from keywright.local import Running
from keywright.record import replace

pytestmark = pytest.mark.live

COUNT = itertools.count()
HERE = replace(ENGINE.localise(None, "5.0.9"), keyspace_prefix="alter_")
MAPS: dict[str, Any] = {
    "caching": {"keys": "ALL", "rows_per_partition": "NONE"},
    "compression": {"class": "LZ4Compressor", "chunk_length_in_kb": "16"},
    "compaction": {"class": "SizeTieredCompactionStrategy"},
    "gc_grace_seconds": 864000,
}
"""What a table says in any case."""


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    connected = cassandra.connect(start("cassandra").url)
    yield connected
    connected.close()


@pytest.fixture(scope="module")
def session(start: Callable[..., Running]) -> Iterator[Any]:
    session = cassandra.client(start("cassandra").url)
    yield session
    session.cluster.shutdown()


def columns(**types: str) -> tuple[Column, ...]:
    return tuple(Column(name, type) for name, type in sorted(types.items()))


def a_table(name: str = "readings", static: tuple[Column, ...] = (), *, options: Any = (), **types: str) -> TableTarget:
    """A table of rows by sensor and time."""
    key = (Column("sensor", "text"),)
    order = (ClusteringColumn("at", "timestamp", True),)
    return TableTarget(name, key, order, static, columns(**types), normal({**MAPS, **dict(options)}))


def a_view(name: str, column: str, *more: str, **options: Any) -> ViewTarget:
    """A view by one more column."""
    shown = tuple(sorted({"sensor", "at", column, *more}))
    said = normal({**MAPS, **options})
    return ViewTarget(name, "readings", (column,), (("sensor", "ASC"), ("at", "DESC")), shown, options=said)


def a_keyspace(*tables: TableTarget, durable_writes: bool = True, **parts: Any) -> KeyspaceTarget:
    """A placed keyspace that nobody else has."""
    declared = KeyspaceTarget("", tables=tables, **{name: tuple(part) for name, part in parts.items()})
    return ENGINE.place(declared, replace(HERE, durable_writes=durable_writes))


def named(keyspaces: tuple[KeyspaceTarget, ...]) -> tuple[KeyspaceTarget, ...]:
    """The same keyspaces under a name that no other test has."""
    name = f"altered{next(COUNT)}"
    return tuple(replace(keyspace, name=name) for keyspace in keyspaces)


def an_index(name: str, column: str, using: str = "legacy", **options: str) -> IndexTarget:
    return IndexTarget(name, "readings", column, using, tuple(sorted(options.items())))


LEVELED = {"compaction": {"class": "LeveledCompactionStrategy", "fanout_size": "7"}}
PAIRS: list[tuple[str, KeyspaceTarget, KeyspaceTarget, list[str]]] = [
    ("columns come and go", a_keyspace(a_table(a="text", b="int")), a_keyspace(a_table(b="int", c="list<int>")),
     ['add column "c" to table "readings"', 'drop column "a" of table "readings"']),
    ("static columns come and go", a_keyspace(a_table(static=columns(s="text"), a="int")),
     a_keyspace(a_table(static=columns(t="int"), a="int")),
     ['add column "t" to table "readings"', 'drop column "s" of table "readings"']),
    ("a counter comes", a_keyspace(a_table(a="counter")), a_keyspace(a_table(a="counter", b="counter")),
     ['add column "b" to table "readings"']),
    ("types come, grow and go",
     a_keyspace(a_table(a="frozen<one>", b="frozen<whole>"),
                types=[TypeTarget("a_part", columns(n="int")), TypeTarget("one", columns(n="int")),
                       TypeTarget("whole", columns(p="frozen<a_part>"))]),
     a_keyspace(a_table(a="frozen<one>", c="frozen<newer>"),
                types=[TypeTarget("newer", columns(n="int")),
                       TypeTarget("one", (*columns(n="int"), *columns(m="frozen<newer>", o="text")))]),
     ['create type "newer"', 'add "m" to type "one"', 'add "o" to type "one"', 'add column "c" to table "readings"',
      'drop column "b" of table "readings"', 'drop type "whole"', 'drop type "a_part"']),
    ("tables come and go", a_keyspace(a_table("one", a="int"), a_table(b="int"), indexes=[an_index("i", "b")],
                                      views=[a_view("v", "b")]),
     a_keyspace(a_table("one", a="int"), a_table("two", a="int")),
     ['drop index "i"', 'drop materialized view "v"', 'create table "two"', 'drop table "readings"']),
    ("rows expire no longer", a_keyspace(a_table(options={"default_time_to_live": 60})), a_keyspace(a_table()),
     ['alter table "readings"']),
    ("options go back to the server's own", a_keyspace(a_table(options={
        "comment": "old", "cdc": False, "crc_check_chance": 0.5, "min_index_interval": 64, "read_repair": "NONE",
        "speculative_retry": "ALWAYS", "memtable_flush_period_in_ms": 10, "bloom_filter_fp_chance": 0.2,
     })), a_keyspace(a_table()), ['alter table "readings"']),
    ("all maps change", a_keyspace(a_table()), a_keyspace(a_table(options={
        **LEVELED, "caching": {"keys": "NONE", "rows_per_partition": "10"}, "gc_grace_seconds": 10,
        "compression": {"class": "ZstdCompressor", "compression_level": "5"},
     })), ['alter table "readings"']),
    ("levels go, and their bloom filter with them", a_keyspace(a_table(options=LEVELED)), a_keyspace(a_table()),
     ['alter table "readings"']),
    ("nothing is compressed", a_keyspace(a_table()), a_keyspace(a_table(options={"compression": {"enabled": "false"}})),
     ['alter table "readings"']),
    ("indexes come, change and go",
     a_keyspace(a_table(a="text", b="text", c="int"),
                indexes=[an_index("i", "a"), an_index("j", "b"), an_index("k", "c")]),
     a_keyspace(a_table(a="text", b="text", c="int"),
                indexes=[an_index("i", "a", "sai", case_sensitive="false"), an_index("k", "c"), an_index("l", "b")]),
     ['drop index "i"', 'drop index "j"', 'create index "i" of table "readings"',
      'create index "l" of table "readings"']),
    ("a column goes with its index", a_keyspace(a_table(a="text", b="text"), indexes=[an_index("i", "a")]),
     a_keyspace(a_table(b="text")), ['drop index "i"', 'drop column "a" of table "readings"']),
    ("views come, change and go",
     a_keyspace(a_table(a="text", b="text"), views=[a_view("v", "a"), a_view("w", "a", "b")]),
     a_keyspace(a_table(a="text", b="text"), views=[a_view("v", "a", "b"), a_view("x", "b")]),
     ['drop materialized view "v"', 'drop materialized view "w"', 'create view "v" of table "readings"',
      'create view "x" of table "readings"']),
    ("a view has other options", a_keyspace(a_table(a="text"), views=[a_view("v", "a", comment="old")]),
     a_keyspace(a_table(a="text"), views=[a_view("v", "a", **LEVELED)]), ['alter materialized view "v"']),
    ("a column goes from under a view", a_keyspace(a_table(a="text", b="text"), views=[a_view("v", "a")]),
     a_keyspace(a_table(a="text"), views=[a_view("v", "a")]),
     ['drop materialized view "v"', 'drop column "b" of table "readings"', 'create view "v" of table "readings"']),
    ("writes are durable no longer", a_keyspace(a_table()), a_keyspace(a_table(), durable_writes=False),
     ["alter keyspace"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "summaries"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS]
)
def test_a_keyspace_becomes_another(
    driver: Driver, before: KeyspaceTarget, after: KeyspaceTarget, summaries: list[str]
) -> None:
    before, after = named((before, after))
    output = becomes(ENGINE, before, after, driver)
    assert [summary.removesuffix(f' "{after.name}"') for summary in output] == summaries


def test_replication_is_altered_with_all_that_belongs_to_it(driver: Driver, session: Any) -> None:
    before, after = named((a_keyspace(durable_writes=False), a_keyspace(durable_writes=False)))
    assert after.placement is not None
    pairs = tuple(sorted({**dict(after.placement.replication), "datacenter1": "2"}.items()))
    after = replace(after, placement=replace(after.placement, replication=pairs))
    assert becomes(ENGINE, before, after, driver) == (f'alter keyspace "{after.name}"',)


BEFORE = a_keyspace(
    a_table(a="text", b="text", options={"default_time_to_live": 9}),
    indexes=[an_index("i", "b")],
    views=[a_view("v", "a")],
)
AFTER = a_keyspace(
    a_table(a="text", c="int", options=LEVELED), indexes=[an_index("i", "a", "sai")], views=[a_view("v", "a")]
)


def test_a_keyspace_survives_every_crash(driver: Driver) -> None:
    """The view comes back as it was, so that it alone does not tell whether the column has gone."""
    before, after = named((BEFORE, AFTER))
    result = survives(ENGINE, before, after, driver, lambda: driver.drop([before.name]))
    assert len(result) == 8


def is_taken(keyspace: KeyspaceTarget) -> bool:
    """Whether a server takes it: the check lets some sets of durations pass, which no server has."""
    return not any(
        "<duration" in column.type for table in keyspace.tables for column in (*table.columns, *table.static)
    )


def test_generated_keyspaces_become_others(driver: Driver) -> None:
    @drawn(4)
    @given(near(ENGINE).filter(lambda pair: pair[0] != pair[1] and all(map(is_taken, pair))))
    def becomes_another(pair: tuple[KeyspaceTarget, KeyspaceTarget]) -> None:
        becomes(ENGINE, *named(tuple(ENGINE.place(keyspace, HERE) for keyspace in pair)), driver)

    becomes_another()


def test_a_keyspace_goes_and_stays_gone(driver: Driver) -> None:
    (before,) = named((BEFORE,))
    outcomes(ENGINE.create(before), driver)
    statements = ENGINE.migrate(before, None)
    assert outcomes(statements, driver) == Counter(made=1)
    assert outcomes(statements, driver) == Counter(kept=1)
    assert driver.introspect([before.name]) == {before.name: None}


def test_a_column_that_somebody_else_added_is_a_conflict(driver: Driver, session: Any) -> None:
    before, after = named((a_keyspace(a_table(a="text")), a_keyspace(a_table(a="text", b="text"))))
    outcomes(ENGINE.create(before), driver)
    session.execute(f"ALTER TABLE {before.name}.readings ADD b int")
    assert outcomes(ENGINE.migrate(before, after), driver) == Counter(conflict=1)


# What the server refuses, remembers and resets.


@pytest.fixture(scope="module")
def truth(session: Any) -> Any:
    """A session in a keyspace with a few things that statements may change."""
    replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
    session.execute(f"CREATE KEYSPACE altered_truth WITH replication = {replication}")
    session.set_keyspace("altered_truth")
    for statement in (
        "CREATE TYPE inner_part (n int)",
        "CREATE TYPE outer_part (p frozen<inner_part>)",
        "CREATE TABLE t (p int, c int, a text, b text, s text static, PRIMARY KEY (p, c))",
        "ALTER TABLE t DROP b",
        "ALTER TABLE t DROP s",
        "CREATE INDEX by_a ON t (a)",
        "CREATE TABLE with_part (p int PRIMARY KEY, part inner_part)",
        "CREATE TABLE viewed (p int, c int, a text, b text, PRIMARY KEY (p, c))",
        "CREATE MATERIALIZED VIEW seen AS SELECT p, c, a FROM viewed"
        " WHERE p IS NOT NULL AND c IS NOT NULL AND a IS NOT NULL PRIMARY KEY (a, p, c)",
        "CREATE TABLE counted (p int PRIMARY KEY, n counter, m counter)",
        "ALTER TABLE counted DROP n",
        "CREATE TABLE o (p int PRIMARY KEY)",
    ):
        session.execute(statement)
    return session


REFUSED = (
    ("ALTER TABLE t ADD b int", "incompatible with previously dropped column 'b' of type text"),
    ("ALTER TABLE t ADD b text static", "of kind STATIC, incompatible with previous kind REGULAR"),
    ("ALTER TABLE t ADD s text", "of kind REGULAR, incompatible with previous kind STATIC"),
    ("ALTER TABLE counted ADD n counter", "Cannot re-add previously dropped counter column"),
    ("ALTER TABLE t DROP a", "has dependent secondary indexes"),
    ("ALTER TABLE t DROP c", "Cannot drop PRIMARY KEY column"),
    ("ALTER TABLE t ALTER a TYPE blob", "Altering column types is no longer supported"),
    ("ALTER TABLE with_part DROP part", "Cannot drop non-frozen column part of user type inner_part"),
    ("ALTER TABLE viewed DROP b", "on base table viewed with materialized views"),
    ("DROP TABLE viewed", "materialized views still depend on it"),
    ("ALTER TYPE inner_part ALTER n TYPE text", "Altering field types is no longer supported"),
    ("DROP TYPE inner_part", "still used by user types outer_part"),
    ("ALTER TABLE o ADD s int static", "at least one clustering column"),
    ("ALTER TABLE o ADD n counter", "counter column"),
    (
        "ALTER TABLE o WITH compression = {'enabled': 'false', 'chunk_length_in_kb': '16'}",
        "no other options must be specified",
    ),
)
"""Statements that no step sends, and a part of the server's own words."""


@pytest.mark.parametrize(("statement", "words"), REFUSED, ids=[entry[0] for entry in REFUSED])
def test_the_server_refuses_what_a_plan_goes_around(truth: Any, statement: str, words: str) -> None:
    with pytest.raises(cassandra.FAILURES, match=words):
        truth.execute(statement)


def test_a_dropped_column_may_come_back_as_it_was(truth: Any) -> None:
    truth.execute("CREATE TABLE again (p int PRIMARY KEY, a text)")
    for change in ("DROP a", "ADD a text", "DROP a", "ADD a blob"):  # whatever reads what was stored
        truth.execute(f"ALTER TABLE again {change}")


def stored(truth: Any, option: str) -> Any:
    query = f"SELECT {option} FROM system_schema.tables WHERE keyspace_name = 'altered_truth' AND table_name = 'o'"
    (value,) = truth.execute(query).one()
    return dict(value) if hasattr(value, "items") else value


RESET = (
    ("compression", "{'class': 'ZstdCompressor', 'compression_level': '5', 'chunk_length_in_kb': '64'}",
     "{'class': 'ZstdCompressor'}", {"chunk_length_in_kb": "16", "compression_level": None}),
    ("caching", "{'keys': 'ALL', 'rows_per_partition': '10'}", "{'rows_per_partition': '5'}",
     {"keys": "NONE", "rows_per_partition": "5"}),
)  # fmt: skip


@pytest.mark.parametrize(("option", "first", "second", "left"), RESET, ids=[entry[0] for entry in RESET])
def test_the_server_resets_what_a_map_leaves_out(
    truth: Any, option: str, first: str, second: str, left: dict[str, str | None]
) -> None:
    for value in (first, second):
        truth.execute(f"ALTER TABLE o WITH {option} = {value}")
    assert {key: stored(truth, option).get(key) for key in left} == left


def test_the_server_keeps_the_bloom_filter_when_compaction_changes(truth: Any) -> None:
    for strategy in ("LeveledCompactionStrategy", "SizeTieredCompactionStrategy"):
        truth.execute(f"ALTER TABLE o WITH compaction = {{'class': '{strategy}'}}")
        assert stored(truth, "bloom_filter_fp_chance") == 0.01
    truth.execute("CREATE TABLE l (p int PRIMARY KEY) WITH compaction = {'class': 'LeveledCompactionStrategy'}")
    query = "SELECT bloom_filter_fp_chance FROM system_schema.tables WHERE keyspace_name = %s AND table_name = 'l'"
    assert truth.execute(query, ["altered_truth"]).one().bloom_filter_fp_chance == 0.1


def test_a_view_is_its_own_after_its_table_has_changed(driver: Driver) -> None:
    """What a table gets later is not in a view that names its columns."""
    before, after = named((a_keyspace(a_table(a="text"), views=[a_view("v", "a")]),) * 2)
    after = replace(after, tables=(replace(after.tables[0], columns=columns(a="text", b="text")),))
    assert becomes(ENGINE, before, after, driver) == ('add column "b" to table "readings"',)
    assert remaining(ENGINE, after, driver) == []
