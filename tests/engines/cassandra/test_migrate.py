"""The steps that make a keyspace, the file made of them, and what a live keyspace is reported as."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from pydantic import BaseModel
from tests.engines.cassandra.designs import PRODUCTION, a_keyspace, a_table

import keywright as kw
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.introspect import keyspace_of
from keywright.engines.contract.plan import ObjectState, probe
from keywright.ir.json import Json


class Zone(BaseModel):
    Name: str


class Area(BaseModel):
    zone: Zone
    corners: list[Zone]


TABLE = a_table(
    fields={"at": datetime, "note": str, "area": Area, "order": int},
    partition=["sensor", "day"],
    clustering=["-at"],
    computed={"day": "{at:date}"},
    static="order",
    ttl=timedelta(days=30),
    indexes=[kw.CqlIndex("note", case_sensitive=False)],
    views=[kw.View("by_note", partition="note", clustering=["sensor", "day", "-at"])],
    schema_version=2,
    settings={"comment": "it's"},
)
PLACED = ENGINE.place(a_keyspace(TABLE), PRODUCTION)

SCRIPT = """\
-- Keyspace "metrics", written by `keywright compile`. Run it with: cqlsh -f cassandra/metrics.cql
-- Rerunnable: existing objects stay as they are; `keywright inspect` shows their definitions.

CREATE KEYSPACE IF NOT EXISTS metrics WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': '3'}
    AND durable_writes = true;

CREATE TYPE IF NOT EXISTS metrics.zone (
    "Name" text
);

CREATE TYPE IF NOT EXISTS metrics.area (
    zone frozen<zone>,
    corners frozen<list<frozen<zone>>>
);

CREATE TABLE IF NOT EXISTS metrics.readings (
    sensor text,
    day text,
    at timestamp,
    "order" bigint static,
    area frozen<area>,
    kw_v int,
    note text,
    PRIMARY KEY ((sensor, day), at)
) WITH CLUSTERING ORDER BY (at DESC)
    AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}
    AND comment = 'it''s'
    AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '1', 'compaction_window_unit': 'DAYS'}
    AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}
    AND default_time_to_live = 2592000
    AND gc_grace_seconds = 864000;

CREATE INDEX IF NOT EXISTS readings_note_idx ON metrics.readings (note) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'};

CREATE MATERIALIZED VIEW IF NOT EXISTS metrics.by_note AS
    SELECT area, at, day, kw_v, note, sensor
    FROM metrics.readings
    WHERE note IS NOT NULL
    AND sensor IS NOT NULL
    AND day IS NOT NULL
    AND at IS NOT NULL
    PRIMARY KEY (note, sensor, day, at) WITH CLUSTERING ORDER BY (sensor ASC, day ASC, at DESC)
    AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}
    AND compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '1', 'compaction_window_unit': 'DAYS'}
    AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}
    AND gc_grace_seconds = 864000;
"""  # noqa: E501  # a script is compared as it is

MAPS: dict[str, Any] = {
    "caching": {"keys": "ALL", "rows_per_partition": "NONE"},
    "compaction": {
        "class": "org.apache.cassandra.db.compaction.TimeWindowCompactionStrategy", "compaction_window_size": "1",
        "compaction_window_unit": "DAYS", "max_threshold": "32", "min_threshold": "4",
    },
    "compression": {"chunk_length_in_kb": "16", "class": "org.apache.cassandra.io.compress.LZ4Compressor"},
    "gc_grace_seconds": 864000, "bloom_filter_fp_chance": 0.01, "memtable": None, "cdc": None,
}  # fmt: skip


def a_column(table: str, name: str, type: str, kind: str = "regular", position: int = -1, order: str = "none") -> Any:
    return {
        "table_name": table, "column_name": name, "type": type, "kind": kind, "position": position,
        "clustering_order": order,
    }  # fmt: skip


REGULAR = (("note", "text"), ("area", "frozen<area>"), ("kw_v", "int"))

SCHEMA: dict[str, list[dict[str, Any]]] = {
    "keyspaces": [{
        "replication": {"class": "org.apache.cassandra.locator.NetworkTopologyStrategy", "dc1": "3"},
        "durable_writes": True,
    }],
    "types": [
        {"type_name": "zone", "field_names": ["Name"], "field_types": ["text"]},
        {"type_name": "area", "field_names": ["zone", "corners"],
         "field_types": ["frozen<zone>", "frozen<list<frozen<zone>>>"]},
    ],
    "tables": [{"table_name": "readings", "comment": "it's", "default_time_to_live": 2592000, **MAPS}],
    "columns": [
        a_column("readings", "day", "text", "partition_key", 1),
        a_column("readings", "sensor", "text", "partition_key", 0),
        a_column("readings", "at", "timestamp", "clustering", 0, "desc"),
        a_column("readings", "order", "bigint", "static"),
        *(a_column("readings", name, type) for name, type in REGULAR),
        a_column("by_note", "note", "text", "partition_key", 0),
        a_column("by_note", "at", "timestamp", "clustering", 2, "desc"),
        a_column("by_note", "sensor", "text", "clustering", 0, "asc"),
        a_column("by_note", "day", "text", "clustering", 1, "asc"),
        *(a_column("by_note", name, type) for name, type in REGULAR[1:]),
    ],
    "indexes": [{
        "index_name": "readings_note_idx", "table_name": "readings", "kind": "CUSTOM",
        "options": {"target": "note", "class_name": "sai", "case_sensitive": "false", "ascii": "false"},
    }],
    "views": [{
        "view_name": "by_note", "base_table_name": "readings", "include_all_columns": False,
        "where_clause": "note IS NOT NULL AND sensor IS NOT NULL AND day IS NOT NULL AND at IS NOT NULL", **MAPS,
    }],
}  # fmt: skip
"""The same keyspace as the rows of a server's system_schema."""


