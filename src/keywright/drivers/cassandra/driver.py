"""Connects to Cassandra servers by the DataStax driver."""

import re
import time
from collections.abc import Iterable
from typing import Any

from keywright.drivers.batches import batches
from keywright.drivers.cassandra.address import parse
from keywright.drivers.cassandra.evidence import RecordingSession
from keywright.drivers.cassandra.ledger import ledger
from keywright.drivers.cassandra.observer import observer
from keywright.drivers.cassandra.pages import pages
from keywright.drivers.cassandra.stored_rows import as_written
from keywright.drivers.redact import before, unreachable
from keywright.drivers.translate_errors import not_installed, translate_errors
from keywright.engines.cassandra.schema.cql import identifier, qualified
from keywright.engines.cassandra.schema.introspect import keyspace_of
from keywright.engines.cassandra.schema.row import ttl_of
from keywright.engines.contract.counting import StoreSize
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Description, Driver, Observed, ServerUnreachable, StatementFailed
from keywright.ir.text import counted

try:
    from cassandra import AuthenticationFailed, ConsistencyLevel, DriverException, OperationTimedOut
    from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable, Session
    from cassandra.concurrent import execute_concurrent_with_args
    from cassandra.policies import DCAwareRoundRobinPolicy, WhiteListRoundRobinPolicy
    from cassandra.protocol import ErrorMessage
except ImportError as error:
    raise not_installed("cassandra") from error

PROTOCOL = 5
"""The first protocol version to offer. The client falls back to older versions for a server without it."""

BATCH = 1000
"""Items in a batch when data is loaded."""

FAILURES = (NoHostAvailable, DriverException, ErrorMessage, OSError)
"""Exceptions of the client. Some errors of the server have their own class."""

CONCURRENCY = 100
"""Statements that a bulk load sends at once."""

AGREEMENT_SECONDS = 30
"""Longest wait until all nodes have the same schema."""


def client(url: str, *, timeout_seconds: int = 10) -> Session:
    """A session with the nodes in `url`, see `address`.

    The caller ends it with `session.cluster.shutdown()`. The client contacts only nodes in `url`, because others may
    have addresses that are not reachable from here, and names that are not in a certificate.
    """
    address = parse(url)
    if address.bundle:
        contact: dict[str, Any] = {"cloud": {"secure_connect_bundle": address.bundle}}
        policy = DCAwareRoundRobinPolicy()
    else:
        points = address.points()
        contact = {"contact_points": points, "port": points[0].port, "ssl_context": address.context}
        policy = WhiteListRoundRobinPolicy([point.address for point in points])
    cluster = _cluster(
        address.bundle,
        **contact,
        auth_provider=address.login,
        execution_profiles={EXEC_PROFILE_DEFAULT: ExecutionProfile(load_balancing_policy=policy)},
        connect_timeout=timeout_seconds,
        control_connection_timeout=timeout_seconds,
        schema_metadata_enabled=False,
        token_metadata_enabled=False,
    )
    cluster.protocol_version = PROTOCOL
    try:
        return cluster.connect()
    except FAILURES:
        cluster.shutdown()  # its threads would otherwise outlive the failure
        raise


def _cluster(bundle: str, **options: Any) -> Any:
    """A client without a connection. It reads Astra's bundle, which contains the service that lists the nodes."""
    try:
        return Cluster(**options)
    except (ValueError, KeyError, OSError) as error:
        if not bundle:
            raise
        raise StatementFailed(f'"{bundle}" of its address is not a secure connect bundle of Astra') from error


def is_ready(url: str) -> bool:
    """Whether a login works, because the port opens before the first role exists."""
    try:
        session = client(url, timeout_seconds=2)
    except (*FAILURES, StatementFailed):
        return False
    session.cluster.shutdown()
    return True


def version(url: str) -> str:
    """The release of the node, such as `5.0.9`."""
    session = client(url)
    try:
        return str(session.execute("SELECT release_version FROM system.local").one().release_version)
    finally:
        session.cluster.shutdown()


def connect(url: str) -> Driver:
    """A connection to the keyspaces of a cluster."""
    try:
        session = client(url)
    except FAILURES as error:
        raise _failure(error) from error
    driver = Driver(
        introspect=lambda names: {name: _introspect(session, name) for name in names},
        names=lambda: tuple(
            row["keyspace_name"]
            for row in _rows(session, "SELECT keyspace_name FROM system_schema.keyspaces")
            if row["keyspace_name"] != "system" and not row["keyspace_name"].startswith("system_")
        ),
        run=lambda statement: _run(session, statement),
        load=lambda table, items: sum(_write(session, table, batch) for batch in batches(items, BATCH)),
        stored=lambda table, item: _stored(session, table, item),
        observe=lambda: _observed(session),
        ledger=lambda home, store: ledger(session, home, store, agree=lambda: _agree(session)),
        pages=lambda work: pages(session, work, lambda: _agree(session)),
        observer=lambda: observer(session),
        size=lambda table: _size(session, table),
        drop=lambda names: _drop(session, names),
        close=session.cluster.shutdown,
    )
    return translate_errors(driver, FAILURES, _failure)


