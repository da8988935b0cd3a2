"""What pages say of Cassandra, shown on a real node: what it does, and what the file beside this one claims."""

import os
import re
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from tests.live.cassandra_refusing import THINGS, refused, truth
from tests.live.truth import Claim

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.cassandra.evidence import RecordingSession
from keywright.local import Running

pytestmark = pytest.mark.live

MEGABYTES = [os.urandom(100_000) for _ in range(30)]
"""Three of them, which nothing makes smaller."""


def done(session: Any, query: str) -> list[str]:
    """What a node traces of a query, as soon as that is the same twice: parts of a trace may come late."""
    recorded, before = RecordingSession(session), [""]
    for _ in range(10):
        list(recorded.execute(query))
        (event,) = recorded.events()
        strs = [str(entry) for page in event.get("traces") or [] for entry in page]  # type: ignore[union-attr]
        strs = sorted(entry for entry in strs if entry.startswith(("Executing ", "Read ", "Submitting ")))
        if strs == before and any(entry.startswith("Read ") for entry in strs):
            break
        before = strs
    return before


def walked(session: Any, query: str) -> str:
    """The rows and tombstones that a query reads."""
    counts = [re.match(r"Read (\d+) live rows? and (\d+) tombstone", entry) for entry in done(session, query)]
    rows, tombstones = (sum(int(count[at]) for count in counts if count) for at in (1, 2))
    return f"rows read: {rows}, tombstones: {tombstones}"


def figure(session: Any, view: str, name: str, table: str) -> Any:
    """What a virtual table tells of one of ours; None where it tells nothing."""
    query = f"SELECT {name} FROM system_views.{view} WHERE keyspace_name = 'truth' AND table_name = '{table}'"
    result = session.execute(query).one()
    return result and result[0]


