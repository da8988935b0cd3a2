"""Which keys and indexes serve a pattern, or why they do not."""

from collections.abc import Callable, Iterator, Mapping

from keywright.access.path import By, Candidate, Rejected
from keywright.access.request import request
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern, PatternKind

from ..target import KeyspaceTarget
from .layout import layout
from .paths_batch import together
from .paths_read import read_paths
from .paths_write import delete_paths, increment_paths, put_paths, update_paths

__all__ = ["key_fields", "paths", "together"]

_NEVER: Mapping[str, str] = {
    "rank": "Cassandra counts no places in an order: keep a RedisSortedSet for it",
    "aggregate": "Cassandra computes no figures over groups: keep them in a table of counters, or read another store",
    "take": "taking from a table leaves tombstones that every later read walks over: use a RedisStream or RedisList",
    "transact": "a transaction is planned from its writes",
}
"""Why no table ever serves a kind of pattern."""

_SERVED: Mapping[str, Callable[..., Iterator[Candidate]]] = {
    "get": read_paths, "read": read_paths, "count": read_paths, "put": put_paths, "update": update_paths,
    "increment": increment_paths, "delete": delete_paths,
}  # fmt: skip

KINDS: tuple[PatternKind, ...] = (
    "get", "read", "count", "rank", "aggregate", "put", "update", "increment", "delete", "take", "transact",
)  # fmt: skip
"""Every kind of pattern; a test sees to it that each has an answer."""


def key_fields(target: KeyspaceTarget, binding: Binding) -> tuple[str, ...]:
    """See `Engine.key_fields`: of a computed column, the fields that it is made from."""
    known = layout(target, binding)
    return () if known is None else known.identity


def paths(target: KeyspaceTarget, binding: Binding, pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`."""
    known = layout(target, binding)
    if known is None:
        yield Rejected(By("table", target.name), f'keyspace "{target.name}" has no table for "{binding.name}"')
    elif pattern.kind in _NEVER:
        yield Rejected(By("table", known.table.name), _NEVER[pattern.kind])
    else:
        yield from _SERVED[pattern.kind](known, request(pattern, known.identity))
