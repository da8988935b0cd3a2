"""Rows of a table page by page: token ranges, and batches of updates with the times of what they are made from."""

import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from keywright.drivers.cassandra_values import from_json, plain, to_json
from keywright.drivers.extras import not_installed
from keywright.engines.cassandra import transform as compiler
from keywright.engines.cassandra.cql import identifier, identifiers, qualified
from keywright.engines.cassandra.options import SCHEMA_VERSION
from keywright.engines.cassandra.target import ClusteringColumn
from keywright.engines.cassandra.transform import Cell
from keywright.engines.pages import WRITTEN, Change, Item, Outcome, Pages, Work
from keywright.errors import UsageError
from keywright.ir.json import Json

try:
    from cassandra import ConsistencyLevel, InvalidRequest
    from cassandra.concurrent import execute_concurrent
    from cassandra.query import BatchStatement, BatchType
except ImportError as error:
    raise not_installed("cassandra") from error

AT_ONCE = 64
"""Rows that are on their way at once."""

FETCH = 200
"""Rows that one answer of the server carries: it refuses to answer where it meets too many tombstones on the way, and
each value that a pass has taken away is one.
"""

MARGIN_SECONDS = 10
"""How far clocks may differ: a row that is only its key is written as if so long before it was read."""


def pages(asking: Any, work: Work) -> Pages:
    """The rows of `keyspace.table`.

    Segments are token ranges, cursors the last token, with the last row where a partition is larger than a page; keys
    are the values of the primary key. Nothing is ever contended: the times of values decide which one stays.
    """
    of = _Rows(asking, work)
    return Pages(
        split=lambda count: tuple([low, high] for low, high in compiler.ranges(max(count, 1))),
        page=of.page,
        find=of.find,
        write=of.write,
        form=lambda path, value: compiler.form(path, value, of.types.get(path)),
        estimate=of.estimate,
        keyed_by=tuple(of.keys),
        put=of.put,
        remove=of.remove,
    )


