"""Access paths of writes: always by the key of the table. The server updates views and indexes."""

from collections.abc import Iterator

from keywright.access.fill import Unfilled, fill_attribute
from keywright.access.partial_write import Versions, versions_of
from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.attribute import Many, Scalar
from keywright.record import replace

from ...declare.options import SCHEMA_VERSION
from ..calls import FixedColumn, Level
from ..calls_write import DeleteRows, Guard, IncrementCounter, Insert, UpdateRow
from ..layout import Layout
from .assignments import assignments
from .key_match import decides
from .lifetimes import TIMED, lifetime_of, outlived, unsuitable_lifetime, unsuitable_time
from .write_conditions import guards

WRITE_LEVELS: dict[str, Level] = {"eventual": "LOCAL_ONE", "session": "LOCAL_QUORUM", "strong": "LOCAL_QUORUM"}
"""Consistency levels of writes."""

AGREED = "a lightweight transaction: the copies agree in four round trips"
"""Source: https://cassandra.apache.org/doc/latest/cassandra/architecture/guarantees.html, 2026-11-21."""


def put_paths(layout: Layout, query: Query) -> Iterator[Candidate]:
    """The candidate for writing whole items."""
    by, pattern = By("table", layout.table.name), query.pattern
    if layout.counters:
        name = min(layout.counters)
        yield Rejected(by, f'"{name}" is a counter, which cannot be set: use kw.Increment')
        return
    if pattern.where:
        yield Rejected(by, f'a put with a condition on "{pattern.where[0].field}": use kw.Update')
        return
    if reason := unsuitable_lifetime(layout, pattern) or unsuitable_time(layout, pattern):
        yield Rejected(by, reason)
        return
    call = Insert(
        layout.keyspace, layout.table.name, layout.written, tuple(part.name for part in layout.keys),
        len(layout.table.partition), pattern.if_absent, layout.ttl is not None, WRITE_LEVELS[pattern.consistency],
        lifetime_of(pattern), pattern.timestamp,
    )  # fmt: skip
    notes = [AGREED] if pattern.if_absent else []
    if pattern.timestamp is not None:
        notes.append(TIMED)
    if layout.statics:
        notes.append("its static columns change for all rows of the partition")
    if pattern.if_absent and pattern.batch > 1:
        notes.append("each item separately: some may be written before one is rejected")
    yield AccessPath(by, call, fan_out=max(1, pattern.batch), consistency=pattern.consistency, notes=tuple(notes))


def update_paths(layout: Layout, query: Query) -> Iterator[Candidate]:
    """The candidate for changing fields of an item."""
    by, pattern = By("table", layout.table.name), query.pattern
    if layout.counters:
        yield Rejected(by, "a counter cannot be set, and its table contains only counters: use kw.Increment")
        return
    key = single_row(layout, query)
    if isinstance(key, str):
        yield Rejected(by, key)
        return
    changed = assignments(layout, query)
    if isinstance(changed, str):
        yield Rejected(by, changed)
        return
    if reason := unsuitable_lifetime(layout, pattern) or outlived(layout, pattern, changed):
        yield Rejected(by, reason)
        return
    list_bound = tuple(_list_bound(layout, pattern.pushes)) if pattern.pushes else ()
    is_static = all(assignment.cell.name in layout.statics for assignment in changed)
    conditions = guards(layout, guarding(layout, query, key), needs_row=is_static or bool(list_bound))
    if isinstance(conditions, str):
        yield Rejected(by, conditions)
        return
    ttl = layout.ttl
    part = layout.parts.get(ttl.name) if ttl else None
    admitted = _versions(layout, query)
    # No condition admits a row without a version, because a missing row would meet a condition that admits null.
    versions = replace(admitted, least=max(2, admitted.least)) if admitted else None
    call = UpdateRow(
        layout.keyspace, layout.table.name, key, len(layout.table.partition), changed, (*conditions, *list_bound),
        part.cell if part else None,
        ttl.ttl_after_seconds or 0 if ttl else 0, WRITE_LEVELS[pattern.consistency], versions,
        admitted is not None and admitted.least == admitted.most, lifetime_of(pattern),
    )  # fmt: skip
    notes = [AGREED]
    if any(assignment.cell.name in layout.statics for assignment in changed):
        notes.append("a static column changes for all rows of the partition")
    yield AccessPath(by, call, consistency=pattern.consistency, notes=tuple(notes))


def _versions(layout: Layout, query: Query) -> Versions | None:
    """The schema versions that an update admits; None for the first version, which has no column for them."""
    versions = versions_of(layout.binding, SCHEMA_VERSION, layout.identity, query)
    if versions is None or versions.most == 1 or SCHEMA_VERSION not in layout.written:
        return None
    return versions


