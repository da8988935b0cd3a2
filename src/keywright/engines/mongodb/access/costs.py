"""What one call costs: documents and index entries examined, bytes, round trips.

The server charges nothing per call; what a call loads the server with is what it examines. An index entry is examined
for each document at least; conditions that no bound decides are judged on documents read in vain.
Source: https://www.mongodb.com/docs/manual/reference/explain-results/#executionstats, 2026-11-21.
"""

from math import ceil
from typing import Any

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly, total
from keywright.access.path import AccessPath
from keywright.access.request import CHOOSING
from keywright.access.search import Planned
from keywright.ir.attribute import Many, Scalar
from keywright.ir.entity import element, resolve

from ..capabilities import BUCKET_SPANS
from ..fields import store_of
from ..target import DatabaseTarget
from .calls import Aggregated, Count, Delete, Find, Near, Put, Search, Together
from .size import document_bytes, entries, entry_bytes, projected_bytes
from .view import View, view

UNIT = "documents"
"""What costs are told in."""

_GIVEN = frozenset(("how many values a call gives",))


def cost(planned: Planned[DatabaseTarget]) -> Cost:
    """See `Engine.cost`: documents examined by a read, or written."""
    assert isinstance(planned.path, AccessPath)
    call: Any = planned.path.call
    if isinstance(call, Together):
        return _together(planned)
    found = view(planned.target, planned.binding)
    assert found is not None
    if isinstance(call, (Find, Search, Near, Count, Aggregated)):
        return _read(found, planned, planned.path, call)
    return _write(found, planned, planned.path, call)


def _read(view: View, planned: Planned[DatabaseTarget], path: AccessPath, call: Any) -> Cost:
    limit = getattr(call, "limit", None)
    rows = _rows(view, planned, path)
    returned = _capped(rows, limit)
    if path.residual or isinstance(call, Search):
        examined = rows  # of what a bound leaves, any may be read before the page is full
    elif path.order == "memory":
        examined = Band(0, rows.expected, None, _GIVEN)
    elif isinstance(call, Near):
        examined = Band(0, None, None, frozenset(("how close places are to each other",)))
    else:
        examined = returned
    if view.collection.series is not None:
        examined = _buckets(view, planned, path, returned)
    size = document_bytes(view)
    paths = call.sent if isinstance(call, Find) else getattr(call, "paths", ())
    sent = projected_bytes(view, paths) if paths else size
    if isinstance(call, (Count, Aggregated)):
        sent = exactly(16)
    index = next((one.target for one in view.indexes if one.target.name == path.by.name), None)
    entry = entry_bytes(view, index) if index is not None and path.by.kind == "index" else NOTHING
    is_counted = isinstance(call, Count) and not path.residual
    is_covered = is_counted or any(note.startswith("covered") for note in path.notes)
    documents = NOTHING if is_covered else examined
    arms = (("", documents), *(((path.by.name, examined),) if index is not None else ()))
    size = examined * entry + documents * size
    # What only the index is read for is still looked at, entry by entry.
    return Cost(UNIT, examined, examined, returned, size, returned * sent, ONE, 1, arms)


def _write(view: View, planned: Planned[DatabaseTarget], path: AccessPath, call: Any) -> Cost:
    size, pattern = document_bytes(view), planned.pattern
    count = exactly(pattern.batch)
    if isinstance(call, Delete) and not call.is_one:
        count = _rows(view, planned, path)
    touched = [one for one in view.indexes if _is_touched(view, call, {path for path, _ in one.target.keys})]
    arms = [("", count)]
    for one in touched:
        each = entries(view, one.target)
        # A change removes the entry before and adds the one after; a put may find nothing to remove.
        times = Band(0, 1, 2) if isinstance(call, Put) else Band(0, 1, 1) if isinstance(call, Delete) else Band(0, 2, 2)
        arms.append((one.target.name, each * times * count))
    examined = NOTHING if isinstance(call, Put) and (call.if_absent or not call.has_id) else count
    index = next((one.target for one in view.indexes if one.target.name == path.by.name), None)
    read = size if index is None else size + entry_bytes(view, index)
    return Cost(UNIT, count, examined, NOTHING, examined * read, NOTHING, ONE, 1, tuple(arms))


def _is_touched(view: View, call: Any, paths: set[str]) -> bool:
    """Whether a write changes what an index over these paths holds."""
    if isinstance(call, (Put, Delete)):
        return True
    changed = [one.path for one in getattr(call, "sets", ())] + [one.path for one in getattr(call, "made", ())]
    changed += [*getattr(call, "unset", ()), *getattr(call, "nulls", ())]
    pushes = getattr(call, "pushes", None)
    changed += [pushes.path] if pushes is not None else []
    changed += [call.path] if hasattr(call, "path") else []
    return any(_overlap(one, path) for one in changed for path in paths)


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _together(planned: Planned[DatabaseTarget]) -> Cost:
    each = [cost(part) for part in planned.parts]
    arms = tuple(arm for one in each for arm in one.arms)
    trips = exactly(sum(part.pattern.batch for part in planned.parts) + 1)  # one for each write, and the commit
    return Cost(
        UNIT, total([one.units for one in each]), total([one.examined for one in each]), NOTHING,
        total([one.examined_bytes for one in each]), NOTHING, trips, 1, arms,
    )  # fmt: skip


