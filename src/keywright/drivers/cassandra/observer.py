"""Observes a live Cassandra node: rows from all parts of the ring, and the node's virtual tables."""

import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.cassandra.declare.options import SCHEMA_VERSION
from keywright.engines.cassandra.migrate import transform as compiler
from keywright.engines.cassandra.schema.cql import identifiers, qualified
from keywright.engines.contract.observer import Figure, LiveIndex, Observer, Remembered, SampledItem, Works

try:
    from cassandra import ConsistencyLevel, InvalidRequest, Unauthorized
    from cassandra.query import dict_factory
except ImportError as error:
    raise not_installed("cassandra") from error

PAGE = 100
"""Rows in an answer of the server."""

RANGES = 16
"""Parts of the ring from which rows are sampled."""

_TABLE_FIGURES = {
    "max_partition_size": {"mebibytes": "partition_mb_most"},
    "tombstones_per_read": {"p99th": "tombstones_p99", "max": "tombstones_most"},
    "rows_per_read": {"p99th": "rows_p99", "max": "rows_most"},
    "coordinator_read_latency": {"p99th_ms": "read_p99_ms", "count": "reads"},
    "disk_usage": {"mebibytes": "disk_mb"},
}
"""Figures in a node's virtual tables, which exist from 4.0, with our names for them."""


def observer(session: Any) -> Observer:
    """The observer of the keyspaces of a cluster. Figures are those of the contacted node."""
    rows_of_view = cache(lambda view: _view(session, view))
    return Observer(
        sample=lambda table, works, limit: _sample(session, table, works, limit),
        count=lambda table: None,
        table=lambda table: _table(rows_of_view, table),
        indexes=lambda table: _ways(session, table),
        remembered=lambda table: _remembered(session, table),
        figures=lambda: _figures(session),
    )


def _remembered(session: Any, table: str) -> Remembered:
    from .remembered import remembered  # only `keywright adopt` needs it

    return remembered(session, table)


def _sample(session: Any, table: str, works: Works, limit: int) -> Iterator[tuple[SampledItem, ...]]:
    """The first rows of each part of the ring, up to the limit."""
    keyspace, _, name = table.partition(".")
    query = "SELECT column_name, kind, position FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
    columns = [row for row in session.execute(query, (keyspace, name)) if row.kind == "partition_key"]
    token = f"token({identifiers(row.column_name for row in sorted(columns, key=lambda row: row.position))})"
    text = f"SELECT * FROM {qualified(keyspace, name)} WHERE {token} > ? AND {token} <= ? LIMIT ?"
    statement = session.prepare(text)
    statement.consistency_level = ConsistencyLevel.LOCAL_ONE
    statement.fetch_size = PAGE
    entity, remaining = next(iter(works), ""), limit
    ranges = list(compiler.ranges(RANGES))
    for position, (low, high) in enumerate(ranges):
        if remaining <= 0:
            return
        bound = statement.bind((low, high, -(-remaining // (len(ranges) - position))))
        bound.fetch_size = PAGE
        rows = _rows(session, bound)
        remaining -= len(rows)
        yield tuple(_sampled(row, entity) for row in rows)


def _rows(session: Any, statement: Any) -> list[dict[str, Any]]:
    answer = session.execute(statement)
    return list(dict_factory(answer.column_names, [tuple(row) for row in answer]))


def _sampled(row: dict[str, Any], entity: str) -> SampledItem:
    version = row.get(SCHEMA_VERSION)
    return SampledItem(entity=entity, item=row, version=1 if version is None else int(version))


def _view(session: Any, view: str) -> list[Mapping[str, Any]]:
    """The rows of a virtual table; none if the server does not have or show the table."""
    try:
        return [row._asdict() for row in session.execute(f"SELECT * FROM system_views.{view}")]
    except (InvalidRequest, Unauthorized):
        return []


def _table(rows_of_view: Any, table: str) -> Mapping[str, Figure]:
    keyspace, _, name = table.partition(".")
    figures: dict[str, Figure] = {}
    for view, names in _TABLE_FIGURES.items():
        for row in rows_of_view(view):
            if (row["keyspace_name"], row["table_name"]) == (keyspace, name):
                figures.update((ours, row[theirs]) for theirs, ours in names.items())
    return figures


def _ways(session: Any, table: str) -> tuple[LiveIndex, ...]:
    """Indexes and views of a table. The server does not count their uses."""
    keyspace, _, name = table.partition(".")
    indexes = session.execute(
        "SELECT index_name FROM system_schema.indexes WHERE keyspace_name = %s AND table_name = %s", (keyspace, name)
    )
    views = session.execute(
        "SELECT view_name, base_table_name FROM system_schema.views WHERE keyspace_name = %s", (keyspace,)
    )
    names = [row.index_name for row in indexes] + [row.view_name for row in views if row.base_table_name == name]
    return tuple(LiveIndex(table=table, name=index_name) for index_name in sorted(names))


def _figures(session: Any) -> Mapping[str, Figure]:
    """Pending compactions, hints, and the number of schema versions of the nodes."""
    rows = [*session.execute("SELECT schema_version FROM system.local"),
            *session.execute("SELECT schema_version FROM system.peers")]  # fmt: skip
    figures: dict[str, Figure] = {"schemas": len({row.schema_version for row in rows if row.schema_version})}
    figures["nodes"] = len(rows)
    if pools := {row["name"]: row for row in _view(session, "thread_pools")}:
        compactions = pools.get("CompactionExecutor", {})
        figures["compactions_pending"] = compactions.get("pending_tasks", 0)
    if hints := _view(session, "pending_hints"):
        oldest = max(time.time() - row["oldest"].timestamp() for row in hints)
        figures |= {"hints_nodes": len(hints), "hints_seconds": oldest}
    return figures