def test_the_script_makes_everything_in_an_order_that_works() -> None:
    (artefact,) = ENGINE.render(a_keyspace(TABLE), PLACED, PRODUCTION)
    assert artefact.path == "cassandra/metrics.cql"
    assert artefact.text == SCRIPT


def test_the_script_for_amazon_keyspaces_says_what_it_leaves_out() -> None:
    environment, declared = CassandraEnvironment(flavour="keyspaces"), a_keyspace(a_table())
    (artefact,) = ENGINE.render(declared, ENGINE.place(declared, environment), environment)
    assert artefact.text.partition("\n\n")[2] == (
        "CREATE KEYSPACE IF NOT EXISTS metrics WITH replication = {'class': 'SingleRegionStrategy'};\n\n"
        "CREATE TABLE IF NOT EXISTS metrics.readings (\n    sensor text,\n    PRIMARY KEY (sensor)\n);\n"
    )
    assert "-- The service itself manages compaction" in artefact.text


def test_a_reported_keyspace_is_described_as_the_declared_one() -> None:
    keyspace = keyspace_of("metrics", SCHEMA, frozenset())
    assert keyspace["native"] == ENGINE.describe(PLACED)["native"]


def test_every_step_finds_its_object_in_the_finished_keyspace() -> None:
    statements, result = ENGINE.create(PLACED), keyspace_of("metrics", SCHEMA, frozenset())
    assert [probe(statement, result) for statement in statements] == [ObjectState.PRESENT] * 6


def test_nothing_is_there_before_the_first_step() -> None:
    assert {probe(statement, None) for statement in ENGINE.create(PLACED)} == {ObjectState.ABSENT}


@pytest.mark.parametrize(("name", "part"), [("readings_note_idx", "indexes"), ("by_note", "views")])
def test_what_is_still_built_is_partial(name: str, part: str) -> None:
    keyspace = keyspace_of("metrics", SCHEMA, frozenset({name}))
    states = {statement.object: probe(statement, keyspace) for statement in ENGINE.create(PLACED)}
    assert [object for object, state in states.items() if state is ObjectState.PARTIAL] == [(part, name)]


def test_a_column_of_another_type_is_a_conflict() -> None:
    columns = [column | {"type": "int"} if column["column_name"] == "note" else column for column in SCHEMA["columns"]]
    keyspace = keyspace_of("metrics", SCHEMA | {"columns": columns}, frozenset())
    states = {statement.object: probe(statement, keyspace) for statement in ENGINE.create(PLACED)}
    assert [object for object, state in states.items() if state is ObjectState.CONFLICT] == [("tables", "readings")]


def test_a_view_with_a_condition_of_its_own_is_a_conflict() -> None:
    views = [view | {"where_clause": view["where_clause"] + " AND note = 'x'"} for view in SCHEMA["views"]]
    keyspace = keyspace_of("metrics", SCHEMA | {"views": views}, frozenset())
    states = {statement.object: probe(statement, keyspace) for statement in ENGINE.create(PLACED)}
    assert [object for object, state in states.items() if state is ObjectState.CONFLICT] == [("views", "by_note")]


def test_other_replication_is_a_conflict() -> None:
    keyspaces = [SCHEMA["keyspaces"][0] | {"replication": {"class": "SimpleStrategy", "replication_factor": "1"}}]
    keyspace = keyspace_of("metrics", SCHEMA | {"keyspaces": keyspaces}, frozenset())
    assert probe(ENGINE.create(PLACED)[0], keyspace) is ObjectState.CONFLICT


def test_tables_of_others_are_not_spoken_of() -> None:
    others = {"table_name": "notes", **MAPS}
    columns = [*SCHEMA["columns"], a_column("notes", "id", "int", "partition_key", 0)]
    keyspace = keyspace_of("metrics", SCHEMA | {"tables": [*SCHEMA["tables"], others], "columns": columns}, frozenset())
    live = ENGINE.managed(ENGINE.parse(keyspace), PLACED)
    assert ENGINE.describe(live)["native"] == ENGINE.describe(PLACED)["native"]


def test_a_store_is_named_after_its_keyspace() -> None:
    assert {statement.store for statement in ENGINE.create(PLACED)} == {"cassandra/metrics"}


def test_an_index_clashes_with_one_of_its_column_and_a_view_with_none() -> None:
    index: dict[str, Json] = {
        "table": "readings",
        "target": "note",
        "using": "sai",
        "options": {"case_sensitive": "false"},
    }
    view: Json = {"table": "readings", "partition": ["note"], "clustering": [["sensor", "ASC"]], "columns": None}
    assert ENGINE.clash(index, {**index, "options": {}})
    assert not ENGINE.clash(index, {**index, "target": "day"})
    assert not ENGINE.clash(view, view)
    assert not ENGINE.clash(index, view)
