"""Reads rows of a table page by page by token ranges, and writes batches of updates with the times of their inputs."""

import struct
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from keywright.drivers.cassandra.values import from_json, plain, to_json
from keywright.drivers.translate_errors import not_installed
from keywright.engines.cassandra.declare.options import SCHEMA_VERSION
from keywright.engines.cassandra.migrate import transform as compiler
from keywright.engines.cassandra.migrate.transform import StoredCell
from keywright.engines.cassandra.schema.cql import identifier, identifiers, qualified
from keywright.engines.cassandra.schema.target import ClusteringColumn
from keywright.engines.contract.pages import WRITTEN, ChangeOutcome, ItemChange, Marks, Pages, StoredItem, Work
from keywright.errors import UsageError
from keywright.ir.json import Json

try:
    from cassandra import ConsistencyLevel, InvalidRequest
    from cassandra.concurrent import execute_concurrent
    from cassandra.query import BatchStatement, BatchType
except ImportError as error:
    raise not_installed("cassandra") from error

AT_ONCE = 64
"""Rows that are written at the same time."""

FETCH = 200
"""Rows in an answer of the server. It aborts a read that meets too many tombstones, and each value that a backfill has
removed is a tombstone.
"""

MIXED = "code without a schema version wrote it after its conversion: put the whole item with the new code"
"""Problem of a row whose values belong to two versions according to their write times."""

MARGIN_SECONDS = 10
"""Largest difference of clocks: a row that has only its key is written with a time this long before its read."""


def pages(session: Any, work: Work, agree: Callable[[], None]) -> Pages:
    """The rows of `keyspace.table`.

    Segments are token ranges. Cursors are the last token, with the last row if a partition is larger than a page. Keys
    are the values of the primary key. Writes never conflict, because the times of values decide which one stays.

    agree: waits until all nodes have the same schema. A backfill with marks has its own column for them, whose name is
    never used again, because a recreated column would hide values that are written with older times.
    """
    rows = _Rows(session, work)

    def admit() -> None:
        if rows.version not in rows.types:
            with suppress(InvalidRequest):  # another process has just added it
                session.execute(
                    f"ALTER TABLE {qualified(rows.keyspace, rows.table)} ADD {identifier(rows.version)} text"
                )
            agree()
            rows.look()

    def dismiss() -> None:
        with suppress(InvalidRequest):  # it is dropped already, or a view of the table needs it and it stays unused
            session.execute(f"ALTER TABLE {qualified(rows.keyspace, rows.table)} DROP {identifier(rows.version)}")
        agree()

    return Pages(
        split=lambda count: tuple([low, high] for low, high in compiler.ranges(max(count, 1))),
        page=rows.page,
        find=rows.find,
        write=rows.write,
        marks=Marks(admit=admit, dismiss=dismiss),
        form=lambda path, value: compiler.form(path, value, rows.types.get(path)),
        estimate=rows.estimate,
        keyed_by=tuple(rows.keys),
        put=rows.put,
        remove=rows.remove,
    )


