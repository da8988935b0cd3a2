"""What keywright looks at on a live Cassandra node: rows from all over the ring, and the node's virtual tables."""

import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from keywright.drivers.extras import not_installed
from keywright.engines.cassandra import transform as compiler
from keywright.engines.cassandra.cql import identifiers, qualified
from keywright.engines.cassandra.options import SCHEMA_VERSION
from keywright.engines.flaws.observation import Figure, Way
from keywright.engines.observer import Observer, Taken, Works

try:
    from cassandra import ConsistencyLevel, InvalidRequest, Unauthorized
    from cassandra.query import dict_factory
except ImportError as error:
    raise not_installed("cassandra") from error

PAGE = 100
"""Rows of one answer."""

RANGES = 16
"""Parts of the ring that rows are taken from."""

_OF_TABLES = {
    "max_partition_size": {"mebibytes": "partition_mb_most"},
    "tombstones_per_read": {"p99th": "tombstones_p99", "max": "tombstones_most"},
    "rows_per_read": {"p99th": "rows_p99", "max": "rows_most"},
    "coordinator_read_latency": {"p99th_ms": "read_p99_ms", "count": "reads"},
    "disk_usage": {"mebibytes": "disk_mb"},
}
"""Figures of a node's virtual tables, which there are from 4.0 on, and our names of them."""


def observer(asking: Any) -> Observer:
    """The eyes on the keyspaces of one cluster; figures are those of the node that is asked."""
    known = cache(lambda view: _view(asking, view))
    return Observer(
        sample=lambda table, works, limit: _sample(asking, table, works, limit),
        count=lambda table: None,
        table=lambda table: _table(known, table),
        ways=lambda table: _ways(asking, table),
        figures=lambda: _figures(asking),
    )


def _sample(asking: Any, table: str, works: Works, limit: int) -> Iterator[tuple[Taken, ...]]:
    """The first rows of some parts of the ring, then the next ones of each, until there are enough."""
    keyspace, _, name = table.partition(".")
    query = "SELECT column_name, kind, position FROM system_schema.columns WHERE keyspace_name = %s AND table_name = %s"
    columns = [row for row in asking.execute(query, (keyspace, name)) if row.kind == "partition_key"]
    token = f"token({identifiers(row.column_name for row in sorted(columns, key=lambda row: row.position))})"
    text = f"SELECT * FROM {qualified(keyspace, name)} WHERE {token} > ? AND {token} <= ? LIMIT ?"
    statement = asking.prepare(text)
    statement.consistency_level = ConsistencyLevel.LOCAL_ONE
    statement.fetch_size = PAGE
    entity, left = next(iter(works), ""), limit
    ranges = list(compiler.ranges(RANGES))
    for at, (low, high) in enumerate(ranges):
        if left <= 0:
            return
        bound = statement.bind((low, high, -(-left // (len(ranges) - at))))
        bound.fetch_size = PAGE
        rows = _rows(asking, bound)
        left -= len(rows)
        yield tuple(_taken(row, entity) for row in rows)


def _rows(asking: Any, bound: Any) -> list[dict[str, Any]]:
    answer = asking.execute(bound)
    return list(dict_factory(answer.column_names, [tuple(row) for row in answer]))


def _taken(row: dict[str, Any], entity: str) -> Taken:
    version = row.get(SCHEMA_VERSION)
    return Taken(entity=entity, item=row, version=1 if version is None else int(version))


def _view(asking: Any, view: str) -> list[Mapping[str, Any]]:
    """The rows of a virtual table; nothing where the server has none, or does not show it."""
    try:
        return [row._asdict() for row in asking.execute(f"SELECT * FROM system_views.{view}")]
    except (InvalidRequest, Unauthorized):
        return []


def _table(known: Any, table: str) -> Mapping[str, Figure]:
    keyspace, _, name = table.partition(".")
    found: dict[str, Figure] = {}
    for view, names in _OF_TABLES.items():
        for row in known(view):
            if (row["keyspace_name"], row["table_name"]) == (keyspace, name):
                found.update((ours, row[theirs]) for theirs, ours in names.items())
    return found


def _ways(asking: Any, table: str) -> tuple[Way, ...]:
    """Indexes and views of a table; nobody counts how often they are asked."""
    keyspace, _, name = table.partition(".")
    indexes = asking.execute(
        "SELECT index_name FROM system_schema.indexes WHERE keyspace_name = %s AND table_name = %s", (keyspace, name)
    )
    views = asking.execute(
        "SELECT view_name, base_table_name FROM system_schema.views WHERE keyspace_name = %s", (keyspace,)
    )
    names = [row.index_name for row in indexes] + [row.view_name for row in views if row.base_table_name == name]
    return tuple(Way(table=table, name=one) for one in sorted(names))


def _figures(asking: Any) -> Mapping[str, Figure]:
    """Compactions that wait, hints, and how many schemas the nodes have."""
    rows = [*asking.execute("SELECT schema_version FROM system.local"),
            *asking.execute("SELECT schema_version FROM system.peers")]  # fmt: skip
    found: dict[str, Figure] = {"schemas": len({row.schema_version for row in rows if row.schema_version})}
    found["nodes"] = len(rows)
    if pools := {row["name"]: row for row in _view(asking, "thread_pools")}:
        compactions = pools.get("CompactionExecutor", {})
        found["compactions_pending"] = compactions.get("pending_tasks", 0)
    if hints := _view(asking, "pending_hints"):
        oldest = max(time.time() - row["oldest"].timestamp() for row in hints)
        found |= {"hints_nodes": len(hints), "hints_seconds": oldest}
    return found
