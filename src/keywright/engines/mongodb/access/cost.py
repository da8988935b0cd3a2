"""The cost of one call: documents and index entries examined, bytes, round trips.

The server has no price per call; a call's load is the number of documents that it examines. The server examines at
least one index entry for each document, and reads more documents for conditions that the index bounds do not decide.
Source: https://www.mongodb.com/docs/manual/reference/explain-results/#executionstats, 2026-11-21.
"""

from collections.abc import Iterator
from math import ceil
from typing import Any

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly, total
from keywright.access.path import AccessPath
from keywright.access.query import CHOOSING
from keywright.access.search import Planned
from keywright.access.selectivity import share_of
from keywright.ir.attribute import Many, Scalar
from keywright.ir.entity import element, resolve
from keywright.record import replace

from ..schema.capabilities import BUCKET_SPANS
from ..schema.target import DatabaseTarget
from .calls import (
    Aggregated,
    CountDocuments,
    DeleteDocuments,
    Find,
    IncrementDocument,
    Near,
    PutDocuments,
    Search,
    Transaction,
    UpdateDocument,
)
from .layout import Layout, view
from .size import document_bytes, entries, entry_bytes, projected_bytes

UNIT = "documents"
"""The unit of costs."""

_NUMBER_OF_VALUES = frozenset(("how many values a call gives",))


def cost(planned: Planned[DatabaseTarget]) -> Cost:
    """See `Engine.cost`: documents examined by a read, or written."""
    call: Any = planned.access_path.call
    if isinstance(call, Transaction):
        return _together(planned)
    layout = view(planned.target, planned.binding)
    assert layout is not None
    if isinstance(call, (Find, Search, Near, CountDocuments, Aggregated)):
        return _read(layout, planned, planned.access_path, call)
    return _write(layout, planned, planned.access_path, call)


def _read(view: Layout, planned: Planned[DatabaseTarget], path: AccessPath, call: Any) -> Cost:
    limit = getattr(call, "limit", None)
    rows = _rows(view, planned, path)
    returned = _capped(rows, limit)
    if path.residual or isinstance(call, Search):
        examined = rows  # any document within the bounds may be read before the page is full
        share = share_of(view.attributes, path.residual) if path.residual else None
        if share is not None and rows.expected is not None:
            returned = replace(returned, expected=_least(limit, rows.expected * share))
            if path.order != "memory":  # a sort reads all of them
                examined = replace(rows, expected=min(rows.expected, (limit or rows.expected) / share))
    elif path.order == "memory":
        examined = Band(0, rows.expected, None, _NUMBER_OF_VALUES)
    elif isinstance(call, Near):
        examined = Band(0, None, None, frozenset(("how close places are to each other",)))
    else:
        examined = returned
    if view.collection.series is not None:
        examined = _buckets(view, planned, path, returned)
    size = document_bytes(view)
    paths = call.sent if isinstance(call, Find) else getattr(call, "paths", ())
    sent = projected_bytes(view, paths) if paths else size
    if isinstance(call, (CountDocuments, Aggregated)):
        sent = exactly(16)
    target = next((index.target for index in view.indexes if index.target.name == path.by.name), None)
    entry = entry_bytes(view, target) if target is not None and path.by.kind == "index" else NOTHING
    is_counted = isinstance(call, CountDocuments) and not path.residual
    is_covered = is_counted or path.is_covered
    documents = NOTHING if is_covered else examined
    arms = (("", documents), *(((path.by.name, examined),) if target is not None else ()))
    size = examined * entry + documents * size
    # A covered query still examines every index entry.
    return Cost(UNIT, examined, examined, returned, size, returned * sent, ONE, 1, arms)


def _write(view: Layout, planned: Planned[DatabaseTarget], path: AccessPath, call: Any) -> Cost:
    size, pattern = document_bytes(view), planned.pattern
    count = exactly(pattern.batch)
    if isinstance(call, DeleteDocuments) and not call.is_one:
        count = _rows(view, planned, path)
    touched = [index for index in view.indexes if _is_touched(call, {path for path, _ in index.target.keys})]
    arms = [("", count)]
    for index in touched:
        entry_count = entries(view, index.target)
        # An update removes the old entry and adds the new one; a put may have no entry to remove.
        entry_writes = (
            Band(0, 1, 2)
            if isinstance(call, PutDocuments)
            else Band(0, 1, 1)
            if isinstance(call, DeleteDocuments)
            else Band(0, 2, 2)
        )
        arms.append((index.target.name, entry_count * entry_writes * count))
    examined = NOTHING if isinstance(call, PutDocuments) and (call.if_absent or not call.has_id) else count
    target = next((index.target for index in view.indexes if index.target.name == path.by.name), None)
    read = size if target is None else size + entry_bytes(view, target)
    return Cost(UNIT, count, examined, NOTHING, examined * read, NOTHING, ONE, 1, tuple(arms))


def _is_touched(call: Any, paths: set[str]) -> bool:
    """Whether a write changes an index over these paths."""
    if isinstance(call, (PutDocuments, DeleteDocuments)):
        return True
    return any(_overlap(changed, path) for changed in _changed_paths(call) for path in paths)


def _changed_paths(call: UpdateDocument | IncrementDocument) -> Iterator[str]:
    if isinstance(call, IncrementDocument):
        yield call.path
        return
    yield from (change.path for change in call.sets)
    yield from (attribute.path for attribute in call.template_attributes)
    yield from (*call.unset, *call.nulls)
    if call.pushes is not None:
        yield call.pushes.path