def _observed(session: Any) -> Observed:
    recording = RecordingSession(session)
    return Observed(client=recording, events=recording.events)


def _stored(session: Any, table: str, item: Any) -> Any:
    """The row with an item's primary key, with the columns of the item."""
    keyspace, _, name = table.partition(".")
    query = "SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
    kinds = {row["column_name"]: row["kind"] for row in _rows(session, query, keyspace, name)}
    keys = [column for column in item if kinds.get(column) in ("partition_key", "clustering")]
    columns = ", ".join(map(identifier, item))
    condition = " AND ".join(f"{identifier(key)} = ?" for key in keys)
    text = f"SELECT {columns} FROM {qualified(keyspace, name)} WHERE {condition}"
    statement = session.prepare(text).bind([item[key] for key in keys])
    statement.consistency_level = ConsistencyLevel.LOCAL_QUORUM
    row = session.execute(statement).one()
    return None if row is None else {name: as_written(value, item[name]) for name, value in zip(item, row, strict=True)}


def _size(session: Any, table: str) -> StoreSize | None:
    """The node's estimate of its own token ranges, made from its files every few minutes; None before the first.

    5.0.9 reported 14 592 of 20 000 partitions that had just been loaded.
    """
    keyspace, _, name = table.partition(".")
    where = "WHERE keyspace_name = %s AND table_name = %s"
    if not _rows(session, f"SELECT table_name FROM system_schema.tables {where}", keyspace, name):
        return StoreSize(0, 0, "partition") if name else None
    query = f"SELECT mean_partition_size, partitions_count FROM system.size_estimates {where}"
    rows = [(row["partitions_count"], row["mean_partition_size"]) for row in _rows(session, query, keyspace, name)]
    if not (partitions := sum(count for count, _ in rows)):
        return None
    others = len(_rows(session, "SELECT peer FROM system.peers"))
    remark = (
        f"estimated by 1 of {counted(others + 1, 'node')}, for its own part" if others else "estimated by the server"
    )
    return StoreSize(partitions, sum(count * mean for count, mean in rows), "partition", remark)


def _drop(session: Any, names: Iterable[str]) -> None:
    """Remove keyspaces one by one, because two schema changes at the same time would split the schema."""
    for name in names:
        session.execute(f"DROP KEYSPACE IF EXISTS {identifier(name)}", timeout=AGREEMENT_SECONDS)
        _agree(session)


CONSTANT = re.compile(r"constant \(.*?\)(?= for | of type |\"?\Z)", re.DOTALL)
"""A value of a statement in a message of the server, which never contains bound values."""


def _failure(error: Exception) -> StatementFailed:
    """The server's message. If nodes do not answer, the first reason without the list of all attempts."""
    if isinstance(error, NoHostAvailable):
        reasons = list(error.errors.values()) if isinstance(error.errors, dict) else []
        for reason in reasons:
            if isinstance(reason, AuthenticationFailed):
                return StatementFailed("it rejects this user and password")
            if isinstance(reason, OSError):
                return unreachable(str(reason).rpartition("Last error: ")[2])
        return ServerUnreachable(str(error.args[0]).lower())
    if isinstance(error, (OperationTimedOut, OSError)):
        return ServerUnreachable(str(error))
    words = before(CONSTANT.sub("constant (...)", str(error)), " at input ", " from '", " to coerce ")
    return StatementFailed(words)


def _introspect(session: Any, name: str) -> Description | None:
    """A live keyspace as a description, with "building" at unfinished indexes and views."""
    schema = {
        table: _rows(session, f"SELECT * FROM system_schema.{table} WHERE keyspace_name = %s", name)
        for table in ("keyspaces", "types", "tables", "columns", "indexes", "views")
    }
    if not schema["keyspaces"]:
        return None
    schema["column_masks"] = _masks(session, name)
    return keyspace_of(name, schema, _building(session, name, schema["indexes"]))


def _masks(session: Any, keyspace: str) -> list[dict[str, Any]]:
    """Masking functions of columns; none from a server before 5.0."""
    has_masks = _rows(session, "SELECT * FROM system_schema.tables WHERE keyspace_name = 'system_schema'"
                      " AND table_name = 'column_masks'")  # fmt: skip
    query = "SELECT * FROM system_schema.column_masks WHERE keyspace_name = %s"
    return _rows(session, query, keyspace) if has_masks else []


