"""The access path of a read by key: its columns, order and consistency level."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.text import counted

from ...declare.options import SCHEMA_VERSION
from ..calls import Level, Open, Select
from ..layout import Layout
from ..order import is_timed
from ..relation import Relation
from .key_match import KeyMatch
from .row_order import Arranged

LEVELS: dict[str, Level] = {"eventual": "LOCAL_ONE", "session": "LOCAL_QUORUM", "strong": "LOCAL_QUORUM"}
"""Consistency levels of reads. If writes and reads use a quorum, every read sees the writes.
Source: https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html, 2026-11-21."""


def served(
    layout: Layout,
    relation: Relation,
    query: Query,
    match: KeyMatch,
    order: Arranged,
    residual: tuple[Condition, ...],
    by: By,
    *,
    residual_note: str = "residual filters are checked row by row",
) -> Candidate:
    """The access path of a key match, or the reason why it does not serve."""
    columns = needed_columns(layout, relation, query, match, order, residual)
    if isinstance(columns, str):
        return Rejected(by, columns)
    is_partial = columns is not layout.all_columns and not set(layout.all_columns).issubset(columns)
    call = Select(
        keyspace=layout.keyspace,
        relation=relation.name,
        columns=columns if is_partial else (*columns, *_version_column(layout, relation)),
        partition=match.partition,
        clustering=match.clustering,
        bounds=match.bounds,
        open=tuple(Open(part.cell, part.is_descending != order.is_reversed) for part in match.open),
        orders=order.orders,
        walk=order.walk,
        walked=order.walked,
        is_backward=order.is_backward,
        sorted=order.sorted,
        counted=_counted(layout, query, residual),
        partial=is_partial,
        residual=residual,
        level=LEVELS[query.pattern.consistency],
    )
    fan_out, declared_fan_out = call.fan_out, query.pattern.fan_out
    notes = tuple(_notes(layout, query, call, fan_out, residual_note))
    return AccessPath(
        by, call, fan_out or max(1, declared_fan_out), order.kind, residual, query.pattern.consistency, notes
    )


def _version_column(layout: Layout, relation: Relation) -> tuple[str, ...]:
    """The column of the schema version if readers upgrade rows, which they do only with whole rows."""
    has_upgrades = bool(layout.binding.spec.upgrades)
    return (SCHEMA_VERSION,) if has_upgrades and SCHEMA_VERSION in relation.columns else ()


def needed_columns(
    layout: Layout, relation: Relation, query: Query, match: KeyMatch, order: Arranged, residual: tuple[Condition, ...]
) -> tuple[str, ...] | str:
    """The columns to read, in the order of the table, including those that resume and merge pages."""
    fields, all_columns = query.pattern.fields, layout.all_columns
    extra = [part.name for part in match.open]
    extra += [merge_order.column for merge_order in order.sorted]
    extra += [part.name for condition in residual if (part := layout.part(condition.field)) is not None]
    if not fields and relation.kind == "table" and all(name in all_columns for name in extra):
        return all_columns
    needed = [part.name for field in fields if (part := layout.part(field)) is not None] if fields else [*all_columns]
    needed += extra
    keys = {part.name for part in relation.partition} | layout.statics
    if match.clustering and keys.issuperset(needed):  # the server rejects a read of these alone by a row's key
        needed.append(match.clustering[-1].cell.name)
    missing = next((name for name in needed if name not in relation.columns), None)
    if missing is not None:
        return f'it does not contain "{missing}"'
    selected = frozenset(needed)
    parts = (*relation.partition, *relation.clustering, *layout.parts.values())
    return tuple(dict.fromkeys(part.name for part in parts if part.name in selected))


def _counted(layout: Layout, query: Query, residual: tuple[Condition, ...]) -> str | None:
    """The argument of COUNT. `*` counts a partition with static columns and no row as one row."""
    if query.pattern.kind != "count" or residual:
        return None
    return layout.table.clustering[0].name if layout.statics and layout.table.clustering else "*"


def _notes(layout: Layout, query: Query, call: Select, fan_out: int | None, residual_note: str) -> Iterator[str]:
    if call.counted:
        yield "counts by reading every row of the partition"
    ranges = [condition.field for condition in query.conditions if condition.kind == "between"]
    for field in dict.fromkeys([*(ordering.field for ordering in query.order), *ranges]):
        if (part := layout.parts.get(field)) is not None and is_timed(part.cell):
            yield f'"{field}" is ordered by its time, not as text'
    if call.residual and residual_note:
        yield residual_note
    if fan_out is None:
        yield "one request for each value of the caller's list"
    elif fan_out > max(query.pattern.fan_out, 1):
        yield f"reads up to {counted(fan_out, 'partition')}, but the pattern has fan_out={query.pattern.fan_out}"
