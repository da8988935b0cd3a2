"""What reads cost: by their keys each item is rounded up, by a query all that was looked at.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html, 2026-11-21; every
line agrees with DynamoDB Local 3.0.0, but for what is missing, which it does not charge.
"""

from math import ceil

from keywright.access.cost import NOTHING, ONE, Band, Cost, total
from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.ir.pattern import Pattern

from ..capabilities import BATCH_KEYS, PAGE_BYTES
from ..target import TableTarget
from .calls import BatchGetItem, GetItem, Query
from .layout import Entity
from .size import entry_bytes, item_bytes
from .units import READ_BYTES


def keys_cost(entity: Entity, planned: Planned[TableTarget], call: GetItem | BatchGetItem) -> Cost:
    """Items by their keys; one that is missing costs the least."""
    item, keys = item_bytes(entity), _partitions(planned, call)
    units = item.ceil(READ_BYTES).widest(ONE) * (1 if call.is_strong else 0.5) * keys
    found = Band(0, keys.expected, keys.high, keys.missing)
    trips = keys.ceil(BATCH_KEYS.value)
    return Cost(
        "RCU",
        units,
        examined=found,
        returned=found,
        examined_bytes=item * found,
        returned_bytes=item * found,
        round_trips=trips,
        partitions=int(keys.expected or 1),
        arms=(("", units),),
    )


def chunk(limit: int, partitions: int) -> int:
    """Items that are asked of each of several partitions at once, where a page of some items is merged."""
    return min(limit, 2 * ceil(limit / partitions))


def query_cost(entity: Entity, planned: Planned[TableTarget], call: Query) -> Cost:
    """What was looked at in each partition, rounded once for each request; then what is read from the table."""
    route = next(one for one in entity.routes if one.index == call.index)
    entry, item, partitions = entry_bytes(entity, route), item_bytes(entity), _partitions(planned, call)
    returned, examined = _items(planned, call, partitions)
    size = examined * entry
    trips = _round_trips(planned, call, partitions, size)
    share = 1 if call.is_strong else 0.5
    arms = {call.index: _query_units(call, partitions, trips, size) * share}
    further = NOTHING
    if call.fetches or call.is_completed:
        further = item * returned
        units = item.ceil(READ_BYTES) * share * returned
        arms[""] = Band(0, units.expected, units.high, units.missing)
    if call.fetches:
        batches = returned.ceil(BATCH_KEYS.value)
        trips = trips + Band(0, batches.expected, batches.high, batches.missing)
    return Cost(
        "RCU",
        total(tuple(arms.values())),
        examined=examined,
        returned=returned,
        examined_bytes=size + further,
        returned_bytes=(item if call.fetches or call.is_completed else entry) * returned,
        round_trips=trips,
        partitions=int(partitions.expected or 1),
        arms=tuple(sorted(arms.items())),
    )


def _partitions(planned: Planned[TableTarget], call: GetItem | BatchGetItem | Query) -> Band:
    """Keys or partitions that are asked; a page that is read in sequence may end before the last."""
    assert isinstance(planned.path, AccessPath)
    count = planned.path.fan_out
    fillings = call.key if isinstance(call, Query) else call.place.key
    slots = [slot for filling in fillings for slot in filling.filled.slots]
    if isinstance(call, Query) and call.span is not None:
        slots += call.span.reading.slots
    if planned.pattern.fan_out == 1 and any(slot.count is None for slot in slots):
        return Band(1, None, None, frozenset((f"{planned.pattern.name}: fan_out=",)))
    is_all = not isinstance(call, Query) or (call.merges and not call.walked) or call.counts
    has_choice = any(slot.kind in ("values", "buckets") for slot in slots)
    return Band(count if is_all and not has_choice else 1, count, count)


def _items(planned: Planned[TableTarget], call: Query, partitions: Band) -> tuple[Band, Band]:
    """(items returned, items looked at)."""
    pattern, path = planned.pattern, planned.path
    assert isinstance(path, AccessPath)
    if call.is_one:
        return Band(0, partitions.expected, partitions.high), Band(0, partitions.expected, partitions.high)
    if call.limit is None:
        return _unbounded(pattern), _unbounded(pattern)
    returned = Band(0, call.limit, call.limit)
    if path.residual:
        judged = " and ".join(str(one) for one in path.residual)
        return returned, Band(0, call.limit, None, frozenset((f"{pattern.name}: how many items have {judged}",)))
    if not call.merges:
        return returned, returned
    if partitions.high is None:
        return returned, Band(0, call.limit, None, partitions.missing)
    each = chunk(call.limit, int(partitions.high)) * partitions.high
    return returned, Band(0, min(each, call.limit * 2), call.limit + each)


def _unbounded(pattern: Pattern) -> Band:
    """Items of a partition, of which nothing says how many there are."""
    bound = "how many items there are" if pattern.kind == "count" else "limit="
    return Band(0, None, None, frozenset((f"{pattern.name}: {bound}",)))


def _round_trips(planned: Planned[TableTarget], call: Query, partitions: Band, size: Band) -> Band:
    """One request for each partition, and more where a page of the service ends before what is wanted."""
    assert isinstance(planned.path, AccessPath)
    if size.high is None or partitions.high is None:
        return Band(partitions.low, partitions.expected, None, size.missing | partitions.missing)
    pages = max(0, ceil(size.high / PAGE_BYTES.value) - 1)
    again = 0
    if call.merges and call.limit is not None:  # a partition of which all was taken is asked again
        again = ceil(call.limit / chunk(call.limit, int(partitions.high)))
    return Band(partitions.low, partitions.expected, partitions.high + pages + again)


def _query_units(call: Query, partitions: Band, trips: Band, size: Band) -> Band:
    """Units of strong reads: each request is rounded up by itself, so that it adds less than one."""
    expected = None
    if size.expected is not None and partitions.expected is not None:
        expected = max(partitions.expected, ceil(size.expected / READ_BYTES))
    high = None
    if size.high is not None and trips.high is not None:
        high = max(trips.high, ceil(size.high / READ_BYTES) + trips.high - 1)
    return Band(partitions.low, expected, high, size.missing | partitions.missing)
