"""Number of values of a partition key, and traffic of the busiest one, from declared rates, sizes and cardinalities.

Traffic spreads over the declared number of values, so the busiest value receives at least its share. Without a declared
number, there is no estimate.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal

from keywright.access.cost import Band
from keywright.access.fill import BUCKET_SECONDS, Slot
from keywright.engines.findings.context import RuleContext
from keywright.ir.attribute import Scalar
from keywright.ir.entity import element, resolve
from keywright.ir.template import Placeholder
from keywright.record import Record

from ..access.calls import BatchGetItem, GetItem, PutItems, QueryItems
from ..access.cost.call import cost
from ..access.cost.write import write_arms
from ..access.layout import Layout, Route
from ..schema.capabilities import PARTITION_READ_UNITS, PARTITION_WRITE_UNITS
from .uses import Use, is_day_text, scalar, uses


class HotKey(Record):
    """Traffic of one use on the busiest key of the table or of an index."""

    use: Use
    """The use."""
    route: Route
    """The key."""
    side: Literal["read", "write"]
    """Capacity that the traffic consumes."""
    calls: float
    """Calls a second on that key."""
    units: float
    """Units a second."""

    @property
    def most(self) -> int:
        """Units a second that one partition serves."""
        return (PARTITION_READ_UNITS if self.side == "read" else PARTITION_WRITE_UNITS).value

    @property
    def is_of_table(self) -> bool:
        """Whether the key is in a partition of the table itself, which also contains local indexes."""
        return self.route.by.kind != "gsi"

    @property
    def is_too_hot(self) -> bool:
        """Whether the units exceed the throughput of a partition."""
        return self.units > self.most

    @property
    def is_sharded(self) -> bool:
        """Whether its partition key is spread by shards or copies."""
        return bool(shards(self.route)) or (not self.route.index and self.use.entity.shape.copies > 1)


def hot_keys(use: Use) -> Iterator[HotKey]:
    """Known traffic of a served use on single keys; cached answers cause none."""
    if use.route is None or use.pattern.cache_ttl_seconds:
        return
    if use.write is None:
        yield from _read_traffic(use, use.route)
    else:
        yield from _write_traffic(use)


def used_shares(context: RuleContext) -> Mapping[tuple[str, str], float | None]:
    """Share of one partition that the declared traffic takes on the busiest key, by entity and index, which is empty
    for the table; None if a rate is unknown.
    """
    used: dict[tuple[str, str], float | None] = defaultdict(float)
    for use in uses(context):
        is_known = use.call is None or use.per_second is not None or use.load.hot_key_per_second is not None
        shares = [(key.route.index if not key.is_of_table else "", key.units / key.most) for key in hot_keys(use)]
        for index in {"", *(route.index for route in use.entity.routes if route.by.kind == "gsi")}:
            key, total = (use.entity.binding.name, index), sum(share for name, share in shares if name == index)
            before = used[key]
            used[key] = before + total if is_known and before is not None else None
    return used


def values_of(entity: Layout, route: Route) -> int | None:
    """Number of values of a partition key; None if it is unknown.

    Also None for a key without fields, which is one item or an intended collection, and for a sharded key.
    """
    placeholders = [placeholder for part in route.hashes for placeholder in part.template.placeholders]
    if not placeholders:
        return None
    count = 1
    for placeholder in placeholders:
        attributes = resolve(entity.attributes, placeholder.path) if placeholder.path else None
        kind = element(attributes[-1].type) if attributes else None
        if placeholder.shards or not isinstance(kind, Scalar):
            return None
        values = distinct(kind)
        if values is None:
            return None
        count *= values
    return count


def is_class(entity: Layout, route: Route) -> bool:
    """Whether a partition key contains a closed set of values, such as a state, unlike the ids of counted things."""
    kinds = [scalar(entity, placeholder.path) for part in route.hashes for placeholder in part.template.placeholders]
    return any(kind is not None and (kind.constants or kind.kind == "boolean") for kind in kinds)


def distinct(kind: Scalar) -> int | None:
    """Largest number of values of a field, by its constants, bounds or declared cardinality; None if it is unknown."""
    if kind.constants or kind.kind == "boolean":
        return len(kind.constants) or 2
    counts = [count for count in (kind.facts.distinct, _integers(kind)) if count is not None]
    return min(counts, default=None)


def _integers(kind: Scalar) -> int | None:
    """Number of integers between the bounds of a field; None without both bounds."""
    if kind.kind != "integer" or kind.minimum is None or kind.maximum is None:
        return None
    return max(1, int(kind.maximum) - int(kind.minimum) + 1 - kind.excludes_minimum - kind.excludes_maximum)


def shards(route: Route) -> int:
    """Number of shards of a partition key; 0 without shards."""
    count = 1
    for placeholder in _placeholders(route):
        count *= placeholder.shards or 1
    return count if count > 1 else 0


def _read_traffic(use: Use, route: Route) -> Iterator[HotKey]:
    call = use.call
    assert isinstance(call, (GetItem, BatchGetItem, QueryItems))
    filled = call.key if isinstance(call, QueryItems) else call.place.key[: len(route.hashes)]
    calls = use.load.hot_key_per_second
    if not _placeholders(route) and use.per_second is not None:
        calls = use.per_second  # all items are in one partition, whatever the busiest of them receives
    elif calls is None and use.per_second is not None:
        key_count = _product(_slot_values(use.entity, slot) for filling in filled for slot in filling.filled.slots)
        key_count = _at_most_items(use.entity, key_count)
        calls = use.per_second / key_count if key_count else None
    if calls is None:
        return
    call_cost = cost(use.planned)
    copies = use.entity.shape.copies if not route.index else 1
    units = _expected(dict(call_cost.arms)[route.index]) / max(1, call_cost.partitions)
    yield HotKey(use, route, "read", calls / copies, calls * units / copies)


def _write_traffic(use: Use) -> Iterator[HotKey]:
    call, load = use.write, use.load
    if call is None or (use.per_second is None and load.hot_key_per_second is None):
        return
    arms = write_arms(use.entity, call)
    for route in use.entity.routes:
        arm = arms.get(route.index)
        if arm is None or route.by.kind == "lsi":
            continue
        calls = None
        if load.hot_key_per_second is not None and not route.index and _placeholders(route):
            calls = load.hot_key_per_second / (shards(route) or 1)
        elif use.per_second is not None:
            key_count = _product(
                _values(use.entity, placeholder, is_current=isinstance(call, PutItems) or _counts_events(use))
                for placeholder in _placeholders(route)
            )
            key_count = _at_most_items(use.entity, key_count) if not shards(route) else key_count
            calls = use.per_second * use.pattern.batch / key_count if key_count else None
        if calls is not None:
            yield HotKey(use, route, "write", calls, calls * _expected(arm) * (1 if route.index else use.times))


def _placeholders(route: Route) -> tuple[Placeholder, ...]:
    return tuple(placeholder for part in route.hashes for placeholder in part.template.placeholders)


def _slot_values(entity: Layout, slot: Slot) -> int | None:
    """Number of keys over which one placeholder spreads the calls of a read; None if it is unknown."""
    match slot.kind:
        case "value" if slot.condition is None or slot.condition.constants is None:
            return _distinct(entity, slot.placeholder)
        case "values" | "buckets" if slot.condition is None or slot.condition.constants is None:
            return None
        case _:
            return 1  # each call reads the same values


def _counts_events(use: Use) -> bool:
    """Whether it adds to the count of the current time; stock is that of any day."""
    pattern = use.pattern
    is_count = pattern.kind == "increment" and pattern.by > 0 and not pattern.where
    return is_count and use.entity.binding.spec.kind != "stock"


def _values(entity: Layout, placeholder: Placeholder, *, is_current: bool) -> int | None:
    """Number of values of a placeholder in keys that are written at one time; None if it is unknown."""
    if placeholder.shards:
        return placeholder.shards
    if any(filter.name in BUCKET_SECONDS for filter in placeholder.filters) or _is_day(entity, placeholder):
        return 1 if is_current else None
    return _distinct(entity, placeholder)


def _is_day(entity: Layout, placeholder: Placeholder) -> bool:
    kind = scalar(entity, placeholder.path)
    return kind is not None and (kind.kind == "date" or is_day_text(kind))


def _distinct(entity: Layout, placeholder: Placeholder) -> int | None:
    kind = scalar(entity, placeholder.path)
    return None if kind is None else distinct(kind)


def _at_most_items(entity: Layout, count: int | None) -> int | None:
    """The number of keys, which is at most that of the expected items; None if neither is known."""
    counts = [number for number in (count, entity.binding.spec.expected) if number is not None]
    return min(counts, default=None)


def _product(counts: Iterator[int | None]) -> int | None:
    product = 1
    for count in counts:
        if count is None:
            return None
        product *= count
    return product


def _expected(band: Band) -> float:
    return band.low if band.expected is None else band.expected
