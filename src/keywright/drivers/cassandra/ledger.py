"""Histories in a Cassandra keyspace: a partition for each store, with the lock in its static columns."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.cassandra.schema.cql import identifier, map_of, qualified
from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.ir.json import Json, canonical

try:
    from cassandra import ConsistencyLevel, InvalidRequest, OperationTimedOut, WriteTimeout
    from cassandra.protocol import ErrorMessage
    from cassandra.query import SimpleStatement
except ImportError as error:
    raise not_installed("cassandra") from error

TABLE = "history"
"""Name of the table."""

REPLICAS = 3
"""Copies in each data centre; fewer if it has fewer nodes."""

PAGE = 500
"""Rows in an answer of the server."""

ATTEMPTS = 5
"""Most attempts of a write whose effect the server does not know, and that had none."""

SCHEMA_SECONDS = 30
"""Longest wait for a schema change."""

CAS_WRITE_UNKNOWN = 0x1700
"""Code of an error for which the client has no class.
Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/doc/native_protocol_v5.spec, 9., 2026-11-21."""

_COLUMNS = (
    "(store text, key text, row text, owner text static, fence bigint static, beat bigint static,"
    " PRIMARY KEY (store, key))"
)
_LAST = "\U0010ffff"
"""A character that sorts after every character in keys."""


def ledger(session: Any, home: str, store: str, *, agree: Callable[[], None]) -> Ledger:
    """The history of a store in the keyspace `home`.

    agree: waits until all nodes have the same schema. A lock without a holder has an empty owner, because a missing
    lock would meet a condition on null too. Every write uses Paxos, which must not be mixed with plain writes.
    """
    partition = _Partition(session, home, store)
    return Ledger(
        place=f'keyspace "{home}", store "{store}"',
        prepare=lambda: _prepare(partition, agree),
        lock=lambda: _lock(partition),
        swap=lambda lock, new: _swap(partition, lock, new),
        rows=lambda prefix: _rows(partition, prefix),
        row=lambda key: _row(partition, key),
        put=lambda key, row, fence: _put(partition, key, row, fence),
        replace=lambda key, before, after, fence: _replace(partition, key, before, after, fence),
        now=lambda: _now(partition),
    )


class _Partition:
    """The partition of a store."""

    def __init__(self, session: Any, home: str, store: str) -> None:
        self.session, self.home, self.store = session, home, store
        self.table = qualified(home, TABLE)

    def is_there(self) -> bool:
        """Whether the table exists."""
        query = "SELECT table_name FROM system_schema.tables WHERE keyspace_name = %s AND table_name = %s"
        return self.session.execute(query, (self.home, TABLE)).one() is not None

    def read(self, columns: str, where: str, *values: Any) -> list[Any]:
        """Rows after the last decided write; none if the table does not exist."""
        query = f"SELECT {columns} FROM {self.table} WHERE {where}"
        statement = SimpleStatement(query, consistency_level=ConsistencyLevel.SERIAL, fetch_size=PAGE)
        try:
            return list(self.session.execute(statement, values))
        except InvalidRequest:
            if self.is_there():
                raise
            return []

    def write(self, update: str, *values: Any, is_done: Callable[[], bool | None]) -> bool:
        """Whether a conditional write took effect.

        is_done: a serial read, which completes pending writes, for the case that the server does not know the effect.
        Returns None if the write had no effect and may be sent again.
        """
        query = update.format(table=self.table)
        levels = {"consistency_level": ConsistencyLevel.QUORUM, "serial_consistency_level": ConsistencyLevel.SERIAL}
        statement = SimpleStatement(query, **levels)
        for _ in range(ATTEMPTS):
            try:
                return bool(self.session.execute(statement, values).was_applied)
            except (WriteTimeout, OperationTimedOut, ErrorMessage) as error:
                if isinstance(error, ErrorMessage) and error.code != CAS_WRITE_UNKNOWN:
                    raise
                if (answer := is_done()) is not None:
                    return answer
        raise StatementFailed(f"other processes wrote to {self.table} during each of {ATTEMPTS} attempts")


def _prepare(partition: _Partition, agree: Callable[[], None]) -> None:
    def is_done() -> bool | None:
        rows = partition.read("fence", "store = %s LIMIT 1", partition.store)
        return True if rows and rows[0].fence is not None else None

    if not partition.is_there():
        _create(partition, agree)
    free_lock = ("", UNHELD.fence, UNHELD.beat, partition.store)
    update = "UPDATE {table} SET owner = %s, fence = %s, beat = %s WHERE store = %s IF fence = null"
    partition.write(update, *free_lock, is_done=is_done)


def _create(partition: _Partition, agree: Callable[[], None]) -> None:
    nodes = Counter(
        row.data_center
        for table in ("local", "peers_v2")
        for row in partition.session.execute(f"SELECT data_center FROM system.{table}")
    )
    copies = [(centre, str(min(REPLICAS, count))) for centre, count in sorted(nodes.items())]
    replication = map_of([("class", "NetworkTopologyStrategy"), *copies])
    keyspace = f"CREATE KEYSPACE IF NOT EXISTS {identifier(partition.home)} WITH replication = {replication}"
    for statement in (keyspace, f"CREATE TABLE IF NOT EXISTS {partition.table} {_COLUMNS}"):
        partition.session.execute(statement, timeout=SCHEMA_SECONDS)
        agree()


def _lock(partition: _Partition) -> Lock:
    rows = partition.read("owner, fence, beat", "store = %s LIMIT 1", partition.store)
    if not rows or rows[0].fence is None:  # rows of a store may exist before its lock
        return UNHELD
    return Lock(rows[0].owner or None, rows[0].fence, rows[0].beat)


def _swap(partition: _Partition, lock: Lock, new: Lock) -> bool:
    def is_done() -> bool | None:
        current = _lock(partition)
        return None if current == lock else current == new

    update = "UPDATE {table} SET owner = %s, fence = %s, beat = %s WHERE store = %s"
    condition = " IF fence = %s AND beat = %s AND owner = %s"
    new_values, old_values = (new.owner or "", new.fence, new.beat), (lock.fence, lock.beat, lock.owner or "")
    return partition.write(update + condition, *new_values, partition.store, *old_values, is_done=is_done)


def _rows(partition: _Partition, prefix: str) -> dict[str, Json]:
    rows = partition.read("key, row", "store = %s AND key >= %s AND key < %s", partition.store, prefix, prefix + _LAST)
    return {row.key: json.loads(row.row) for row in rows}


def _text(partition: _Partition, key: str) -> str | None:
    rows = partition.read("row", "store = %s AND key = %s", partition.store, key)
    return rows[0].row if rows else None


def _row(partition: _Partition, key: str) -> Json:
    text = _text(partition, key)
    return json.loads(text) if text is not None else None


def _put(partition: _Partition, key: str, row: Json, fence: int) -> bool:
    """Write a row, with a condition on a static column, which guards every row of the partition."""

    def is_done() -> bool | None:
        if _text(partition, key) == canonical(row):
            return True
        return None if _lock(partition).fence == fence else False

    update = "UPDATE {table} SET row = %s WHERE store = %s AND key = %s IF fence = %s"
    return partition.write(update, canonical(row), partition.store, key, fence, is_done=is_done)


def _replace(partition: _Partition, key: str, before: Json, after: Json, fence: int) -> bool:
    expected = None if before is None else canonical(before)

    def is_done() -> bool | None:
        text = _text(partition, key)
        if text == expected:
            return None if _lock(partition).fence == fence else False
        return text == canonical(after)

    update = "UPDATE {table} SET row = %s WHERE store = %s AND key = %s IF row = %s AND fence = %s"
    return partition.write(update, canonical(after), partition.store, key, expected, fence, is_done=is_done)


def _now(partition: _Partition) -> datetime:
    moment: datetime = partition.session.execute("SELECT toTimestamp(now()) AS told FROM system.local").one().told
    return moment.replace(tzinfo=UTC)
