"""Costs of reads. A read by keys rounds up each item; a query rounds up all examined bytes.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html, 2026-11-21; every
line agrees with DynamoDB Local 3.0.0, except for missing items, which it does not charge.
"""

from math import ceil

from keywright.access.cost import NOTHING, ONE, Band, Cost, total
from keywright.access.search import Planned
from keywright.access.selectivity import group_size, share_of
from keywright.ir.pattern import Pattern

from ...schema.capabilities import BATCH_BYTES, BATCH_KEYS, PAGE_BYTES
from ...schema.target import TableTarget
from ..calls import BatchGetItem, GetItem, QueryItems
from ..layout import Layout
from .size import entry_bytes, item_bytes
from .units import READ_BYTES

LOOKED_AT = 100
"""Fewest items that a request with a filter examines if the filter's share is unknown."""


def keys_cost(entity: Layout, planned: Planned[TableTarget], call: GetItem | BatchGetItem) -> Cost:
    """Cost of a read by keys; a missing item costs the least."""
    item, keys = item_bytes(entity), _partitions(planned, call)
    units = item.ceil(READ_BYTES).widest(ONE) * (1 if call.is_strong else 0.5) * keys
    band = Band(0, keys.expected, keys.high, keys.missing)
    trips = _batches(item, keys)
    return Cost(
        "RCU",
        units,
        examined=band,
        returned=band,
        examined_bytes=item * band,
        returned_bytes=item * band,
        round_trips=trips,
        partitions=int(keys.expected or 1),
        arms=(("", units),),
    )


def _batches(item: Band, keys: Band) -> Band:
    """Requests for items by keys: each has a limit of keys, and a limit of bytes returned."""
    by_keys, by_bytes = keys.ceil(BATCH_KEYS.value), (item * keys).ceil(BATCH_BYTES.value)
    expected = by_keys.expected
    if expected is not None and by_bytes.expected is not None:
        expected = max(expected, by_bytes.expected)
    high = by_keys.high
    if high is not None and by_bytes.high is not None and by_bytes.high > 1:
        high = by_keys.high + by_bytes.high - 1 if by_keys.high else by_bytes.high
    return Band(by_keys.low, expected, high, by_keys.missing)


def chunk(limit: int, partitions: int) -> int:
    """Items that a merged page requests from each partition at once."""
    return min(limit, 2 * ceil(limit / partitions))


def items_examined(passing: int, share: float | None) -> int:
    """Items that a request with a filter examines: as many as usually contain the wanted ones, by the filter's share.

    At most the bytes of the service's page, at which a request ends anyway.
    """
    if share is None:
        return max(passing, LOOKED_AT)
    return min(ceil(round(passing / share, 6)), PAGE_BYTES.value)


def query_cost(entity: Layout, planned: Planned[TableTarget], call: QueryItems) -> Cost:
    """Examined bytes of each partition, rounded up for each request, and reads from the table."""
    route = next(route for route in entity.routes if route.index == call.index)
    entry, item, partitions = entry_bytes(entity, route), item_bytes(entity), _partitions(planned, call)
    returned, examined = _items(planned, call, partitions)
    size = examined * entry
    trips = _round_trips(planned, call, partitions, examined, size)
    share = 1 if call.is_strong else 0.5
    arms = {call.index: _query_units(call, partitions, trips, size) * share}
    fetched_bytes = NOTHING
    if call.fetches or call.is_completed:
        fetched_bytes = item * returned
        units = item.ceil(READ_BYTES) * share * returned
        arms[""] = Band(0, units.expected, units.high, units.missing)
    if call.fetches:
        batches = _batches(item, returned)
        trips = trips + Band(0, batches.expected, batches.high, batches.missing)
    return Cost(
        "RCU",
        total(tuple(arms.values())),
        examined=examined,
        returned=returned,
        examined_bytes=size + fetched_bytes,
        returned_bytes=(item if call.fetches or call.is_completed else entry) * returned,
        round_trips=trips,
        partitions=int(partitions.expected or 1),
        arms=tuple(sorted(arms.items())),
    )


def _partitions(planned: Planned[TableTarget], call: GetItem | BatchGetItem | QueryItems) -> Band:
    """Keys or partitions that a call reads; a page read in sequence may end before the last."""
    count = planned.access_path.fan_out
    fillings = call.key if isinstance(call, QueryItems) else call.place.key
    slots = [slot for filling in fillings for slot in filling.filled.slots]
    if isinstance(call, QueryItems) and call.span is not None:
        slots += call.span.reading.slots
    is_declared = planned.pattern.fan_out > 1 or planned.pattern.is_fan_out_given
    if not is_declared and any(slot.count is None for slot in slots):
        return Band(1, None, None, frozenset((f"{planned.pattern.name}: fan_out=",)))
    is_all = not isinstance(call, QueryItems) or (call.merges and not call.walked) or call.counts
    has_choice = any(slot.kind in ("values", "buckets") for slot in slots)
    return Band(count if is_all and not has_choice else 1, count, count)