class _Rows:
    """A table, with the operations on its rows."""

    def __init__(self, session: Any, work: Work) -> None:
        self.session, self.work = session, work
        self.keyspace, _, self.table = work.object.partition(".")
        self.version = work.attribute or (compiler.mark_column(work.once) if work.once else SCHEMA_VERSION)
        self.look()

    def look(self) -> None:
        """Read the columns of the table."""
        work = self.work
        query = "SELECT * FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
        columns = list(self.session.execute(query, (self.keyspace, self.table)))
        self.types = {column.column_name: column.type for column in columns}
        kinds = {column.column_name: column.kind for column in columns}
        ordered = sorted(columns, key=lambda column: column.position)
        self.partition = [column.column_name for column in ordered if column.kind == "partition_key"]
        self.clustering = [
            ClusteringColumn(column.column_name, column.type, column.clustering_order == "desc")
            for column in ordered
            if column.kind == "clustering"
        ]
        self.keys = [*self.partition, *(column.name for column in self.clustering)]
        # In a pass without writes, a missing column is not an error.
        self.read_paths = tuple(path for path in work.read_paths if work.writes or path in kinds)
        for path in (*self.read_paths, *([self.version] if work.version is not None else [])):
            _refuse(work, path, kinds.get(path), self.types.get(path, ""))
        regular = [name for name in sorted(kinds) if kinds[name] == "regular" and "<" not in self.types[name]]
        paths = [path for path in self.read_paths if path not in self.keys]
        # A transform to constants has the row as its input, so the other values of the row give its write time.
        inputs = set(paths) & set(work.reads) - set(work.writes)
        extra = [] if inputs else regular
        version_column = [self.version] if self.version in kinds else []
        self.cells = list(dict.fromkeys((*paths, *extra, *version_column)))
        self.prepared = cache(self._prepare)

    def _prepare(self, text: str) -> Any:
        statement = self.session.prepare(text)
        statement.consistency_level = ConsistencyLevel.LOCAL_QUORUM
        return statement

    def _select(self, where: str, values: Sequence[Any], limit: int) -> list[Any]:
        times = [f"{name}({identifier(cell)})" for cell in self.cells for name in ("writetime", "ttl")]
        token = f"token({identifiers(self.partition)})"
        selection = ", ".join((token, identifiers([*self.keys, *self.cells]), *times))
        text = f"SELECT {selection} FROM {qualified(self.keyspace, self.table)} WHERE {where} LIMIT ?"
        statement = self.prepared(text).bind([*values, limit])
        statement.fetch_size = FETCH
        return list(self.session.execute(statement))

    def page(self, segment: Any, cursor: Any, limit: int) -> tuple[tuple[StoredItem, ...], Json]:
        """See `Pages.page`."""
        if cursor and "after" in cursor:
            rows = self._rest(from_json(cursor["partition"]), from_json(cursor["after"]), limit)
            next_cursor: Json = {"token": cursor["token"]}
            if len(rows) == limit:
                next_cursor = {**cursor, "after": self._clustered(rows[-1])}
            return self._items(rows), next_cursor
        start = cursor["token"] if cursor else segment[0]
        token = f"token({identifiers(self.partition)})"
        rows = self._select(f"{token} > ? AND {token} <= ?", (start, segment[1]), limit)
        if len(rows) < limit:
            return self._items(rows), None
        last = rows[-1][0]
        complete = [row for row in rows if row[0] != last] if self.clustering else rows
        if complete:
            return self._items(complete), {"token": complete[-1][0]}
        partition = [to_json(value) for value in rows[-1][1 : 1 + len(self.partition)]]
        return self._items(rows), {"token": last, "partition": partition, "after": self._clustered(rows[-1])}

    def _clustered(self, row: Any) -> list[Json]:
        return [to_json(value) for value in row[1 + len(self.partition) : 1 + len(self.keys)]]

    def _rest(self, partition: list[Any], after: list[Any], limit: int) -> list[Any]:
        """The rows of a partition after a row."""
        same = " AND ".join(f"{identifier(name)} = ?" for name in self.partition)
        rows: list[Any] = []
        for condition, depth in compiler.after(self.clustering):
            if len(rows) < limit:
                rows += self._select(f"{same} AND {condition}", (*partition, *after[:depth]), limit - len(rows))
        return rows

    def _items(self, rows: Sequence[Any]) -> tuple[StoredItem, ...]:
        now = time.time()
        return tuple(self._item(row, now) for row in rows if None not in row[1 : 1 + len(self.keys)])

    def _item(self, row: Any, now: float) -> StoredItem:
        """A row as an item. Its handle is (key, cells, time of the read)."""
        cells_start, times_start = 1 + len(self.keys), 1 + len(self.keys) + len(self.cells)
        key, cell_values, times = row[1:cells_start], row[cells_start:times_start], row[times_start:]
        cells = {
            name: StoredCell(value, _newest(times[2 * position]), _shortest(times[2 * position + 1]))
            for position, (name, value) in enumerate(zip(self.cells, cell_values, strict=True))
            if value is not None
        }
        poison = ""
        work, values = self.work, {name: plain(value) for name, value in zip(self.keys, key, strict=True)}
        values.update((name, plain(cell.value)) for name, cell in cells.items() if name in self.read_paths)
        if work.stamp is None:
            is_new = compiler.is_ahead(cells, work.reads, work.writes)
        elif work.once:
            version = cells.get(self.version)
            is_new = version is not None and work.is_processed(version.value)
        else:
            version = cells.get(self.version)
            has_new_version = version is not None and version.value >= work.version
            is_new = has_new_version and not compiler.is_behind(cells, work.reads, work.writes)
            if version is not None and is_new and compiler.is_mixed(cells, work.reads, work.writes, version):
                is_new, poison = False, MIXED
        return StoredItem([to_json(value) for value in key], values, is_new, poison, handle=(tuple(key), cells, now))

    def find(self, keys: Sequence[Any]) -> tuple[StoredItem | None, ...]:
        """See `Pages.find`."""
        where = " AND ".join(f"{identifier(name)} = ?" for name in self.keys)
        items = (self._items(self._select(where, from_json(key), 1)) for key in keys)
        return tuple(next(iter(stored_items), None) for stored_items in items)

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`."""
        if null := [name for name, value in item.items() if value is None]:
            raise ValueError(f'a row cannot contain null: omit "{null[0]}"')
        names, marks = identifiers(item), ", ".join("?" * len(item))
        values = {name: compiler.form(name, value, self.types.get(name)) for name, value in item.items()}
        text = f"INSERT INTO {qualified(self.keyspace, self.table)} ({names}) VALUES ({marks})"
        try:
            self.session.execute(self.prepared(text).bind(list(values.values())))
        except TypeError as error:  # a value with another type than its column
            raise ValueError(str(error)) from error
        return [to_json(values[name]) for name in self.keys]

    def remove(self, key: Any) -> None:
        """See `Pages.remove`."""
        where = " AND ".join(f"{identifier(name)} = ?" for name in self.keys)
        text = f"DELETE FROM {qualified(self.keyspace, self.table)} WHERE {where}"
        self.session.execute(self.prepared(text).bind(from_json(key)))

    def write(self, changes: Sequence[ItemChange]) -> tuple[ChangeOutcome, ...]:
        """See `Pages.write`: a batch for each row, which the server applies as a whole."""
        bound = [self._bound(change) for change in changes]
        statements = [(statement, None) for statement in bound if not isinstance(statement, ChangeOutcome)]
        answers = iter(execute_concurrent(self.session, statements, concurrency=AT_ONCE, raise_on_first_error=False))
        return tuple(result if isinstance(result, ChangeOutcome) else _outcome(next(answers)) for result in bound)

    def _bound(self, change: ItemChange) -> Any:
        """The statements of a change, or its outcome if a value has another type than its column."""
        try:
            return self._batch(change)
        except (TypeError, ValueError, AttributeError, struct.error):
            return ChangeOutcome("rejected", "a value has another type than its column")

    def _batch(self, change: ItemChange) -> Any:
        key, cells, now = change.item.handle
        version = None if self.work.stamp is None else (self.version, self.work.stamp)
        fallback = int((now - MARGIN_SECONDS) * 1_000_000)
        statements = compiler.updates(
            self.work.object, self.keys, cells, self.work.reads, change.values, version, fallback
        )  # fmt: skip
        bound = [self.prepared(statement.text).bind([*statement.parameters, *key]) for statement in statements]
        if len(bound) == 1:
            return bound[0]
        batch = BatchStatement(BatchType.UNLOGGED, consistency_level=ConsistencyLevel.LOCAL_QUORUM)
        for bound_statement in bound:
            batch.add(bound_statement)
        return batch

    def estimate(self) -> int | None:
        """Number of partitions by the server's regular estimate. There are at least as many rows."""
        query = "SELECT partitions_count FROM system.size_estimates WHERE keyspace_name = %s AND table_name = %s"
        return sum(row.partitions_count for row in self.session.execute(query, (self.keyspace, self.table))) or None


def _refuse(work: Work, path: str, kind: str | None, type: str) -> None:
    """Raise UsageError for a column that cannot be read or written in place."""
    if kind is None:
        raise UsageError(f'"{work.object}" has no column "{path}"', "add it before the backfill")
    if path in work.writes and kind != "regular":
        raise UsageError(f'column "{path}" is part of the key or static, which no update can change', "rebuild")
    if type == "counter":
        raise UsageError(
            f'column "{path}" is a counter, which can only be added to', "remove counters from the backfill"
        )


def _newest(times: Any) -> int:
    """The write time of a value; for a collection that of its newest element."""
    return max((time for time in times if time is not None), default=0) if isinstance(times, list) else int(times or 0)


def _shortest(ttl: Any) -> int | None:
    """The time to live of a value; for a collection that of the element that expires first."""
    if isinstance(ttl, list):
        return min((seconds for seconds in ttl if seconds is not None), default=None)
    return None if ttl is None else int(ttl)


def _outcome(answer: Any) -> ChangeOutcome:
    is_done, error = answer
    if is_done:
        return WRITTEN
    if isinstance(error, InvalidRequest):
        return ChangeOutcome("rejected", "the server rejects a value of the row")
    raise error