def _building(session: Any, keyspace: str, indexes: list[dict[str, Any]]) -> frozenset[str]:
    """Names of indexes and views that this node has not finished.

    A finished index has a row in "IndexInfo", whose "table_name" is the keyspace. From 5.0, the server also reports
    whether a storage-attached index can be queried.
    """
    finished = _rows(session, 'SELECT index_name FROM system."IndexInfo" WHERE table_name = %s', keyspace)
    building = {row["index_name"] for row in indexes} - {row["index_name"] for row in finished}
    views = _rows(session, "SELECT view_name FROM system.view_builds_in_progress WHERE keyspace_name = %s", keyspace)
    building |= {row["view_name"] for row in views}
    if _rows(session, "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name = 'system_views'"
             " AND table_name = 'sai_column_indexes'"):  # fmt: skip
        attached = _rows(session, "SELECT * FROM system_views.sai_column_indexes WHERE keyspace_name = %s", keyspace)
        building |= {row["index_name"] for row in attached if row["is_building"] or not row["is_queryable"]}
    return frozenset(building)


def _rows(session: Any, query: str, *values: str) -> list[dict[str, Any]]:
    return [row._asdict() for row in session.execute(query, values or None)]


def _run(session: Any, statement: Statement) -> None:
    """Run a DDL statement and wait until all nodes have it, because two at the same time would split the schema."""
    session.execute(statement.native)
    _agree(session)


def _agree(session: Any) -> None:
    deadline, pause = time.monotonic() + AGREEMENT_SECONDS, 0.02
    while True:
        rows = _rows(session, "SELECT schema_version FROM system.local")
        rows += _rows(session, "SELECT schema_version FROM system.peers")
        versions = {row["schema_version"] for row in rows if row["schema_version"]}
        if len(versions) <= 1:
            return
        if time.monotonic() > deadline:
            raise StatementFailed(
                f"the nodes have {counted(len(versions), 'different schema')} after {AGREEMENT_SECONDS} s"
            )
        time.sleep(pause)
        pause = min(pause * 2, 1)


def _write(session: Any, table: str, items: tuple[Any, ...]) -> int:
    """Write rows, as values by column, to `keyspace.table`. A value that is None is not written.

    Rows with the same columns share a prepared statement. A table with counters gets increments. Returns the number of
    written rows, without those that have expired.
    """
    keyspace, _, name = table.partition(".")
    query = "SELECT column_name, type FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
    types = {row["column_name"]: row["type"] for row in _rows(session, query, keyspace, name)}
    counters = {column for column, type in types.items() if type == "counter"}
    # A server of few cores fails when many write to one vector index, and leaves rows out of it (CASSANDRA-21644).
    concurrency = 1 if any("vector<" in type for type in types.values()) else CONCURRENCY
    groups: dict[tuple[tuple[str, ...], bool], list[tuple[object, ...]]] = {}
    for item in items:
        seconds = ttl_of(item)
        present = sorted(column for column, value in item.items() if value is not None)
        # Increments are first, as in the statement. Other tables have none.
        columns = (*(name for name in present if name in counters), *(name for name in present if name not in counters))
        if seconds is None or seconds > 0:
            ttl_value = () if seconds is None else (seconds,)
            groups.setdefault((columns, bool(ttl_value)), []).append(
                (*(item[column] for column in columns), *ttl_value)
            )
    for (columns, expires), rows in groups.items():
        increments = [column for column in columns if column in counters]
        others = [column for column in columns if column not in counters]
        query = _update(keyspace, name, increments, others) if increments else _insert(keyspace, name, others, expires)
        execute_concurrent_with_args(session, session.prepare(query), rows, concurrency, raise_on_first_error=True)
    return sum(map(len, groups.values()))


def _insert(keyspace: str, table: str, columns: list[str], expires: bool) -> str:
    names, marks = ", ".join(map(identifier, columns)), ", ".join("?" for _ in columns)
    ttl = " USING TTL ?" if expires else ""
    return f"INSERT INTO {qualified(keyspace, table)} ({names}) VALUES ({marks}){ttl}"


def _update(keyspace: str, table: str, counters: list[str], keys: list[str]) -> str:
    sums = ", ".join(f"{identifier(counter)} = {identifier(counter)} + ?" for counter in counters)
    condition = " AND ".join(f"{identifier(key)} = ?" for key in keys)
    return f"UPDATE {qualified(keyspace, table)} SET {sums} WHERE {condition}"