def _items(planned: Planned[TableTarget], call: QueryItems, partitions: Band) -> tuple[Band, Band]:
    """(items returned, items examined)."""
    pattern, path = planned.pattern, planned.access_path
    if call.is_one:
        return Band(0, partitions.expected, partitions.high), Band(0, partitions.expected, partitions.high)
    share = share_of(planned.binding.entity.attributes, path.residual)
    stored_items = _stored_items(planned, call, partitions)
    if call.limit is None:
        fitting = None if stored_items is None or share is None else stored_items * share
        return _unbounded(pattern, fitting), _unbounded(pattern, stored_items)
    returned = Band(0, call.limit, call.limit)
    if path.residual:
        conditions = " and ".join(str(condition) for condition in path.residual)
        missing = frozenset((f"{pattern.name}: how many items have {conditions}",))
        if share is None:
            return returned, Band(0, stored_items, None, missing)
        needed = call.limit / share
        if stored_items is None or needed <= stored_items:
            return returned, Band(0, needed, None, missing)
        return Band(0, stored_items * share, call.limit), Band(0, stored_items, None, missing)
    dropped = call.span.dropped_ends if call.span is not None else 0
    if not call.merges:
        return returned, Band(0, call.limit, call.limit + dropped)
    if partitions.high is None:
        return returned, Band(0, call.limit, None, partitions.missing)
    per_partition = chunk(call.limit, int(partitions.high)) * partitions.high
    return returned, Band(0, min(per_partition, call.limit * 2), call.limit + per_partition + dropped * partitions.high)


def _unbounded(pattern: Pattern, expected: float | None) -> Band:
    """Items of a read without a limit.

    expected: number of items at the design size; None if it is not declared.
    """
    missing = "how many items there are" if pattern.kind == "count" else "limit="
    return Band(0, expected, None, frozenset((f"{pattern.name}: {missing}",)))


def _stored_items(planned: Planned[TableTarget], call: QueryItems, partitions: Band) -> float | None:
    """Items at the design size in all partitions read; None if it is not declared, or the sort key narrows them.

    A partition key without fields is one partition with all items.
    """
    attributes = planned.binding.entity.attributes
    slots = [slot for filling in (*call.key, *call.equal) for slot in filling.filled.slots]
    reading = call.span.reading if call.span is not None else None
    slots += reading.slots if reading is not None else ()
    narrows = reading is not None and (reading.range or reading.prefix is not None)
    if narrows or partitions.expected is None or any(not slot.placeholder.path for slot in slots):
        return None
    expected = planned.binding.spec.expected
    group_items = group_size(attributes, expected, (slot.placeholder.path for slot in slots))
    if group_items is None or any(slot.kind not in ("value", "values", "constants") for slot in slots):
        return None
    return group_items * partitions.expected


def _round_trips(planned: Planned[TableTarget], call: QueryItems, partitions: Band, items: Band, size: Band) -> Band:
    """One request for each partition, and more if a service page ends before the requested items."""
    usual = partitions.expected
    if usual is not None and size.expected is not None:
        usual = max(usual, ceil(size.expected / PAGE_BYTES.value))
    if usual is not None and call.filters and size.expected is not None and items.expected is not None and call.limit:
        usual = max(usual, ceil(items.expected / items_examined(call.limit, call.share)))
    # Each request with a filter examines a fixed number of items, however small they are.
    has_fixed_pages = call.filters and call.limit is not None
    if size.high is None or partitions.high is None or (has_fixed_pages and items.high is None):
        return Band(partitions.low, usual, None, size.missing | partitions.missing)
    pages = max(0, ceil(size.high / PAGE_BYTES.value) - 1)
    if has_fixed_pages and items.high is not None and call.limit is not None:
        pages = max(pages, ceil(items.high / items_examined(call.limit, call.share)))
    repeats = 0
    if call.merges and call.limit is not None:  # a partition whose items are used up is queried again
        repeats = ceil(call.limit / chunk(call.limit, int(partitions.high)))
    if call.span is not None and call.limit is not None:  # a page that lacks a dropped item is filled by a request
        repeats += int(call.span.dropped_ends * partitions.high)
    upper_bound = partitions.high + pages + repeats
    return Band(partitions.low, usual if usual is None else min(usual, upper_bound), upper_bound)


def _query_units(call: QueryItems, partitions: Band, trips: Band, size: Band) -> Band:
    """Units of strong reads: each request is rounded up separately, which adds less than one."""
    expected = None
    if size.expected is not None and partitions.expected is not None:
        expected = max(partitions.expected, ceil(size.expected / READ_BYTES))
    high = None
    if size.high is not None and trips.high is not None:
        high = max(trips.high, ceil(size.high / READ_BYTES) + trips.high - 1)
    return Band(partitions.low, expected, high, size.missing | partitions.missing)