def increment_paths(layout: Layout, query: Query) -> Iterator[Candidate]:
    """The candidate for incrementing a counter. Other numbers cannot be incremented without a read."""
    by, pattern = By("table", layout.table.name), query.pattern
    part = layout.parts.get(pattern.field or "")
    if part is None or part.name not in layout.counters:
        yield Rejected(
            by,
            f'"{pattern.field}" is not a counter, which Cassandra needs for this: declare counters="{pattern.field}", '
            "or use kw.Update with where= on the value that was read",
        )
        return
    key = single_row(layout, query, draws=True)
    if isinstance(key, str):
        yield Rejected(by, key)
        return
    if guarding(layout, query, key):
        yield Rejected(by, "a counter has no conditions: enforce the limit in the application, or use a plain column")
        return
    call = IncrementCounter(layout.keyspace, layout.table.name, key, part.name, WRITE_LEVELS[pattern.consistency])
    notes: tuple[str, ...] = ("an increment that is repeated after a timeout may count twice",)
    kind = part.cell.type
    if isinstance(kind, Scalar) and (kind.minimum is not None or kind.maximum is not None):
        notes += ("the server does not enforce the bounds of a counter's field",)
    yield AccessPath(by, call, consistency=pattern.consistency, notes=notes)


def delete_paths(layout: Layout, query: Query) -> Iterator[Candidate]:
    """The candidate for deleting the rows with a key or with a prefix of a key."""
    by, pattern = By("table", layout.table.name), query.pattern
    terms: list[FixedColumn] = []
    for position, part in enumerate(layout.keys):
        filled = fill_attribute(part.cell.field, part.template, query, layout.attributes)
        is_partition = position < len(layout.table.partition)
        if isinstance(filled, Unfilled):
            if is_partition:
                yield Rejected(by, filled.reason)
                return
            break
        if not is_partition and any(slot.kind not in ("value", "values") for slot in filled.slots):
            break
        terms.append(FixedColumn(part.cell, filled))
    key = tuple(terms)
    remaining = guarding(layout, query, key)
    keys = {part.cell.field for part in layout.keys}
    if key_condition := next((condition for condition in remaining if condition.field in keys), None):
        yield Rejected(by, f'"{key_condition.field}" follows a part of the key without an equality condition')
        return
    if remaining and (len(key) < len(layout.keys) or not all(term.filled.is_single for term in key)):
        yield Rejected(by, f'a condition on "{remaining[0].field}" needs the full primary key in eq=')
        return
    conditions = guards(layout, remaining, needs_row=False)
    if isinstance(conditions, str):
        yield Rejected(by, conditions)
        return
    call = DeleteRows(
        layout.keyspace, layout.table.name, key, len(layout.table.partition), conditions,
        any(condition.constants is not None for condition in remaining), WRITE_LEVELS[pattern.consistency],
    )  # fmt: skip
    notes = [AGREED] if conditions else []
    if len(key) < len(layout.keys):
        is_all = len(key) == len(layout.table.partition)
        notes.append("removes the whole partition" if is_all else "removes a part of the partition by one tombstone")
    yield AccessPath(by, call, _fan_out(key), consistency=pattern.consistency, notes=tuple(notes))


def single_row(layout: Layout, query: Query, *, draws: bool = False) -> tuple[FixedColumn, ...] | str:
    """The key of the row that a write changes, or the reason why it is incomplete.

    draws: whether a shard without a field may be drawn at random, because the shards add up to the value.
    """
    terms: list[FixedColumn] = []
    missing: dict[str, None] = {}
    for part in layout.keys:
        filled = fill_attribute(part.cell.field, part.template, query, layout.attributes, is_write=True)
        if isinstance(filled, Unfilled):
            missing |= dict.fromkeys(_missing_fields(part.cell.field, query, filled, layout))
        elif not draws and any(slot.kind == "draw" for slot in filled.slots):
            return f'"{part.name}" is random for each written item, so that no item can be found by its fields'
        else:
            terms.append(FixedColumn(part.cell, filled))
    if missing:
        return f"the key needs {_listed(tuple(missing))}: add it to eq="
    return tuple(terms)


def _missing_fields(field: str, query: Query, unfilled: Unfilled, layout: Layout) -> Iterator[str]:
    part = layout.parts.get(field)
    paths = [placeholder.path for placeholder in part.template.placeholders] if part and part.template else [field]
    yield from (path for path in paths if path and query.fixed(path) is None)


def guarding(layout: Layout, query: Query, key: tuple[FixedColumn, ...]) -> tuple[Condition, ...]:
    """The conditions that the key does not decide. Several values of a field share a shard or bucket."""
    decided = {condition for term in key for condition in decides(term, layout.attributes)}
    return tuple(condition for condition in query.conditions if condition not in decided)


def _list_bound(layout: Layout, pushed: str) -> Iterator[Guard]:
    """The index of a list that must be free, so that the list keeps its bound. The size of a set is not available."""
    attribute = next(field for field in layout.attributes if field.name == pushed)
    kind = attribute.type
    if isinstance(kind, Many) and kind.kind == "list" and kind.max_items:
        yield Guard(layout.parts[pushed].cell, element=kind.max_items - 1)


def _fan_out(key: tuple[FixedColumn, ...]) -> int:
    count = 1
    for term in key:
        count *= term.filled.fan_out or 1
    return count


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f'"{name}"' for name in names)