def _overlap(first: str, second: str) -> bool:
    return f"{first}.".startswith(f"{second}.") or f"{second}.".startswith(f"{first}.")


def _together(planned: Planned[DatabaseTarget]) -> Cost:
    costs = [cost(part) for part in planned.parts]
    arms = tuple(arm for part_cost in costs for arm in part_cost.arms)
    trips = exactly(sum(part.pattern.batch for part in planned.parts) + 1)  # one for each write, one for the commit
    return Cost(
        UNIT, total([part.units for part in costs]), total([part.examined for part in costs]), NOTHING,
        total([part.examined_bytes for part in costs]), NOTHING, trips, 1, arms,
    )  # fmt: skip


def _rows(view: Layout, planned: Planned[DatabaseTarget], path: AccessPath) -> Band:
    """Documents within the bounds of a path: one for a unique key, else an estimate from the facts of the fields."""
    pattern = planned.pattern
    fields_with_values = {*pattern.eq, *(condition.field for condition in pattern.where if condition.test == "equals")}
    if not pattern.eq and pattern.kind in CHOOSING:
        fields_with_values |= {*view.key_fields}
    unique = _unique(view, path)
    if unique is not None and unique <= fields_with_values:
        return Band(0, 1, 1)
    if unique is not None and unique <= {*fields_with_values, *pattern.one_of}:
        return Band(0, pattern.limit, pattern.limit, _NUMBER_OF_VALUES if pattern.limit is None else frozenset())
    index = next((index for index in view.indexes if index.target.name == path.by.name), None)
    fields = [field for field, _ in index.keys] if index is not None else list(view.key_fields)
    chosen = [
        field for field in fields if field in {*fields_with_values, pattern.contains, pattern.all_of, pattern.exactly}
    ]
    highest = next((referrers for field in chosen if (referrers := _referrers(view, field)) is not None), None)
    expected = _usual(view, chosen)
    if pattern.range or pattern.prefix or pattern.search or pattern.one_of:
        expected = None
    name = chosen[0] if chosen else None
    missing = f"{view.binding.entity.name}.{name}: kw.Ref(max_referrers=)" if name else "limit="
    if pattern.kind not in ("get", "read"):
        missing = f"how many {view.binding.entity.name} a call is over"
    return Band(0, expected, highest, frozenset() if highest is not None else frozenset((missing,)))


def _least(limit: int | None, rows: float) -> float:
    return rows if limit is None else min(limit, rows)


def _capped(rows: Band, limit: int | None) -> Band:
    """The documents of a page; where the number of documents is unknown, the page is expected to be full."""
    if limit is None:
        return rows
    expected = limit if rows.expected is None else min(rows.expected, limit)
    return Band(min(rows.low, limit), expected, limit if rows.high is None else min(rows.high, limit))


def _unique(view: Layout, path: AccessPath) -> set[str] | None:
    """The fields of the unique key that serves a path; None if the key is not unique."""
    if path.by.kind == "table":
        return {*view.key_fields} or None
    index = next((index for index in view.indexes if index.target.name == path.by.name), None)
    if index is None or not index.target.is_unique or index.is_multikey:
        return None
    return {field for field, _ in index.keys}


def _referrers(view: Layout, field: str) -> float | None:
    kind = _scalar(view, field)
    reference = kind.facts.reference if kind is not None else None
    return reference.max_referrers if reference is not None else None


def _usual(view: Layout, fields: list[str]) -> float | None:
    """Expected documents for each combination of values of some fields, from `expected` and the distinct values."""
    count = view.binding.spec.expected
    if count is None or not fields:
        return None
    combinations = 1.0
    for field in fields:
        scalar = _scalar(view, field)
        distinct = scalar.facts.distinct if scalar is not None else None
        if distinct is None:
            return None
        combinations *= distinct / _each(view, field)
    return max(1.0, count / combinations)


def _each(view: Layout, field: str) -> float:
    """The expected number of values of a field in a document."""
    attributes = resolve(view.attributes, field)
    kind = attributes[-1].type if attributes else None
    if not isinstance(kind, Many) or kind.max_items is None:
        return 1
    return max(1.0, ((kind.min_items or 0) + kind.max_items) / 2)


def _scalar(view: Layout, field: str) -> Scalar | None:
    attributes = resolve(view.attributes, field)
    kind = element(attributes[-1].type) if attributes else None
    return kind if isinstance(kind, Scalar) else None


def _buckets(view: Layout, planned: Planned[DatabaseTarget], path: AccessPath, returned: Band) -> Band:
    """Buckets that a range of time touches: its length divided by the bucket span, and one more at each end."""
    series, span = view.collection.series, planned.pattern.span_seconds
    assert series is not None
    bucket_seconds = BUCKET_SPANS.get(series.granularity or "", {}).get("bucketMaxSpanSeconds")
    expected_buckets = ceil(span / bucket_seconds) + 1 if span is not None and bucket_seconds is not None else None
    if path.by.kind == "table":  # buckets of every source, because only time selects them
        sources = next((_scalar(view, name) for name, stored in view.stored.items() if stored == series.meta), None)
        distinct = sources.facts.distinct if sources is not None else None
        expected = expected_buckets * distinct if expected_buckets is not None and distinct is not None else None
        return Band(0, expected, None, frozenset(("how many sources there are",)))
    high = None if returned.high is None else returned.high + 2
    return Band(
        0,
        expected_buckets,
        high if high is None or expected_buckets is None else max(high, expected_buckets),
        returned.missing,
    )
