"""Every table option that Cassandra 5.0.9 prints: declared, read from the server and from a file, and adopted.

SASI indexes, which have no declaration, stay.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.adopt.laws import assert_law
from tests.engines.cassandra.designs import a_design, a_table
from tests.servers import Start

from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.capabilities import TABLE_OPTIONS
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.engines.contract.adoption import Adoption
from keywright.engines.interface import Driver
from keywright.engines.registry import part_of
from keywright.migrations.run.runner import run
from keywright.record import replace

pytestmark = pytest.mark.live

ADOPTION = part_of("cassandra", "adoption", "ADOPTION", Adoption)
COUNT = itertools.count()

KEPT = {"extensions"}
"""Options without a meaning in Cassandra, which reports an empty map for any value: other products write into it."""

CHANGED: dict[str, Any] = {
    "additional_write_policy": "95p", "allow_auto_snapshot": False, "bloom_filter_fp_chance": 0.2,
    "caching": {"keys": "NONE", "rows_per_partition": "10"}, "cdc": True, "comment": "it's a comment",
    "compaction": {"class": "LeveledCompactionStrategy", "sstable_size_in_mb": "100"},
    "compression": {"class": "ZstdCompressor", "compression_level": "5"}, "crc_check_chance": 0.5,
    "default_time_to_live": 86_400, "gc_grace_seconds": 1_000, "incremental_backups": False,
    "max_index_interval": 4_096, "memtable": "default", "memtable_flush_period_in_ms": 60_000,
    "min_index_interval": 64, "read_repair": "NONE", "speculative_retry": "ALWAYS",
}  # fmt: skip
"""Other values than the server's defaults. A node has other memtables only if its configuration names them."""


class Server:
    """A connection, and keyspaces of one table."""

    def __init__(self, url: str, version: str) -> None:
        self.driver: Driver = cassandra.connect(url)
        self.session: Any = self.driver.observe().client
        self.environment = ENGINE.localise(None, version)
        assert isinstance(self.environment, CassandraEnvironment)

    def keyspace(self, options: str, then: str = "") -> str:
        """A keyspace with the table `t`, as a plain client creates it."""
        name = f"options_{next(COUNT)}"
        replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
        self.session.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}")
        self.session.execute(f"CREATE TABLE {name}.t (k text PRIMARY KEY, v text){options}")
        if then:
            self.session.execute(then.format(name))
        return name

    def live(self, name: str) -> KeyspaceTarget:
        return ENGINE.unplace(ENGINE.parse(self.driver.introspect([name])[name] or {}), self.environment)

    def described(self, name: str) -> str:
        """The statements that cqlsh prints."""
        return "\n".join(row.create_statement for row in self.session.execute(f"DESCRIBE KEYSPACE {name}"))


@pytest.fixture(scope="module")
def server(start: Start) -> Iterator[Server]:
    running = start("cassandra")
    made = Server(running.url, running.version)
    yield made
    made.driver.close()


def test_every_printed_option_is_known(server: Server) -> None:
    text = server.described(server.keyspace(""))
    printed = set(re.findall(r"^\s*(?:\) WITH|AND) (\w+) = ", text, re.MULTILINE))
    assert printed == TABLE_OPTIONS.keys() | KEPT
    assert CHANGED.keys() == TABLE_OPTIONS.keys()


@pytest.mark.parametrize("option", TABLE_OPTIONS)
def test_an_option_is_read_from_the_server_and_from_a_file_and_adopted(option: str, server: Server) -> None:
    value = CHANGED[option]
    text = str(value).replace("'", "''") if isinstance(value, str) else value
    name = server.keyspace(f" WITH {option} = " + (f"'{text}'" if isinstance(value, str) else str(value)))
    live = server.live(name)
    options = dict(live.tables[0].options)
    assert option in options or value == TABLE_OPTIONS[option].default
    schema = ADOPTION.read_schema({"schema.cql": server.described(name)})
    assert schema is not None
    assert [problem.reason for problem in schema.not_expressed] == []
    assert [target.tables for target in schema.targets if target.name == name] == [live.tables]
    adopted = ADOPTION.adopt(live, {}, server.environment)
    assert_law(ENGINE, live, adopted, server.environment)
    assert adopted.not_expressed == ()


def test_all_options_together_are_declared_as_settings(server: Server) -> None:
    settings = {name: value for name, value in CHANGED.items() if not TABLE_OPTIONS[name].word and name != "memtable"}
    table = a_table("all_options", settings=settings)
    environment = replace(server.environment, keyspace_prefix=f"options_{next(COUNT)}_")
    target = ENGINE.place(ENGINE.lower(a_design(table))[0], environment)
    run(ENGINE.create(target), server.driver)
    live = ENGINE.parse(server.driver.introspect([target.name])[target.name] or {})
    assert live.tables == target.tables
    assert settings.keys() <= dict(live.tables[0].options).keys()


def test_extensions_are_stored_by_no_cassandra_and_read_from_files_of_others(server: Server) -> None:
    name = server.keyspace(" WITH extensions = {'of_another': '0x00'}")
    text = server.described(name)
    assert "extensions = {}" in text
    schema = ADOPTION.read_schema(
        {"schema.cql": text.replace("extensions = {}", "extensions = {'of_another': '0x00'}")}
    )
    assert schema is not None
    assert [problem.reason for problem in schema.not_expressed] == [
        'table option "extensions": only the product that wrote it knows its meaning'
    ]


def test_a_sasi_index_is_listed_and_stays(server: Server) -> None:
    sasi = "CREATE CUSTOM INDEX v_of_t ON {}.t (v) USING 'org.apache.cassandra.index.sasi.SASIIndex'"
    sasi += " WITH OPTIONS = {{'mode': 'CONTAINS'}}"
    name = server.keyspace("", sasi)
    live = server.live(name)
    adopted = ADOPTION.adopt(live, {}, server.environment)
    assert_law(ENGINE, live, adopted, server.environment)
    reason = "an index of class SASIIndex: SASI is experimental: replace it by a storage-attached index"
    assert [(missing.object, missing.reason) for missing in adopted.not_expressed] == [("indexes/v_of_t", reason)]
    schema = ADOPTION.read_schema({"schema.cql": server.described(name)})
    assert schema is not None
    assert [target.indexes for target in schema.targets if target.name == name] == [live.indexes]
    expected = ENGINE.place(ENGINE.lower(adopted.design)[0], server.environment)
    assert ENGINE.managed(ENGINE.place(live, server.environment), expected).indexes == ()
