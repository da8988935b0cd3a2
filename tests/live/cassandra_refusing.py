"""What Cassandra refuses, though somebody might write it: claims of pages, each with the statement and the error."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from tests.live.truth import Truths

from keywright.drivers.cassandra import driver as cassandra

truth = Truths("cassandra")

THINGS = (
    "CREATE TYPE part (n int, names frozen<list<text>>)",
    "CREATE TYPE loose (names list<text>)",
    "CREATE TABLE base (p int, c int, v text, w text, n int, s text static, d duration, b blob, l list<int>, u part,"
    " PRIMARY KEY (p, c))",
    "CREATE TABLE lone (p int PRIMARY KEY, v text)",
    "CREATE TABLE counted (p int PRIMARY KEY, n counter)",
    "CREATE TABLE eager (p int, c int, v text, PRIMARY KEY (p, c)) WITH gc_grace_seconds = 0",
    "CREATE INDEX taken ON base (w) USING 'sai'",
)
"""A few things that statements may refer to."""


def refused(do: Callable[[], object], words: str) -> str:
    """The error that an attempt ends with, whose message holds these words."""
    with pytest.raises(cassandra.FAILURES) as error:
        do()
    said = str(error.value)
    assert words in said, said
    code = re.search(r"code=(\d+)", said)
    return f"error {code[1] if code else type(error.value).__name__}: {words}"


ONE_COPY = "{'class': 'SimpleStrategy', 'replication_factor': 1}"

REFUSED: list[tuple[str, str, str, str]] = [
    ("CAS001", "A query does not ask without the partition key", "SELECT * FROM base WHERE v = 'a'",
     "might involve data filtering"),
    ("CAS001", "A query does not ask by a clustering column alone", "SELECT * FROM base WHERE c = 1",
     "might involve data filtering"),
    ("CAS004", "A query has no range of partitions", "SELECT * FROM base WHERE p > 1 AND c = 1",
     "might involve data filtering"),
    ("CAS005", "A counter does not expire", "UPDATE counted USING TTL 9 SET n = n + 1 WHERE p = 1",
     "Cannot provide custom TTL for counter"),
    ("CAS007", "A strategy is not called by its initials",
     "CREATE TABLE x (p int PRIMARY KEY) WITH compaction = {'class': 'TWCS'}",
     "Unable to find compaction strategy class 'org.apache.cassandra.db.compaction.TWCS'"),
    ("CAS007", "A strategy has no option of another one", "CREATE TABLE x (p int PRIMARY KEY)"
     " WITH compaction = {'class': 'LeveledCompactionStrategy', 'foo': '1'}",
     "Properties specified [foo] are not understood by LeveledCompactionStrategy"),
    ("CAS007", "A window is not counted in weeks", "CREATE TABLE x (p int PRIMARY KEY)"
     " WITH compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'WEEKS'}",
     "WEEKS is not valid for compaction_window_unit"),
    ("CAS013", "Rows are not ordered by what is no clustering column",
     "SELECT * FROM base WHERE p = 1 ORDER BY v", "only supported on the clustered columns"),
    ("CAS101", "Counters do not stand beside other columns",
     "CREATE TABLE x (p int PRIMARY KEY, n counter, v text)", "Cannot mix counter and non counter columns"),
    ("CAS101", "A table of counters does not expire",
     "CREATE TABLE x (p int PRIMARY KEY, n counter) WITH default_time_to_live = 9", "Cannot set default_time_to_live"),
    ("CAS101", "A counter has no index", "CREATE INDEX x ON counted (n)",
     "Secondary indexes on counter tables aren't supported"),
    ("CAS101", "A table of counters has no view",
     "CREATE MATERIALIZED VIEW x AS SELECT * FROM counted WHERE p IS NOT NULL PRIMARY KEY (p)",
     "Materialized views are not supported on counter tables"),
    ("CAS101", "A counter is not set to a value", "INSERT INTO counted (p, n) VALUES (1, 1)",
     "INSERT statements are not allowed on counter tables"),
    ("CAS102", "A list that is not frozen is no key", "CREATE TABLE x (p list<int> PRIMARY KEY)",
     "Invalid non-frozen collection type"),
    ("CAS102", "A duration is no key", "CREATE TABLE x (p duration PRIMARY KEY)", "duration type is not supported"),
    ("CAS102", "A counter is no key", "CREATE TABLE x (p counter PRIMARY KEY)", "counter type is not supported"),
    ("CAS102", "A type that is not frozen is no key", "CREATE TABLE x (p part PRIMARY KEY)",
     "Invalid non-frozen user-defined type"),
    ("CAS102", "A static column is no key", "CREATE TABLE x (p int, c int static, PRIMARY KEY (p, c))",
     "cannot be part of the PRIMARY KEY"),
    ("CAS102", "A key names a column once", "CREATE TABLE x (p int, c int, PRIMARY KEY (p, c, c))", "Duplicate column"),
    ("CAS103", "Without a clustering column there are no static ones",
     "CREATE TABLE x (p int PRIMARY KEY, s text static)", "at least one clustering column"),
    ("CAS104", "A type in a list is frozen", "CREATE TABLE x (p int PRIMARY KEY, u list<part>)",
     "Non-frozen UDTs are not allowed inside collections"),
    ("CAS104", "A type that holds a list which is not frozen is frozen", "CREATE TABLE x (p int PRIMARY KEY, u loose)",
     "Non-frozen UDTs with nested non-frozen collections"),
    ("CAS104", "A type in a type is frozen", "CREATE TYPE x (u part)",
     "A user type cannot contain non-frozen UDTs"),
    ("CAS105", "A partition key has no direction",
     "CREATE TABLE x (p int, c int, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (p DESC)",
     "Only clustering key columns can be defined in CLUSTERING ORDER"),
    ("CAS105", "Other columns have no direction",
     "CREATE TABLE x (p int, c int, v int, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (v DESC)",
     "Only clustering key columns can be defined in CLUSTERING ORDER"),
    ("CAS106", "A table that keeps no tombstones has no view",
     "CREATE MATERIALIZED VIEW x AS SELECT * FROM eager WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, p)",
     "with gc_grace_seconds of 0"),
    ("CAS107", "A table expires after twenty years at the most",
     "CREATE TABLE x (p int PRIMARY KEY) WITH default_time_to_live = 630720001",
     "default_time_to_live must be less than or equal to 630720000"),
    ("CAS107", "A row expires after twenty years at the most",
     "INSERT INTO lone (p, v) VALUES (1, 'a') USING TTL 630720001", "ttl is too large"),
    ("CAS107", "Tombstones are not kept for less than no time",
     "CREATE TABLE x (p int PRIMARY KEY) WITH gc_grace_seconds = -1",
     "gc_grace_seconds must be greater than or equal to 0"),
    ("CAS109", "A view has the whole key of its table", "CREATE MATERIALIZED VIEW x AS SELECT p, v FROM base"
     " WHERE p IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, p)", "without primary key columns"),
    ("CAS109", "A view has one column more in its key", "CREATE MATERIALIZED VIEW x AS SELECT p, c, v, w FROM base"
     " WHERE p IS NOT NULL AND c IS NOT NULL AND v IS NOT NULL AND w IS NOT NULL PRIMARY KEY (v, w, p, c)",
     "Cannot include more than one non-primary key column"),
    ("CAS109", "A view has no static column", "CREATE MATERIALIZED VIEW x AS SELECT * FROM base"
     " WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, p)", "Cannot include static column"),
    ("CAS109", "A view has no row without one of its key columns", "CREATE MATERIALIZED VIEW x AS SELECT p, c, v"
     " FROM base WHERE p IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, p, c)", "must be restricted with 'IS NOT NULL'"),
    ("CAS110", "A duration has no index", "CREATE INDEX x ON base (d)", "not supported on duration columns"),
    ("CAS110", "The whole partition key has no index", "CREATE INDEX x ON lone (p)", "only partition key column"),
    ("CAS110", "A type that is not frozen has no index", "CREATE INDEX x ON base (u)", "non-frozen UDT"),
    ("CAS110", "A list that is not frozen has no index of the whole", "CREATE INDEX x ON base (full(l))",
     "can only be created on frozen collections"),
    ("CAS110", "A list has no keys", "CREATE INDEX x ON base (keys(l))", "with non-map type"),
    ("CAS110", "Bytes have no storage-attached index", "CREATE INDEX x ON base (b) USING 'sai'",
     "Unsupported type: blob"),
    ("CAS110", "Two indexes are not alike", "CREATE INDEX x ON base (w) USING 'sai'", "duplicate of existing index"),
    ("CAS110", "A part of the key is indexed as it is",
     "CREATE INDEX x ON base (c) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'}",
     "not supported on primary key columns"),
    ("CAS110", "A number has no options for text",
     "CREATE INDEX x ON base (n) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'}", "cannot be analyzed"),
    ("CAS111", "A table has no read_repair_chance any more",
     "CREATE TABLE x (p int PRIMARY KEY) WITH read_repair_chance = 0.1", "Unknown property 'read_repair_chance'"),
    ("CAS111", "Caching has no option of another name",
     "CREATE TABLE x (p int PRIMARY KEY) WITH caching = {'foo': 'ALL'}", "Invalid caching sub-options"),
    ("CAS111", "Compression has no option of another name",
     "CREATE TABLE x (p int PRIMARY KEY) WITH compression = {'class': 'LZ4Compressor', 'foo': '1'}",
     "Unknown compression options"),
    ("CAS112", "The name of a keyspace has 48 characters at the most",
     f"CREATE KEYSPACE {'k' * 49} WITH replication = {ONE_COPY}", "48 characters"),
    ("CAS112", "A name holds no hyphen", 'CREATE TABLE "a-b" (p int PRIMARY KEY)', "non-alphanumeric-underscore"),
    ("CAS112", "A reserved word is no name without quotes", "CREATE TABLE select (p int PRIMARY KEY)",
     "no viable alternative"),
    ("CAS112", "The server's own keyspaces are not for tables", "CREATE TABLE system.x (p int PRIMARY KEY)",
     "system keyspace is not user-modifiable"),
    ("CAS115", "Files are not dropped by their own times alone, if a server is not started for it",
     "CREATE TABLE x (p int PRIMARY KEY) WITH compaction = {'class': 'TimeWindowCompactionStrategy',"
     " 'unsafe_aggressive_sstable_expiration': 'true'}", "is requested but not allowed"),
    ("GEN004", "Cassandra does not look for what no key and no index serves", "SELECT * FROM base WHERE v = 'a'",
     "might involve data filtering"),
    ("GEN005", "Cassandra joins nothing", "SELECT * FROM base JOIN lone ON base.p = lone.p",
     "no viable alternative at input 'JOIN'"),
    ("E0205", "A type has a field", "CREATE TYPE x ()", "no viable alternative"),
]  # fmt: skip


def _sent(statement: str, words: str, session: Any) -> str:
    return refused(lambda: session.execute(statement), words)


for _code, _text, _statement, _words in REFUSED:
    truth(_code, _text)(partial(_sent, _statement, _words))
