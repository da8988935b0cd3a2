"""The path of a read whose key is restricted: which columns, in which order, at which level."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Asked, Request

from .arranged import Arranged
from .calls import Level, Open, Select
from .keyed import Keyed
from .layout import Layout
from .order import is_timed
from .relation import Relation

LEVELS: dict[str, Level] = {"eventual": "LOCAL_ONE", "session": "LOCAL_QUORUM", "strong": "LOCAL_QUORUM"}
"""Consistency levels of reads: with writes on a quorum, every read on one sees them.
Source: https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html, 2026-11-21."""


def served(
    known: Layout,
    relation: Relation,
    asked: Request,
    found: Keyed,
    order: Arranged,
    residual: tuple[Asked, ...],
    by: By,
) -> Candidate:
    """The path of a restricted key."""
    columns = wanted(known, relation, asked, found, order, residual)
    if isinstance(columns, str):
        return Rejected(by, columns)
    call = Select(
        keyspace=known.keyspace,
        relation=relation.name,
        columns=columns,
        partition=found.partition,
        clustering=found.clustering,
        bounds=found.bounds,
        open=tuple(Open(part.cell, part.is_descending != order.is_reversed) for part in found.open),
        orders=order.orders,
        walk=order.walk,
        walked=order.walked,
        is_backward=order.is_backward,
        sorted=order.sorted,
        counted=_counted(known, asked, residual),
        partial=columns is not known.whole and not set(known.whole).issubset(columns),
        residual=residual,
        level=LEVELS[asked.pattern.consistency],
    )
    fan_out, said = call.fan_out, asked.pattern.fan_out
    notes = tuple(_notes(known, asked, call, fan_out))
    return AccessPath(by, call, fan_out or max(1, said), order.kind, residual, asked.pattern.consistency, notes)


def wanted(
    known: Layout, relation: Relation, asked: Request, found: Keyed, order: Arranged, residual: tuple[Asked, ...]
) -> tuple[str, ...] | str:
    """The columns to read, in the order of the table: what is needed, and what pages are resumed and merged by."""
    fields, whole = asked.pattern.fields, known.whole
    more = [part.name for part in found.open]
    more += [one.column for one in order.sorted]
    more += [part.name for one in residual if (part := known.part(one.field)) is not None]
    if not fields and relation.kind == "table" and all(name in whole for name in more):
        return whole
    needed = [part.name for field in fields if (part := known.part(field)) is not None] if fields else [*whole]
    needed += more
    keys = {part.name for part in relation.partition} | known.statics
    if found.clustering and keys.issuperset(needed):  # the server refuses to read nothing else under a row's key
        needed.append(found.clustering[-1].cell.name)
    missing = next((name for name in needed if name not in relation.columns), None)
    if missing is not None:
        return f'it does not hold "{missing}"'
    chosen = frozenset(needed)
    all_parts = (*relation.partition, *relation.clustering, *known.parts.values())
    return tuple(dict.fromkeys(part.name for part in all_parts if part.name in chosen))


def _counted(known: Layout, asked: Request, residual: tuple[Asked, ...]) -> str | None:
    """What is counted: a partition that has static columns and no row counts as one by `*`."""
    if asked.pattern.kind != "count" or residual:
        return None
    return known.table.clustering[0].name if known.statics and known.table.clustering else "*"


def _notes(known: Layout, asked: Request, call: Select, fan_out: int | None) -> Iterator[str]:
    if call.counted:
        yield "counts by reading every row of the partition"
    for one in asked.order:
        if (part := known.parts.get(one.field)) is not None and is_timed(part.cell):
            yield f'"{one.field}" is ordered by the moment in it, and not as a text'
    if call.residual:
        yield "what is judged after reading is judged on single rows"
    if fan_out is None:
        yield "one request for each value of a list that the caller gives"
    elif fan_out > max(asked.pattern.fan_out, 1):
        yield f"asks up to {fan_out} partitions, where the pattern says fan_out={asked.pattern.fan_out}"
