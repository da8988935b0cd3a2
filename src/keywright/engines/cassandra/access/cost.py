"""What calls cost: rows looked at, bytes, partitions and requests that follow one another."""

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly
from keywright.access.path import AccessPath
from keywright.access.search import Planned

from ..target import KeyspaceTarget
from .calls import Select
from .calls_write import Batch, Delete, Increment, Insert, Update, is_conditional
from .layout import Layout, layout
from .size import row_band

ROUNDS = 4
"""Round trips between the copies of a row in a lightweight transaction: prepare, read, propose, commit.
Source: https://cassandra.apache.org/doc/latest/cassandra/architecture/guarantees.html, 2026-11-21."""


def cost(planned: Planned[KeyspaceTarget]) -> Cost:
    """See `Engine.cost`; units are rows."""
    assert isinstance(planned.path, AccessPath)
    match planned.path.call:
        case Select() as call:
            return _read(planned, call)
        case Batch() as call:
            return _batch(planned, call)
        case Insert() | Update() | Increment() | Delete() as call:
            return _write(planned, call)
        case call:
            raise TypeError(call)


def _read(planned: Planned[KeyspaceTarget], call: Select) -> Cost:
    path, pattern = planned.path, planned.pattern
    assert isinstance(path, AccessPath)
    streams = call.fan_out
    returned = _returned(planned, call)
    examined = _examined(call, returned, streams, 0 if pattern.kind == "get" else 1)
    known = layout(planned.target, planned.binding)
    row = row_band(known, planned.binding.entity.name) if known else NOTHING
    answered = exactly(8) if call.counted else row
    return Cost(
        unit="rows",
        units=examined * 2 if call.matches or call.keys else examined,  # an index is read for each row
        examined=examined,
        returned=ONE if pattern.kind == "count" else returned,
        examined_bytes=examined * row,
        returned_bytes=answered if pattern.kind == "count" else returned * answered,
        round_trips=_trips(call, streams),
        partitions=path.fan_out,
    )


def _returned(planned: Planned[KeyspaceTarget], call: Select) -> Band:
    pattern, streams = planned.pattern, call.fan_out
    if pattern.kind == "get":
        return Band(0, 1, 1)
    if pattern.kind == "count" or pattern.limit is None:
        if call.is_row and streams is not None:
            return Band(0, streams, streams)
        words = "how many rows a partition has" if pattern.kind == "count" else "limit="
        return Band(0, None, None, frozenset((f"{pattern.name}: {words}",)))
    if call.is_row and streams is not None:
        return Band(0, streams, streams).up_to(pattern.limit)
    return Band(0, pattern.limit, pattern.limit)


def _examined(call: Select, returned: Band, streams: int | None, beyond: int) -> Band:
    """A row beyond the page tells that there are more; a merge reads a page of every partition."""
    if call.is_row:
        return returned if streams is None else Band(0, streams, streams)
    if call.counted or returned.high is None:
        return returned
    page = returned.high + beyond
    if call.residual:
        missing = frozenset(f"{one.field}: kw.Cardinality(distinct=)" for one in call.residual)
        return Band(0, page, None, missing)
    if call.walk == "chain":
        return Band(0, page, page)
    if streams is None:
        return Band(0, None, None, frozenset(("how many values a call gives",)))
    return Band(0, page * _merged(call), page * streams)


def _merged(call: Select) -> int:
    """Partitions that are read at once."""
    found = 1
    for at, term in enumerate((*call.partition, *call.clustering)):
        if call.walk == "merge" or at != call.walked:
            found *= term.filled.fan_out or 1
    return found


def _trips(call: Select, streams: int | None) -> Band:
    if call.walk == "merge" or streams == 1:
        return ONE
    if call.walk == "buckets" and call.walked is not None:
        return Band(1, 1, call.partition[call.walked].filled.fan_out)
    return Band(1, 1, streams, frozenset(("how many values a call gives",)) if streams is None else frozenset())


def _write(planned: Planned[KeyspaceTarget], call: Insert | Update | Increment | Delete) -> Cost:
    known = layout(planned.target, planned.binding)
    rows = exactly(max(1, planned.pattern.batch))
    if isinstance(call, Delete) and planned.path.fan_out > 1:  # type: ignore[union-attr]  # it is served
        rows = exactly(planned.path.fan_out)  # type: ignore[union-attr]  # it is served
    arms = tuple(_arms(known, rows)) if known else (("", rows),)
    units = NOTHING
    for _, band in arms:
        units = units + band
    size = row_band(known, planned.binding.entity.name) if known else NOTHING
    return Cost(
        unit="rows",
        units=units,
        examined=rows if is_conditional(call) else NOTHING,
        examined_bytes=rows * size if is_conditional(call) else NOTHING,
        returned_bytes=NOTHING,
        round_trips=exactly(ROUNDS) if is_conditional(call) else ONE,
        partitions=int(rows.low),
        arms=arms,
    )


def _arms(known: Layout, rows: Band) -> list[tuple[str, Band]]:
    """A view's row is written too, and the one before removed where its key has changed; so is an index's."""
    found = [("", rows)]
    found += [(view.name, Band(1, 2, 2) * rows) for view in known.views]
    found += [(index.name, Band(0, 1, 1) * rows) for index in known.indexes]
    return found


def _batch(planned: Planned[KeyspaceTarget], call: Batch) -> Cost:
    units, size = NOTHING, NOTHING
    partitions = 0
    for part in planned.parts:
        own = cost(part)
        units, size, partitions = units + own.units, size + own.examined_bytes, partitions + own.partitions
    trips = exactly(ROUNDS if call.is_conditional else 2)  # the log of the batch is written first
    return Cost(
        "rows", units, examined_bytes=size, round_trips=trips, partitions=1 if call.is_conditional else partitions
    )
