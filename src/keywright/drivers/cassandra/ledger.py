"""Histories in a Cassandra keyspace: one partition for each store, whose static columns are its lock."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from keywright.drivers.extras import not_installed
from keywright.engines.cassandra.cql import identifier, map_of, qualified
from keywright.engines.interface import StatementFailed
from keywright.engines.ledger import UNHELD, Ledger, Lock
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
"""Copies in each data centre that has so many nodes."""

PAGE = 500
"""Rows that one answer of the server carries."""

ATTEMPTS = 5
"""How often a write is sent of which the server cannot tell whether it took effect, and which had none."""

SCHEMA_SECONDS = 30
"""The longest wait for a change of the schema."""

CAS_WRITE_UNKNOWN = 0x1700
"""Code of an error that the client has no class for.
Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/doc/native_protocol_v5.spec, 9., 2026-11-21."""

_COLUMNS = (
    "(store text, key text, row text, owner text static, fence bigint static, beat bigint static,"
    " PRIMARY KEY (store, key))"
)
_LAST = "\U0010ffff"
"""Sorts behind whatever keys consist of."""


def ledger(asking: Any, home: str, store: str, *, agree: Callable[[], None]) -> Ledger:
    """The history of a store in the keyspace `home`.

    agree: waits until all nodes have the same schema. Nobody's lock has an empty owner: a condition on what is null
    would also hold where no lock is. Everything is written by Paxos, which plain writes must not be mixed with.
    """
    one = _Partition(asking, home, store)
    return Ledger(
        place=f'keyspace "{home}", store "{store}"',
        prepare=lambda: _prepare(one, agree),
        lock=lambda: _lock(one),
        swap=lambda seen, new: _swap(one, seen, new),
        rows=lambda prefix: _rows(one, prefix),
        put=lambda key, row, fence: _put(one, key, row, fence),
        replace=lambda key, before, after: _replace(one, key, before, after),
    )


class _Partition:
    """The partition of one store."""

    def __init__(self, asking: Any, home: str, store: str) -> None:
        self.asking, self.home, self.store = asking, home, store
        self.table = qualified(home, TABLE)

    def is_there(self) -> bool:
        """Whether its table is."""
        query = "SELECT table_name FROM system_schema.tables WHERE keyspace_name = %s AND table_name = %s"
        return self.asking.execute(query, (self.home, TABLE)).one() is not None

    def read(self, columns: str, where: str, *values: Any) -> list[Any]:
        """Rows as the last decided write left them; none where the table is not."""
        query = f"SELECT {columns} FROM {self.table} WHERE {where}"
        statement = SimpleStatement(query, consistency_level=ConsistencyLevel.SERIAL, fetch_size=PAGE)
        try:
            return list(self.asking.execute(statement, values))
        except InvalidRequest:
            if self.is_there():
                raise
            return []

    def write(self, update: str, *values: Any, is_done: Callable[[], bool | None]) -> bool:
        """Whether a conditional write took effect.

        is_done: tells so, by a serial read, where the server cannot: such a read ends what was on its way. None where
        the write had no effect and may be sent again.
        """
        query = update.format(table=self.table)
        levels = {"consistency_level": ConsistencyLevel.QUORUM, "serial_consistency_level": ConsistencyLevel.SERIAL}
        statement = SimpleStatement(query, **levels)
        for _ in range(ATTEMPTS):
            try:
                return bool(self.asking.execute(statement, values).was_applied)
            except (WriteTimeout, OperationTimedOut, ErrorMessage) as error:
                if isinstance(error, ErrorMessage) and error.code != CAS_WRITE_UNKNOWN:
                    raise
                if (answer := is_done()) is not None:
                    return answer
        raise StatementFailed(f"others wrote to {self.table} each of {ATTEMPTS} times")


def _prepare(one: _Partition, agree: Callable[[], None]) -> None:
    def is_done() -> bool | None:
        found = one.read("fence", "store = %s LIMIT 1", one.store)
        return True if found and found[0].fence is not None else None

    if not one.is_there():
        _create(one, agree)
    nobody = ("", UNHELD.fence, UNHELD.beat, one.store)
    update = "UPDATE {table} SET owner = %s, fence = %s, beat = %s WHERE store = %s IF fence = null"
    one.write(update, *nobody, is_done=is_done)


def _create(one: _Partition, agree: Callable[[], None]) -> None:
    nodes = Counter(
        row.data_center
        for table in ("local", "peers_v2")
        for row in one.asking.execute(f"SELECT data_center FROM system.{table}")
    )
    copies = [(centre, str(min(REPLICAS, count))) for centre, count in sorted(nodes.items())]
    replication = map_of([("class", "NetworkTopologyStrategy"), *copies])
    keyspace = f"CREATE KEYSPACE IF NOT EXISTS {identifier(one.home)} WITH replication = {replication}"
    for statement in (keyspace, f"CREATE TABLE IF NOT EXISTS {one.table} {_COLUMNS}"):
        one.asking.execute(statement, timeout=SCHEMA_SECONDS)
        agree()


def _lock(one: _Partition) -> Lock:
    found = one.read("owner, fence, beat", "store = %s LIMIT 1", one.store)
    if not found or found[0].fence is None:  # rows of a store may be there before its lock
        return UNHELD
    return Lock(found[0].owner or None, found[0].fence, found[0].beat)


def _swap(one: _Partition, seen: Lock, new: Lock) -> bool:
    def is_done() -> bool | None:
        found = _lock(one)
        return None if found == seen else found == new

    update = "UPDATE {table} SET owner = %s, fence = %s, beat = %s WHERE store = %s"
    condition = " IF fence = %s AND beat = %s AND owner = %s"
    to, at = (new.owner or "", new.fence, new.beat), (seen.fence, seen.beat, seen.owner or "")
    return one.write(update + condition, *to, one.store, *at, is_done=is_done)


def _rows(one: _Partition, prefix: str) -> dict[str, Json]:
    found = one.read("key, row", "store = %s AND key >= %s AND key < %s", one.store, prefix, prefix + _LAST)
    return {row.key: json.loads(row.row) for row in found}


def _text(one: _Partition, key: str) -> str | None:
    found = one.read("row", "store = %s AND key = %s", one.store, key)
    return found[0].row if found else None


def _put(one: _Partition, key: str, row: Json, fence: int) -> bool:
    """The condition on a static column guards every row of its partition."""

    def is_done() -> bool | None:
        if _text(one, key) == canonical(row):
            return True
        return None if _lock(one).fence == fence else False

    update = "UPDATE {table} SET row = %s WHERE store = %s AND key = %s IF fence = %s"
    return one.write(update, canonical(row), one.store, key, fence, is_done=is_done)


def _replace(one: _Partition, key: str, before: Json, after: Json) -> bool:
    seen = None if before is None else canonical(before)

    def is_done() -> bool | None:
        found = _text(one, key)
        return None if found == seen else found == canonical(after)

    update = "UPDATE {table} SET row = %s WHERE store = %s AND key = %s IF row = %s"
    return one.write(update, canonical(after), one.store, key, seen, is_done=is_done)