class _Rows:
    """A table, and what is done to the rows in it."""

    def __init__(self, asking: Any, work: Work) -> None:
        self.asking, self.work = asking, work
        self.keyspace, _, self.table = work.object.partition(".")
        query = "SELECT * FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
        columns = list(asking.execute(query, (self.keyspace, self.table)))
        self.types = {one.column_name: one.type for one in columns}
        kinds = {one.column_name: one.kind for one in columns}
        ordered = sorted(columns, key=lambda one: one.position)
        self.partition = [one.column_name for one in ordered if one.kind == "partition_key"]
        self.clustering = [
            ClusteringColumn(one.column_name, one.type, one.clustering_order == "desc")
            for one in ordered
            if one.kind == "clustering"
        ]
        self.keys = [*self.partition, *(one.name for one in self.clustering)]
        self.version = work.attribute or SCHEMA_VERSION
        # Where nothing is written, what is not there is only not found.
        self.looked_at = tuple(one for one in work.looked_at if work.writes or one in kinds)
        for path in (*self.looked_at, *([self.version] if work.version is not None else [])):
            _refuse(work, path, kinds.get(path), self.types.get(path, ""))
        regular = [name for name in sorted(kinds) if kinds[name] == "regular" and "<" not in self.types[name]]
        wanted = [path for path in self.looked_at if path not in self.keys]
        # What a row of constants is made from is the row: then its other values say when it was written.
        are_inputs = set(wanted) & set(work.reads) - set(work.writes)
        more = [] if are_inputs else regular
        own = [self.version] if self.version in kinds else []
        self.cells = list(dict.fromkeys((*wanted, *more, *own)))
        self.prepared = cache(self._prepare)

    def _prepare(self, text: str) -> Any:
        statement = self.asking.prepare(text)
        statement.consistency_level = ConsistencyLevel.LOCAL_QUORUM
        return statement

    def _select(self, where: str, values: Sequence[Any], limit: int) -> list[Any]:
        told = [f"{name}({identifier(one)})" for one in self.cells for name in ("writetime", "ttl")]
        token = f"token({identifiers(self.partition)})"
        shown = ", ".join((token, identifiers([*self.keys, *self.cells]), *told))
        text = f"SELECT {shown} FROM {qualified(self.keyspace, self.table)} WHERE {where} LIMIT ?"
        statement = self.prepared(text).bind([*values, limit])
        statement.fetch_size = FETCH
        return list(self.asking.execute(statement))

    def page(self, segment: Any, cursor: Any, limit: int) -> tuple[tuple[Item, ...], Json]:
        """See `Pages.page`."""
        if cursor and "after" in cursor:
            rows = self._rest(from_json(cursor["partition"]), from_json(cursor["after"]), limit)
            behind: Json = {"token": cursor["token"]}
            if len(rows) == limit:
                behind = {**cursor, "after": self._clustered(rows[-1])}
            return self._items(rows), behind
        start = cursor["token"] if cursor else segment[0]
        token = f"token({identifiers(self.partition)})"
        rows = self._select(f"{token} > ? AND {token} <= ?", (start, segment[1]), limit)
        if len(rows) < limit:
            return self._items(rows), None
        last = rows[-1][0]
        whole = [row for row in rows if row[0] != last] if self.clustering else rows
        if whole:
            return self._items(whole), {"token": whole[-1][0]}
        partition = [to_json(one) for one in rows[-1][1 : 1 + len(self.partition)]]
        return self._items(rows), {"token": last, "partition": partition, "after": self._clustered(rows[-1])}

    def _clustered(self, row: Any) -> list[Json]:
        return [to_json(one) for one in row[1 + len(self.partition) : 1 + len(self.keys)]]

    def _rest(self, partition: list[Any], after: list[Any], limit: int) -> list[Any]:
        """The rows of a partition behind one of them."""
        same = " AND ".join(f"{identifier(one)} = ?" for one in self.partition)
        rows: list[Any] = []
        for condition, depth in compiler.after(self.clustering):
            if len(rows) < limit:
                rows += self._select(f"{same} AND {condition}", (*partition, *after[:depth]), limit - len(rows))
        return rows

    def _items(self, rows: Sequence[Any]) -> tuple[Item, ...]:
        now = time.time()
        return tuple(self._item(row, now) for row in rows if None not in row[1 : 1 + len(self.keys)])

    def _item(self, row: Any, now: float) -> Item:
        """A row as an item; its handle is (key, cells, when it was read)."""
        first, second = 1 + len(self.keys), 1 + len(self.keys) + len(self.cells)
        key, held, told = row[1:first], row[first:second], row[second:]
        cells = {
            name: Cell(value, _newest(told[2 * at]), _shortest(told[2 * at + 1]))
            for at, (name, value) in enumerate(zip(self.cells, held, strict=True))
            if value is not None
        }
        work, values = self.work, {name: plain(one) for name, one in zip(self.keys, key, strict=True)}
        values.update((name, plain(cell.value)) for name, cell in cells.items() if name in self.looked_at)
        if work.version is None:
            is_new = compiler.is_ahead(cells, work.reads, work.writes)
        else:
            before = cells.get(self.version)
            is_risen = before is not None and before.value >= work.version
            is_new = is_risen and not compiler.is_behind(cells, work.reads, work.writes)
        return Item([to_json(one) for one in key], values, is_new, handle=(tuple(key), cells, now))

    def find(self, keys: Sequence[Any]) -> tuple[Item | None, ...]:
        """See `Pages.find`."""
        where = " AND ".join(f"{identifier(one)} = ?" for one in self.keys)
        found = (self._items(self._select(where, from_json(key), 1)) for key in keys)
        return tuple(next(iter(one), None) for one in found)

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`."""
        if null := [name for name, value in item.items() if value is None]:
            raise ValueError(f'a row holds no null: leave "{null[0]}" out')
        names, marks = identifiers(item), ", ".join("?" * len(item))
        values = {name: compiler.form(name, value, self.types.get(name)) for name, value in item.items()}
        text = f"INSERT INTO {qualified(self.keyspace, self.table)} ({names}) VALUES ({marks})"
        try:
            self.asking.execute(self.prepared(text).bind(list(values.values())))
        except TypeError as error:  # a value of another type than its column
            raise ValueError(str(error)) from error
        return [to_json(values[name]) for name in self.keys]

    def remove(self, key: Any) -> None:
        """See `Pages.remove`."""
        where = " AND ".join(f"{identifier(one)} = ?" for one in self.keys)
        text = f"DELETE FROM {qualified(self.keyspace, self.table)} WHERE {where}"
        self.asking.execute(self.prepared(text).bind(from_json(key)))

    def write(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        """See `Pages.write`: a batch for each row, which is whole and alone in its partition."""
        statements = [(self._batch(one), None) for one in changes]
        answers = execute_concurrent(self.asking, statements, concurrency=AT_ONCE, raise_on_first_error=False)
        return tuple(_outcome(answer) for answer in answers)

    def _batch(self, change: Change) -> Any:
        key, cells, now = change.item.handle
        version = None if self.work.version is None else (self.version, self.work.version)
        fallback = int((now - MARGIN_SECONDS) * 1_000_000)
        made = compiler.updates(
            self.work.object, self.keys, cells, self.work.reads, change.values, version, fallback
        )  # fmt: skip
        bound = [self.prepared(one.text).bind([*one.parameters, *key]) for one in made]
        if len(bound) == 1:
            return bound[0]
        batch = BatchStatement(BatchType.UNLOGGED, consistency_level=ConsistencyLevel.LOCAL_QUORUM)
        for one in bound:
            batch.add(one)
        return batch

    def estimate(self) -> int | None:
        """Partitions, as the server guesses now and then; rows are never fewer."""
        query = "SELECT partitions_count FROM system.size_estimates WHERE keyspace_name = %s AND table_name = %s"
        return sum(one.partitions_count for one in self.asking.execute(query, (self.keyspace, self.table))) or None


def _refuse(work: Work, path: str, kind: str | None, type: str) -> None:
    """UsageError for a column that cannot be read or written in place."""
    if kind is None:
        raise UsageError(f'"{work.object}" has no column "{path}"', "add it before the backfill")
    if path in work.writes and kind != "regular":
        raise UsageError(f'column "{path}" is part of the key or static, which no update of a row writes', "rebuild")
    if type == "counter":
        raise UsageError(f'column "{path}" is a counter, which can only be added to', "leave counters out")


def _newest(told: Any) -> int:
    """The time of a value; of a collection that of its newest element."""
    return max((one for one in told if one is not None), default=0) if isinstance(told, list) else int(told or 0)


def _shortest(told: Any) -> int | None:
    """How long a value lives; of a collection until its first element goes."""
    if isinstance(told, list):
        return min((one for one in told if one is not None), default=None)
    return None if told is None else int(told)


def _outcome(answer: Any) -> Outcome:
    is_done, error = answer
    if is_done:
        return WRITTEN
    if isinstance(error, InvalidRequest):
        return Outcome("rejected", "the server refuses a value of the row")
    raise error
