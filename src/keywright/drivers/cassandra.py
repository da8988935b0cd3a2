"""What keywright asks of a Cassandra server; the only module that imports the DataStax driver."""

import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

from keywright.drivers.batches import batches
from keywright.drivers.cassandra_evidence import Recorded
from keywright.drivers.cassandra_ledger import ledger
from keywright.drivers.cassandra_observer import observer
from keywright.drivers.cassandra_pages import pages
from keywright.drivers.cassandra_stored import as_written
from keywright.drivers.extras import not_installed
from keywright.drivers.told import told
from keywright.engines.cassandra.cql import identifier, qualified
from keywright.engines.cassandra.introspect import keyspace_of
from keywright.engines.cassandra.row import ttl_of
from keywright.engines.interface import Description, Driver, Observed, StatementFailed
from keywright.engines.plan import Step
from keywright.engines.sizes import Size

try:
    from cassandra import ConsistencyLevel, DriverException, OperationTimedOut
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable, Session
    from cassandra.concurrent import execute_concurrent_with_args
    from cassandra.policies import WhiteListRoundRobinPolicy
    from cassandra.protocol import ErrorMessage
except ImportError as error:
    raise not_installed("cassandra") from error

PORT = 9042
"""The native transport's port where the address names none."""

BATCH = 1000
"""Items that are on their way at once when data is loaded."""

FAILURES = (NoHostAvailable, DriverException, ErrorMessage, OSError)
"""What the client raises: some of the server's refusals are of a class of their own."""

AGREEMENT_SECONDS = 30
"""The longest wait for all nodes to have the same schema."""


def client(url: str, *, timeout_seconds: int = 10) -> Session:
    """A session with the one node at `url` (`cassandra://user:password@host:port`).

    The caller ends it with `session.cluster.shutdown()`.
    """
    address = urlsplit(url)
    host = address.hostname or "127.0.0.1"
    login = PlainTextAuthProvider(unquote(address.username or ""), unquote(address.password or ""))
    profile = ExecutionProfile(load_balancing_policy=WhiteListRoundRobinPolicy([host]))
    cluster = Cluster(
        [host],
        port=address.port or PORT,
        protocol_version=5,
        auth_provider=login if address.username else None,
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        connect_timeout=timeout_seconds,
        control_connection_timeout=timeout_seconds,
        schema_metadata_enabled=False,
        token_metadata_enabled=False,
    )
    try:
        return cluster.connect()
    except FAILURES:
        cluster.shutdown()  # its threads would otherwise outlive the failure
        raise


def is_ready(url: str) -> bool:
    """Whether a login works: the port opens before the first role exists."""
    try:
        session = client(url, timeout_seconds=2)
    except FAILURES:
        return False
    session.cluster.shutdown()
    return True


def version(url: str) -> str:
    """The node's release, such as `5.0.9`."""
    session = client(url)
    try:
        return str(session.execute("SELECT release_version FROM system.local").one().release_version)
    finally:
        session.cluster.shutdown()


def connect(url: str) -> Driver:
    """A connection to the keyspaces of one cluster."""
    try:
        asking = client(url)
    except FAILURES as error:
        raise StatementFailed(_words(error)) from error
    driver = Driver(
        introspect=lambda names: {name: _introspect(asking, name) for name in names},
        names=lambda: tuple(
            row["keyspace_name"]
            for row in _rows(asking, "SELECT keyspace_name FROM system_schema.keyspaces")
            if row["keyspace_name"] != "system" and not row["keyspace_name"].startswith("system_")
        ),
        run=lambda step: _run(asking, step),
        load=lambda table, items: sum(_write(asking, table, batch) for batch in batches(items, BATCH)),
        stored=lambda table, item: _stored(asking, table, item),
        observe=lambda: _observed(asking),
        ledger=lambda home, store: ledger(asking, home, store, agree=lambda: _agree(asking)),
        pages=lambda work: pages(asking, work),
        observer=lambda: observer(asking),
        size=lambda table: _size(asking, table),
        drop=lambda names: _drop(asking, names),
        close=asking.cluster.shutdown,
    )
    return told(driver, FAILURES, _words)


def _observed(asking: Any) -> Observed:
    recorded = Recorded(asking)
    return Observed(client=recorded, events=recorded.events)


def _stored(asking: Any, table: str, item: Any) -> Any:
    """The row under an item's primary key, with the item's columns."""
    keyspace, _, name = table.partition(".")
    query = "SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
    kinds = {row["column_name"]: row["kind"] for row in _rows(asking, query, keyspace, name)}
    keys = [column for column in item if kinds.get(column) in ("partition_key", "clustering")]
    columns = ", ".join(map(identifier, item))
    found = " AND ".join(f"{identifier(one)} = ?" for one in keys)
    text = f"SELECT {columns} FROM {qualified(keyspace, name)} WHERE {found}"
    statement = asking.prepare(text).bind([item[one] for one in keys])
    statement.consistency_level = ConsistencyLevel.LOCAL_QUORUM
    row = asking.execute(statement).one()
    return None if row is None else {name: as_written(one, item[name]) for name, one in zip(item, row, strict=True)}


def _size(asking: Any, table: str) -> Size | None:
    """What this node estimates of its own token ranges every few minutes, by its files; None where it has not yet.

    5.0.9 told 14 592 of 20 000 partitions that had just been loaded.
    """
    keyspace, _, name = table.partition(".")
    where = "WHERE keyspace_name = %s AND table_name = %s"
    if not _rows(asking, f"SELECT table_name FROM system_schema.tables {where}", keyspace, name):
        return Size(0, 0, "partition") if name else None
    query = f"SELECT mean_partition_size, partitions_count FROM system.size_estimates {where}"
    rows = [(row["partitions_count"], row["mean_partition_size"]) for row in _rows(asking, query, keyspace, name)]
    if not (partitions := sum(count for count, _ in rows)):
        return None
    others = len(_rows(asking, "SELECT peer FROM system.peers"))
    remark = f"estimated by 1 of {others + 1} nodes, of its own part" if others else "estimated by the server"
    return Size(partitions, sum(count * mean for count, mean in rows), "partition", remark)


