"""Texts of prepared statements that a node remembers, and its counts of reads and writes."""

import time
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.cassandra.adopt.cql_statement import table_of
from keywright.engines.contract.observer import Figure, Remembered

try:
    from cassandra import InvalidRequest, Unauthorized
except ImportError as error:
    raise not_installed("cassandra") from error

STATEMENTS = 10_000
"""Most prepared statements that are read: a node keeps them by their size in memory."""

TEXT = 10_000
"""Most characters of a text that is read."""

_SECONDS_OF_DAY = 86_400
_COUNTS = (("coordinator_read_latency", "reads"), ("coordinator_write_latency", "writes"))
"""Virtual tables with counts from the start of the node, in which a read of several partitions does not count.
Source: https://cassandra.apache.org/doc/stable/cassandra/operating/virtualtables.html, 2026-11-28."""


def remembered(session: Any, table: str) -> Remembered:
    """The prepared statements of a table on the contacted node, which counts them not; its reads and writes."""
    keyspace, _, name = table.partition(".")
    rows = _rows(session, f"SELECT logged_keyspace, query_string FROM system.prepared_statements LIMIT {STATEMENTS}")
    texts = [str(row.query_string) for row in rows if _is_of(row, keyspace, name)]
    return Remembered(texts, _figures(session, keyspace, name))


def _is_of(row: Any, keyspace: str, table: str) -> bool:
    text = row.query_string
    if not text or len(text) > TEXT or table.lower() not in text.lower():
        return False
    named, own = table_of(text)
    return (named or row.logged_keyspace, own) == (keyspace, table)


def _figures(session: Any, keyspace: str, table: str) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for row in _rows(session, "SELECT gossip_generation FROM system.local"):
        if row.gossip_generation:
            figures["days"] = max(0.0, time.time() - row.gossip_generation) / _SECONDS_OF_DAY
    for view, name in _COUNTS:
        query = f"SELECT count FROM system_views.{view} WHERE keyspace_name = %s AND table_name = %s"
        figures.update((name, row[0]) for row in _rows(session, query, (keyspace, table)))
    return figures


def _rows(session: Any, query: str, values: tuple[str, ...] | None = None) -> list[Any]:
    """The rows of a query; none if the server does not have or show the table."""
    try:
        return list(session.execute(query, values))
    except (InvalidRequest, Unauthorized):
        return []