def _rows(view: View, planned: Planned[DatabaseTarget], path: AccessPath) -> Band:
    """Documents that the bounds of a path leave: one for a key, else what facts of the fields say."""
    pattern = planned.pattern
    asked = {*pattern.eq, *(one.field for one in pattern.where if one.test == "equals")}
    if not pattern.eq and pattern.kind in CHOOSING:
        asked |= {*view.key_fields}
    unique = _unique(view, path)
    if unique is not None and unique <= asked:
        return Band(0, 1, 1)
    if unique is not None and unique <= {*asked, *pattern.one_of}:
        return Band(0, pattern.limit, pattern.limit, _GIVEN if pattern.limit is None else frozenset())
    index = next((one for one in view.indexes if one.target.name == path.by.name), None)
    fields = [field for field, _ in index.keys] if index is not None else list(view.key_fields)
    chosen = [field for field in fields if field in {*asked, pattern.contains, pattern.all_of, pattern.exactly}]
    most = next((top for field in chosen if (top := _referrers(view, field)) is not None), None)
    usual = _usual(view, chosen)
    if pattern.range or pattern.prefix or pattern.search or pattern.one_of:
        usual = None
    name = chosen[0] if chosen else None
    missing = f"{view.binding.entity.name}.{name}: kw.Ref(max_referrers=)" if name else "limit="
    if pattern.kind not in ("get", "read"):
        missing = f"how many {view.binding.entity.name} a call is over"
    return Band(0, usual, most, frozenset() if most is not None else frozenset((missing,)))


def _capped(rows: Band, limit: int | None) -> Band:
    """What a page holds; a page is usually full, where nothing says how much there is."""
    if limit is None:
        return rows
    usual = limit if rows.expected is None else min(rows.expected, limit)
    return Band(min(rows.low, limit), usual, limit if rows.high is None else min(rows.high, limit))


def _unique(view: View, path: AccessPath) -> set[str] | None:
    """The fields that tell one document from all others in what serves a path."""
    if path.by.kind == "table":
        return {*view.key_fields} or None
    index = next((one for one in view.indexes if one.target.name == path.by.name), None)
    if index is None or not index.target.is_unique or index.is_multikey:
        return None
    return {field for field, _ in index.keys}


def _referrers(view: View, field: str) -> float | None:
    kind = _scalar(view, field)
    reference = kind.facts.reference if kind is not None else None
    return reference.max_referrers if reference is not None else None


def _usual(view: View, fields: list[str]) -> float | None:
    """Documents for each value of some fields, by how many there are of both."""
    count = store_of(view.binding).expected
    if count is None or not fields:
        return None
    kinds = 1.0
    for field in fields:
        kind = _scalar(view, field)
        distinct = kind.facts.distinct if kind is not None else None
        if distinct is None:
            return None
        kinds *= distinct / _each(view, field)
    return max(1.0, count / kinds)


def _each(view: View, field: str) -> float:
    """Values of a field that a document usually has."""
    found = resolve(view.attributes, field)
    kind = found[-1].type if found else None
    if not isinstance(kind, Many) or kind.max_items is None:
        return 1
    return max(1.0, ((kind.min_items or 0) + kind.max_items) / 2)


def _scalar(view: View, field: str) -> Scalar | None:
    found = resolve(view.attributes, field)
    kind = element(found[-1].type) if found else None
    return kind if isinstance(kind, Scalar) else None


def _buckets(view: View, planned: Planned[DatabaseTarget], path: AccessPath, returned: Band) -> Band:
    """Buckets that a range of time touches: by their span, and of those at the edges one more on each side."""
    series, span = view.collection.series, planned.pattern.span_seconds
    assert series is not None
    longest = BUCKET_SPANS.get(series.granularity or "", {}).get("bucketMaxSpanSeconds")
    usual = ceil(span / longest) + 1 if span is not None and longest is not None else None
    if path.by.kind == "table":  # of every source, since only time finds them
        sources = next((_scalar(view, name) for name, stored in view.stored.items() if stored == series.meta), None)
        distinct = sources.facts.distinct if sources is not None else None
        expected = usual * distinct if usual is not None and distinct is not None else None
        return Band(0, expected, None, frozenset(("how many sources there are",)))
    high = None if returned.high is None else returned.high + 2
    return Band(0, usual, high if high is None or usual is None else max(high, usual), returned.missing)