def until(is_so: Callable[[], bool]) -> None:
    """Waits for what comes by itself."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.2)


def filled(session: Any, table: str, rows: int, options: str = "") -> None:
    """Makes a table of one partition, whose rows are numbered."""
    session.execute(f"CREATE TABLE {table} (p int, c int, v int, PRIMARY KEY (p, c)){options}")
    for number in range(rows):
        session.execute(f"INSERT INTO {table} (p, c, v) VALUES (1, {number}, {number % 10})")


def deleted(session: Any, table: str, rows: int) -> None:
    """Fills a table with one row more than it deletes again, from the first one on."""
    filled(session, table, rows + 1)
    for number in range(rows):
        session.execute(f"DELETE FROM {table} WHERE p = 1 AND c = {number}")


@truth("CAS001", "ALLOW FILTERING reads the whole table for some of its rows")
def _(session: Any) -> str:
    filled(session, "filtered", 100)
    return walked(session, "SELECT * FROM filtered WHERE v = 7 ALLOW FILTERING")


@truth("CAS001", "With the partition key the row alone is read")
def _(session: Any) -> str:
    filled(session, "keyed", 100)
    return walked(session, "SELECT * FROM keyed WHERE p = 1 AND c = 7")


def written(session: Any, table: str, options: str = "") -> None:
    """Three megabytes in one partition, brought to the disk."""
    session.execute(f"CREATE TABLE {table} (p int, c int, v blob, PRIMARY KEY (p, c)){options}")
    put = session.prepare(f"INSERT INTO {table} (p, c, v) VALUES (1, ?, ?)")
    for number, value in enumerate(MEGABYTES):
        session.execute(put, (number, value))
    session.execute(f"ALTER TABLE {table} WITH memtable_flush_period_in_ms = 300")
    until(lambda: (figure(session, "disk_usage", "mebibytes", table) or 0) >= 2)


@truth("CAS002", "A node knows the size of the largest partition of each table")
def _(session: Any) -> str:
    written(session, "wide")
    return f"{figure(session, 'max_partition_size', 'mebibytes', 'wide')} MiB where 3 MB were written"


@truth("CAS003", "Rows of one partition stay together, however many there are")
def _(session: Any) -> str:
    filled(session, "series", 500)
    tokens = {row[0] for row in session.execute("SELECT token(p) FROM series")}
    return f"500 rows under {len(tokens)} token"


@truth("CAS004", "Each partition of a query is a read of its own")
def _(session: Any) -> str:
    filled(session, "buckets", 1)
    output = done(session, "SELECT * FROM buckets WHERE p IN (1, 2, 3)")
    return f"{sum(entry.startswith('Executing single-partition query') for entry in output)} reads for 3 partitions"


@truth("CAS005", "A deletion leaves a tombstone, which reads walk over")
def _(session: Any) -> str:
    deleted(session, "aged", 10)
    return walked(session, "SELECT * FROM aged WHERE p = 1")


@truth("CAS005", "A row with a time to live goes by itself")
def _(session: Any) -> str:
    session.execute("INSERT INTO lone (p, v) VALUES (5, 'a') USING TTL 1")
    until(lambda: session.execute("SELECT * FROM lone WHERE p = 5").one() is None)
    return "gone after its second"


WINDOWS = "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '1',"


@truth("CAS006", "Files of a window go as a whole when all in them has expired")
def _(session: Any) -> str:
    options = f"{WINDOWS} 'compaction_window_unit': 'MINUTES', 'expired_sstable_check_frequency_seconds': '1'}}"
    written(session, "windows", f" WITH {options} AND default_time_to_live = 8 AND gc_grace_seconds = 0")
    before = figure(session, "disk_usage", "mebibytes", "windows")

    def is_gone() -> bool:
        session.execute("INSERT INTO windows (p, c) VALUES (1, 0)")  # a new file makes the node look at the old ones
        return bool(figure(session, "disk_usage", "mebibytes", "windows") < before - 1)

    until(is_gone)
    return "3 MB are gone from the disk"


@truth("CAS006", "Who is no administrator is warned of windows without a time to live")
def _(session: Any) -> str:
    session.execute("CREATE ROLE IF NOT EXISTS ordinary WITH LOGIN = true AND PASSWORD = 'ordinary'")
    host, port = session.hosts[0].endpoint.address, session.hosts[0].endpoint.port
    ordinary = cassandra.client(f"cassandra://ordinary:ordinary@{host}:{port}")
    try:
        options = f"{WINDOWS} 'compaction_window_unit': 'DAYS'}}"
        return warned(
            ordinary,
            f"CREATE TABLE truth.endless (p int PRIMARY KEY) WITH {options}",
            "It is suspicious to use default_time_to_live set to 0",
        )
    finally:
        ordinary.cluster.shutdown()
        session.execute("DROP ROLE ordinary")


def warned(session: Any, statement: Any, words: str) -> str:
    """A warning that comes with an answer, and holds these words."""
    future = session.execute_async(statement)
    future.result()
    warnings = future.warnings or []
    assert any(words in warning for warning in warnings), warnings
    return f"taken, with a warning: {words}"


@truth("CAS009", "A time to live of 730 windows is taken")
def _(session: Any) -> str:
    options = f"{WINDOWS} 'compaction_window_unit': 'DAYS'}} AND default_time_to_live = {730 * 86_400}"
    session.execute(f"CREATE TABLE many_windows (p int PRIMARY KEY) WITH {options}")
    return "taken"


@truth("CAS010", "A query that meets many tombstones is warned of; here from 100 on")
def _(session: Any) -> str:
    deleted(session, "warned", 150)
    return warned(session, "SELECT * FROM warned WHERE p = 1", "see tombstone_warn_threshold")


@truth("CAS010", "A query that meets too many tombstones is given up; here from 1000 on")
def _(session: Any) -> str:
    deleted(session, "given_up", 1_050)
    return refused(lambda: session.execute("SELECT * FROM given_up WHERE p = 1"), "READ_TOO_MANY_TOMBSTONES")


@truth("CAS010", "A node remembers how many tombstones the reads of a table met")
def _(session: Any) -> str:
    deleted(session, "remembered", 50)
    session.execute("SELECT * FROM remembered WHERE p = 1")
    until(lambda: (figure(session, "tombstones_per_read", "max", "remembered") or 0) >= 50)
    return "a read of 50 is in it"


@truth("CAS012", "The next read of a queue walks over all that was taken")
def _(session: Any) -> str:
    deleted(session, "queue", 90)
    return walked(session, "SELECT * FROM queue WHERE p = 1 LIMIT 1")


@truth("CAS013", "A query turns the order of a partition")
def _(session: Any) -> str:
    filled(session, "turned", 3)
    rows = session.execute("SELECT c FROM turned WHERE p = 1 ORDER BY c DESC")
    return f"taken: {', '.join(str(row.c) for row in rows)}"


@truth("CAS013", "An order by the first of the clustering columns is taken")
def _(session: Any) -> str:
    session.execute("CREATE TABLE ordered (p int, a int, b int, PRIMARY KEY (p, a, b))")
    session.execute("SELECT * FROM ordered WHERE p = 1 ORDER BY a DESC")
    return "taken"


def indexed(session: Any, table: str) -> None:
    """Makes a table with an index of the old kind, and waits for it to be built."""
    session.execute(f"DROP TABLE IF EXISTS {table}")
    filled(session, table, 100)
    session.execute(f"CREATE INDEX {table}_by_v ON {table} (v)")
    query = 'SELECT index_name FROM system."IndexInfo" WHERE table_name = %s'
    until(lambda: any(row.index_name == f"{table}_by_v" for row in session.execute(query, ["truth"])))


for _code in ("CAS014", "GEN003"):

    @truth(_code, "A read by an index alone asks one range of partitions after the other")
    def _(session: Any) -> str:
        indexed(session, "indexed")
        output = done(session, "SELECT * FROM indexed WHERE v = 7")
        return (
            "range requests" if any(entry.startswith("Submitting range requests") for entry in output) else str(output)
        )


@truth("CAS014", "A read by an index and the partition key asks the partition")
def _(session: Any) -> str:
    indexed(session, "narrowed")
    output = done(session, "SELECT * FROM narrowed WHERE p = 1 AND v = 7")
    return (
        str(output) if any(entry.startswith("Submitting range requests") for entry in output) else "no range requests"
    )


def copies(session: Any, number: int) -> str:
    """The name of a keyspace of so many copies, with the table `t`."""
    name = f"truth_{number}"
    session.execute(f"DROP KEYSPACE IF EXISTS {name}")
    replication = f"{{'class': 'NetworkTopologyStrategy', 'datacenter1': {number}}}"
    session.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}")
    session.execute(f"CREATE TABLE {name}.t (p int PRIMARY KEY)")
    return name


@truth("CAS015", "A keyspace of one copy is taken")
def _(session: Any) -> str:
    session.execute(f"DROP KEYSPACE {copies(session, 1)}")
    return "taken"


@truth("CAS017", "With two copies a quorum is both, and fails where one node is there")
def _(session: Any) -> str:
    name = copies(session, 2)
    query = SimpleStatement(f"SELECT * FROM {name}.t", consistency_level=ConsistencyLevel.QUORUM)
    try:
        return refused(lambda: session.execute(query), "Cannot achieve consistency level QUORUM")
    finally:
        session.execute(f"DROP KEYSPACE {name}")


STRATEGY = "compaction = {'class': 'LeveledCompactionStrategy'"


@truth("CAS019", "A keyspace without the commit log is taken, without a warning")
def _(session: Any) -> str:
    replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
    query = f"CREATE KEYSPACE truth_fleeting WITH replication = {replication} AND durable_writes = false"
    try:
        future = session.execute_async(query)
        future.result()
        return f"taken, with {len(future.warnings or [])} warnings"
    finally:
        session.execute("DROP KEYSPACE IF EXISTS truth_fleeting")


for _code, _option in (
    ("CAS022", "read_repair = 'NONE'"),
    ("CAS023", "crc_check_chance = 0.0"),
    ("CAS024", "bloom_filter_fp_chance = 1.0"),
    ("CAS027", "speculative_retry = '2000ms'"),
):

    @truth(_code, f"A table with {_option} is taken, without a warning")
    def _(session: Any, option: str = _option) -> str:
        future = session.execute_async(f"CREATE TABLE option_{option.split()[0]} (p int PRIMARY KEY) WITH {option}")
        future.result()
        return f"taken, with {len(future.warnings or [])} warnings"


def texts(session: Any, table: str, options: str) -> int:
    """The mebibytes of ten megabytes of sentences on the disk."""
    session.execute(f"CREATE TABLE {table} (p int PRIMARY KEY, v text) WITH {options}")
    put, random = session.prepare(f"INSERT INTO truth.{table} (p, v) VALUES (?, ?)"), Random("words")
    words = ["".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(3, 9))) for _ in range(2_000)]
    for number in range(100):
        session.execute(put, (number, " ".join(random.choices(words, k=14_500))))
    session.execute(f"ALTER TABLE {table} WITH memtable_flush_period_in_ms = 300")
    sizes = [0, 1]

    def is_written() -> bool:
        sizes[:] = [sizes[1], figure(session, "disk_usage", "mebibytes", table) or 0]
        time.sleep(1)
        return sizes[0] == sizes[1] > 1

    until(is_written)
    return sizes[1]


@truth("CAS026", "Texts without compression take more of the disk")
def _(session: Any) -> str:
    plain = texts(session, "plain_texts", "compression = {'enabled': 'false'}")
    compressed = texts(session, "compressed_texts", "compression = {'class': 'LZ4Compressor'}")
    return f"10 MB of words: {plain} MiB, with LZ4 {compressed} MiB"


@truth("CAS035", "A query by an index of two values reads half of the table")
def _(session: Any) -> str:
    session.execute("CREATE TABLE halves (p int PRIMARY KEY, v boolean)")
    for number in range(100):
        session.execute(f"INSERT INTO halves (p, v) VALUES ({number}, {number % 2 == 0})")
    session.execute("CREATE INDEX halves_by_v ON halves (v)")
    query = 'SELECT index_name FROM system."IndexInfo" WHERE table_name = %s'
    until(lambda: any(row.index_name == "halves_by_v" for row in session.execute(query, ["truth"])))
    return f"{len(list(session.execute('SELECT * FROM halves WHERE v = true')))} of 100 rows"


@truth("CAS061", "An append that is repeated stores an element twice in a list, and once in a set")
def _(session: Any) -> str:
    session.execute("CREATE TABLE appended (p int PRIMARY KEY, l list<int>, s set<int>)")
    for _ in range(2):
        session.execute("UPDATE appended SET l = l + [7], s = s + {7} WHERE p = 1")
    row = session.execute("SELECT l, s FROM appended WHERE p = 1").one()
    return f"list {list(row.l)}, set {list(row.s)}"


@truth("CAS062", "A table with cdc is taken by a node whose log nobody reads")
def _(session: Any) -> str:
    session.execute("CREATE TABLE logged (p int PRIMARY KEY) WITH cdc = true")
    return "taken"


@truth("CAS063", "An increment that is repeated counts twice, and cannot have a condition")
def _(session: Any) -> str:
    session.execute("CREATE TABLE increments (p int PRIMARY KEY, n counter)")
    for _ in range(2):
        session.execute("UPDATE increments SET n = n + 5 WHERE p = 1")
    output = refused(
        lambda: session.execute("UPDATE increments SET n = n + 5 WHERE p = 1 IF EXISTS"),
        "Conditional updates are not supported on counter tables",
    )
    return f"{session.execute('SELECT n FROM increments WHERE p = 1').one().n} where 5 was meant; {output}"


@truth("CAS064", "A counter that was deleted does not begin at zero with certainty")
def _(session: Any) -> str:
    session.execute("CREATE TABLE reused (p int PRIMARY KEY, n counter)")
    session.execute("UPDATE reused SET n = n + 5 WHERE p = 1")
    session.execute("DELETE FROM reused WHERE p = 1")
    session.execute("UPDATE reused SET n = n + 1 WHERE p = 1")
    row = session.execute("SELECT n FROM reused WHERE p = 1").one()
    return f"{row.n if row else 'nothing'} after 5, a deletion and 1"


@truth("CAS108", "An option that a change leaves out goes back to the server's own value")
def _(session: Any) -> str:
    session.execute(f"CREATE TABLE o (p int PRIMARY KEY) WITH {STRATEGY}, 'sstable_size_in_mb': '99'}}")
    session.execute(f"ALTER TABLE o WITH {STRATEGY}, 'fanout_size': '8'}}")
    query = "SELECT compaction FROM system_schema.tables WHERE keyspace_name = 'truth' AND table_name = 'o'"
    left = dict(session.execute(query).one().compaction)
    return f"fanout_size {left.get('fanout_size')}, sstable_size_in_mb {left.get('sstable_size_in_mb', 'by itself')}"


@truth("CAS112", "Reserved words and capital letters are names in quotes")
def _(session: Any) -> str:
    session.execute('CREATE TABLE "Select" (p int PRIMARY KEY)')
    session.execute('CREATE TABLE "select" (p int PRIMARY KEY)')
    return "taken"


@truth("CAS112", "The name of a table may have 49 characters, from 5.0 on")
def _(session: Any) -> str:
    session.execute(f"CREATE TABLE {'t' * 49} (p int PRIMARY KEY)")
    return "taken"


def batch(bytes: int) -> str:
    """A batch of two writes of so many bytes together."""
    writes = "; ".join(f"INSERT INTO lone (p, v) VALUES ({n}, '{'x' * (bytes // 2)}')" for n in range(2))
    return f"BEGIN BATCH {writes}; APPLY BATCH"


@truth("CAS114", "A batch of more than 5 KiB is warned of")
def _(session: Any) -> str:
    return warned(session, batch(6 * 2**10), "exceeding specified threshold of 5120")


@truth("CAS114", "A batch of more than 50 KiB is refused")
def _(session: Any) -> str:
    return refused(lambda: session.execute(batch(60 * 2**10)), "Batch too large")


@truth("GEN002", "A node keeps a histogram of how long the reads of a table take")
def _(session: Any) -> str:
    filled(session, "timed", 1)
    for _ in range(3):
        session.execute("SELECT * FROM timed WHERE p = 1")
    return f"{figure(session, 'coordinator_read_latency', 'count', 'timed')} of 3 reads are in it"


GUARDRAIL = "guardrails are off by themselves, and set in the file with which a node starts"
SEVERAL = "it takes several nodes"

for _code, _text, _why in (
    ("CAS001", "A node may forbid ALLOW FILTERING", GUARDRAIL),
    ("CAS002", "A partition has 2 billion cells at the most", "it takes more data than a test has"),
    ("CAS008", "Levels write each row many times, tiers leave it in many files", "it takes more data than a test has"),
    ("CAS009", "Each window is a set of files as long as anything in it lives", "it takes as long as the windows do"),
    ("CAS011", "A copy that missed a deletion brings the row back when the tombstone is gone", SEVERAL),
    ("CAS014", "A node may bound the indexes of a table", GUARDRAIL),
    ("CAS015", "What has one copy is lost with its node", SEVERAL),
    ("CAS016", "A quorum may leave out the one copy that has a write", SEVERAL),
    ("CAS018", "Copies drift apart after the hours of hints until they are repaired", SEVERAL),
    ("CAS109", "Views are off by themselves", "the local node has them on, to try all that can be declared"),
    ("CAS112", "Before 5.0 the name of a table has 48 characters at the most", "the local node is of 5.0"),
    ("CAS113", "Amazon Keyspaces has no indexes, no views and no compaction of one's own", "it is a service"),
    ("CAS113", "ScyllaDB has no storage-attached indexes", "it is another server, which keywright does not start"),
):
    truth.beyond(_code, _text, _why)


@pytest.fixture(scope="module")
def node(start: Callable[..., Running]) -> Running:
    return start("cassandra")


@pytest.fixture(scope="module")
def session(node: Running) -> Iterator[Any]:
    """A session in the keyspace `truth`, which has a few things in it."""
    asking = cassandra.client(node.url, timeout_seconds=30)
    replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
    asking.execute("DROP KEYSPACE IF EXISTS truth")
    asking.execute(f"CREATE KEYSPACE truth WITH replication = {replication}")
    asking.set_keyspace("truth")
    for statement in THINGS:
        asking.execute(statement)
    yield asking
    asking.execute("DROP KEYSPACE truth")
    asking.cluster.shutdown()


@pytest.mark.parametrize("claim", truth.shown, ids=str)
def test_cassandra_does_what_pages_say(claim: Claim, node: Running, session: Any, is_true: Callable[..., bool]) -> None:
    assert is_true(truth, claim, session, f"Cassandra {node.version}")