def _drop(asking: Any, names: Iterable[str]) -> None:
    """Remove keyspaces one by one: two changes of the schema at once would split it."""
    for name in names:
        asking.execute(f"DROP KEYSPACE IF EXISTS {identifier(name)}", timeout=AGREEMENT_SECONDS)
        _agree(asking)


def _words(error: Exception) -> str:
    """The server's own words; of a node that does not answer, without the list of all that was tried."""
    if isinstance(error, NoHostAvailable):
        return f"could not reach it: {str(error.args[0]).lower()}"
    return f"could not reach it: {error}" if isinstance(error, (OperationTimedOut, OSError)) else str(error)


def _introspect(asking: Any, name: str) -> Description | None:
    """A live keyspace as a description; indexes and views that are still built carry "building"."""
    schema = {
        table: _rows(asking, f"SELECT * FROM system_schema.{table} WHERE keyspace_name = %s", name)
        for table in ("keyspaces", "types", "tables", "columns", "indexes", "views")
    }
    if not schema["keyspaces"]:
        return None
    return keyspace_of(name, schema, _building(asking, name, schema["indexes"]))


def _building(asking: Any, keyspace: str, indexes: list[dict[str, Any]]) -> frozenset[str]:
    """Names of indexes and views that this node has not finished.

    A finished index has a row in "IndexInfo", in which "table_name" is the keyspace; a storage-attached one also tells
    whether it can be asked, from 5.0 on.
    """
    finished = _rows(asking, 'SELECT index_name FROM system."IndexInfo" WHERE table_name = %s', keyspace)
    building = {row["index_name"] for row in indexes} - {row["index_name"] for row in finished}
    views = _rows(asking, "SELECT view_name FROM system.view_builds_in_progress WHERE keyspace_name = %s", keyspace)
    building |= {row["view_name"] for row in views}
    if _rows(asking, "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name = 'system_views'"
             " AND table_name = 'sai_column_indexes'"):  # fmt: skip
        attached = _rows(asking, "SELECT * FROM system_views.sai_column_indexes WHERE keyspace_name = %s", keyspace)
        building |= {row["index_name"] for row in attached if row["is_building"] or not row["is_queryable"]}
    return frozenset(building)


def _rows(asking: Any, query: str, *values: str) -> list[dict[str, Any]]:
    return [row._asdict() for row in asking.execute(query, values or None)]


def _run(asking: Any, step: Step) -> None:
    """Run one piece of DDL and wait until all nodes have it; two at once would split the schema."""
    asking.execute(step.statement)
    _agree(asking)


def _agree(asking: Any) -> None:
    ends, pause = time.monotonic() + AGREEMENT_SECONDS, 0.02
    while True:
        rows = _rows(asking, "SELECT schema_version FROM system.local")
        rows += _rows(asking, "SELECT schema_version FROM system.peers")
        versions = {row["schema_version"] for row in rows if row["schema_version"]}
        if len(versions) <= 1:
            return
        if time.monotonic() > ends:
            raise StatementFailed(f"the nodes have {len(versions)} different schemas after {AGREEMENT_SECONDS} s")
        time.sleep(pause)
        pause = min(pause * 2, 1)


def _write(asking: Any, table: str, items: tuple[Any, ...]) -> int:
    """Write rows, given as values by column, to `keyspace.table`; a value that is None is not written.

    Rows that have the same columns share a prepared statement; a table with counters takes increments. Returns how many
    rows were written: one whose time has passed is not.
    """
    keyspace, _, name = table.partition(".")
    query = "SELECT column_name, type FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
    counters = {row["column_name"] for row in _rows(asking, query, keyspace, name) if row["type"] == "counter"}
    groups: dict[tuple[tuple[str, ...], bool], list[tuple[object, ...]]] = {}
    for item in items:
        seconds = ttl_of(item)
        known = sorted(column for column, value in item.items() if value is not None)
        # Increments come first, as in the statement; of other tables, no column is one.
        columns = (*(one for one in known if one in counters), *(one for one in known if one not in counters))
        if seconds is None or seconds > 0:
            last = () if seconds is None else (seconds,)
            groups.setdefault((columns, bool(last)), []).append((*(item[column] for column in columns), *last))
    for (columns, expires), rows in groups.items():
        added = [column for column in columns if column in counters]
        rest = [column for column in columns if column not in counters]
        query = _update(keyspace, name, added, rest) if added else _insert(keyspace, name, rest, expires)
        execute_concurrent_with_args(asking, asking.prepare(query), rows, raise_on_first_error=True)
    return sum(map(len, groups.values()))


def _insert(keyspace: str, table: str, columns: list[str], expires: bool) -> str:
    names, marks = ", ".join(map(identifier, columns)), ", ".join("?" for _ in columns)
    end = " USING TTL ?" if expires else ""
    return f"INSERT INTO {qualified(keyspace, table)} ({names}) VALUES ({marks}){end}"


def _update(keyspace: str, table: str, counters: list[str], keys: list[str]) -> str:
    sums = ", ".join(f"{identifier(one)} = {identifier(one)} + ?" for one in counters)
    found = " AND ".join(f"{identifier(one)} = ?" for one in keys)
    return f"UPDATE {qualified(keyspace, table)} SET {sums} WHERE {found}"
