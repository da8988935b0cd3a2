"""The keys and indexes that serve a pattern, and the reasons why others do not."""

from collections.abc import Callable, Iterator, Mapping

from keywright.access.path import By, Candidate, Rejected
from keywright.access.query import request
from keywright.ir.binding import Binding
from keywright.ir.pattern import COMBINED_READS, Pattern, PatternKind

from ...declare.options import CqlTable
from ...schema.target import KeyspaceTarget
from ..layout import layout
from .batch import together
from .read import read_paths
from .write import delete_paths, increment_paths, put_paths, update_paths

__all__ = ["key_fields", "paths", "together"]

_UNSUPPORTED: Mapping[str, str] = {
    **dict.fromkeys(("rank", "rank_around"), "Cassandra has no ranks: use a RedisSortedSet"),
    "aggregate": "Cassandra has no aggregates over groups: maintain a table of counters, or read another store",
    "take": "taking from a table leaves tombstones that every later read scans: use a RedisStream or RedisList",
    "transact": "a transaction is planned from its writes",
    **dict.fromkeys(COMBINED_READS, "a read of several entities is planned from its reads"),
}
"""Reasons why no table serves a kind of pattern."""

_SERVED: Mapping[str, Callable[..., Iterator[Candidate]]] = {
    "get": read_paths, "read": read_paths, "count": read_paths, "put": put_paths, "update": update_paths,
    "increment": increment_paths, "delete": delete_paths,
}  # fmt: skip

KINDS: tuple[PatternKind, ...] = (
    "get", "read", "count", "rank", "rank_around", "aggregate", "put", "update", "increment", "delete", "take",
    "transact", "read_together", "transact_get",
)  # fmt: skip
"""Every kind of pattern. A test checks that each is handled."""


def key_fields(target: KeyspaceTarget, binding: Binding[CqlTable]) -> tuple[str, ...]:
    """See `Engine.key_fields`: for a computed column, the fields in its template."""
    entity_layout = layout(target, binding)
    return () if entity_layout is None else entity_layout.identity


def paths(target: KeyspaceTarget, binding: Binding[CqlTable], pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`."""
    entity_layout = layout(target, binding)
    if entity_layout is None:
        yield Rejected(By("table", target.name), f'keyspace "{target.name}" has no table for "{binding.name}"')
    elif pattern.kind in _UNSUPPORTED:
        yield Rejected(By("table", entity_layout.table.name), _UNSUPPORTED[pattern.kind])
    else:
        yield from _SERVED[pattern.kind](entity_layout, request(pattern, entity_layout.identity))
