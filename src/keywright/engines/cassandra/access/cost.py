"""Costs of calls: rows examined, bytes, partitions and successive round trips."""

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly
from keywright.access.search import Planned
from keywright.access.selectivity import group_size, share_of
from keywright.record import replace

from ..schema.target import KeyspaceTarget
from .calls import Select
from .calls_write import Batch, DeleteRows, IncrementCounter, Insert, UpdateRow, is_conditional
from .layout import Layout, layout
from .size import row_band

ROUNDS = 4
"""Round trips between the copies of a row in a lightweight transaction: prepare, read, propose, commit.
Source: https://cassandra.apache.org/doc/latest/cassandra/architecture/guarantees.html, 2026-11-21."""


def cost(planned: Planned[KeyspaceTarget]) -> Cost:
    """See `Engine.cost`. Units are rows."""
    match planned.access_path.call:
        case Select() as call:
            return _read(planned, call)
        case Batch() as call:
            return _batch(planned, call)
        case Insert() | UpdateRow() | IncrementCounter() | DeleteRows() as call:
            return _write(planned, call)
        case call:
            raise TypeError(call)


def _read(planned: Planned[KeyspaceTarget], call: Select) -> Cost:
    path, pattern = planned.access_path, planned.pattern
    streams = call.fan_out
    returned = _returned(planned, call)
    examined = _examined(call, returned, streams, 0 if pattern.kind == "get" else 1)
    if call.residual and not call.counted and not call.is_row:
        returned, examined = _filtered(planned, call, returned, examined)
    entity_layout = layout(planned.target, planned.binding)
    row = row_band(entity_layout, planned.binding.entity.name) if entity_layout else NOTHING
    answered = exactly(8) if call.counted else row
    return Cost(
        unit="rows",
        units=examined * 2 if call.matches or call.keys or call.nearest else examined,  # an index is read for each row
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
        missing = "how many rows a partition has" if pattern.kind == "count" else "limit="
        return Band(0, None, None, frozenset((f"{pattern.name}: {missing}",)))
    if call.is_row and streams is not None:
        return Band(0, streams, streams).up_to(pattern.limit)
    return Band(0, pattern.limit, pattern.limit)


def _examined(call: Select, returned: Band, streams: int | None, extra: int) -> Band:
    """Rows examined: one more than the page, to know whether more follow; in a merge a page of every partition."""
    if call.is_row:
        return returned if streams is None else Band(0, streams, streams)
    if call.counted or returned.high is None:
        return returned
    if call.nearest is not None:
        return returned
    page = returned.high + extra
    if call.residual:
        missing = frozenset(f"{condition.field}: kw.Cardinality(distinct=)" for condition in call.residual)
        return Band(0, page, None, missing)
    if call.walk == "chain":
        return Band(0, page, page)
    if streams is None:
        return Band(0, None, None, frozenset(("how many values a call gives",)))
    return Band(0, page * _merged(call), page * streams)


def _filtered(planned: Planned[KeyspaceTarget], call: Select, returned: Band, examined: Band) -> tuple[Band, Band]:
    """(rows returned, rows examined) of a read with residual filters, by the declared selectivity of fields."""
    attributes = planned.binding.entity.attributes
    share, group_rows = share_of(attributes, call.residual), _group_rows(planned, call)
    if share is None or examined.expected is None:
        return returned, examined
    needed = examined.expected / share
    if group_rows is None or needed <= group_rows:
        return returned, Band(examined.low, needed, None, examined.missing)
    return replace(returned, expected=group_rows * share), Band(examined.low, group_rows, None, examined.missing)


def _group_rows(planned: Planned[KeyspaceTarget], call: Select) -> float | None:
    """Rows that match the keys of a statement at the design size; None if it is not declared."""
    slots = [slot for term in (*call.partition, *call.clustering) for slot in term.filled.slots]
    fields = [slot.placeholder.path for slot in slots]
    if call.bounds or call.matches or call.fan_out != 1 or not all(fields):
        return None
    return group_size(planned.binding.entity.attributes, planned.binding.spec.expected, fields)


def _merged(call: Select) -> int:
    """Number of partitions that are read together."""
    count = 1
    for position, term in enumerate((*call.partition, *call.clustering)):
        if call.walk == "merge" or position != call.walked:
            count *= term.filled.fan_out or 1
    return count


def _trips(call: Select, streams: int | None) -> Band:
    if call.walk == "merge" or streams == 1:
        return ONE
    if call.walk == "buckets" and call.walked is not None:
        return Band(1, 1, call.partition[call.walked].filled.fan_out)
    return Band(1, 1, streams, frozenset(("how many values a call gives",)) if streams is None else frozenset())


def _write(planned: Planned[KeyspaceTarget], call: Insert | UpdateRow | IncrementCounter | DeleteRows) -> Cost:
    entity_layout = layout(planned.target, planned.binding)
    rows = exactly(max(1, planned.pattern.batch))
    if isinstance(call, DeleteRows) and planned.path.fan_out > 1:  # type: ignore[union-attr]  # it is served
        rows = exactly(planned.path.fan_out)  # type: ignore[union-attr]  # it is served
    arms = tuple(_arms(entity_layout, rows)) if entity_layout else (("", rows),)
    units = NOTHING
    for _, band in arms:
        units = units + band
    size = row_band(entity_layout, planned.binding.entity.name) if entity_layout else NOTHING
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


def _arms(entity_layout: Layout, rows: Band) -> list[tuple[str, Band]]:
    """Rows written per structure: a view or index gets the new row, and a view loses the old row if its key changes."""
    arms = [("", rows)]
    arms += [(view.name, Band(1, 2, 2) * rows) for view in entity_layout.views]
    arms += [(index.name, Band(0, 1, 1) * rows) for index in entity_layout.indexes]
    return arms


def _batch(planned: Planned[KeyspaceTarget], call: Batch) -> Cost:
    units, size = NOTHING, NOTHING
    partitions = 0
    for part in planned.parts:
        part_cost = cost(part)
        units, size, partitions = (
            units + part_cost.units,
            size + part_cost.examined_bytes,
            partitions + part_cost.partitions,
        )
    trips = exactly(ROUNDS if call.is_conditional else 2)  # the log of the batch is written first
    return Cost(
        "rows", units, examined_bytes=size, round_trips=trips, partitions=1 if call.is_conditional else partitions
    )
