"""How much of the load falls on the busiest partition key: arithmetic on declared rates, sizes and numbers of values.

A load spreads over as many values as are known, so that the busiest of them takes at least its share; where nothing
says how many there are, nothing is said.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from keywright.access.cost import Band
from keywright.access.fill import BUCKET_SECONDS, Slot
from keywright.ir.template import Placeholder

from .access.calls import BatchGetItem, GetItem, Put, Query
from .access.cost import cost
from .access.cost_write import write_arms
from .access.layout import Entity, Route
from .capabilities import PARTITION_READ_UNITS, PARTITION_WRITE_UNITS
from .uses import Use, scalar


@dataclass(frozen=True, slots=True)
class Heat:
    """What one use asks of the busiest key of the table or of an index."""

    use: Use
    """The use."""
    route: Route
    """The key."""
    side: Literal["read", "write"]
    """Of which capacity."""
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
        """Whether it is on a partition of the table itself, where local indexes are too."""
        return self.route.by.kind != "gsi"

    @property
    def is_too_hot(self) -> bool:
        """Whether no partition serves that."""
        return self.units > self.most

    @property
    def is_sharded(self) -> bool:
        """Whether its partition key is spread by shards or copies."""
        return bool(shards(self.route)) or (not self.route.index and self.use.entity.shape.copies > 1)


def heats(use: Use) -> Iterator[Heat]:
    """What a served use asks of single keys, as far as that is known; what callers keep for a while is not asked."""
    if use.route is None or use.pattern.cache_ttl_seconds:
        return
    if use.write is None:
        yield from _read(use, use.route)
    else:
        yield from _written(use)


def shards(route: Route) -> int:
    """Over how many shards a partition key is spread; 0 for none."""
    found = 1
    for placeholder in _placeholders(route):
        found *= placeholder.shards or 1
    return found if found > 1 else 0


def _read(use: Use, route: Route) -> Iterator[Heat]:
    call = use.call
    assert isinstance(call, (GetItem, BatchGetItem, Query))
    filled = call.key if isinstance(call, Query) else call.place.key[: len(route.hashes)]
    calls = use.load.hot_key_per_second
    if calls is None and use.per_second is not None:
        share = _product(_slot_values(use.entity, slot) for one in filled for slot in one.filled.slots)
        calls = use.per_second / share if share else None
    if calls is None:
        return
    found = cost(use.planned)
    copies = use.entity.shape.copies if not route.index else 1
    units = _usual(dict(found.arms)[route.index]) / max(1, found.partitions)
    yield Heat(use, route, "read", calls / copies, calls * units / copies)


def _written(use: Use) -> Iterator[Heat]:
    call, load = use.write, use.load
    if call is None or (use.per_second is None and load.hot_key_per_second is None):
        return
    arms = write_arms(use.entity, call)
    for route in use.entity.routes:
        arm = arms.get(route.index)
        if arm is None or route.by.kind == "lsi" or (route.index and not isinstance(call, Put)):
            continue
        calls = None
        if load.hot_key_per_second is not None and not route.index:
            calls = load.hot_key_per_second / (shards(route) or 1)
        elif use.per_second is not None:
            share = _product(_values(use.entity, one, is_put=isinstance(call, Put)) for one in _placeholders(route))
            calls = use.per_second * use.pattern.batch / share if share else None
        if calls is not None:
            yield Heat(use, route, "write", calls, calls * _usual(arm) * (1 if route.index else use.times))


def _placeholders(route: Route) -> tuple[Placeholder, ...]:
    return tuple(one for part in route.hashes for one in part.template.placeholders)


def _slot_values(entity: Entity, slot: Slot) -> int | None:
    """Over how many keys the calls of a read are spread by one placeholder; None where nobody knows."""
    match slot.kind:
        case "value" if slot.asked is None or slot.asked.constants is None:
            return _distinct(entity, slot.placeholder)
        case "values" | "buckets" if slot.asked is None or slot.asked.constants is None:
            return None
        case _:
            return 1  # each call asks the same


def _values(entity: Entity, placeholder: Placeholder, *, is_put: bool) -> int | None:
    """How many values a placeholder has in the keys that are written at one time; None where nobody knows."""
    if placeholder.shards:
        return placeholder.shards
    if any(one.name in BUCKET_SECONDS for one in placeholder.filters) or _is_day(entity, placeholder):
        return 1 if is_put else None
    return _distinct(entity, placeholder)


def _is_day(entity: Entity, placeholder: Placeholder) -> bool:
    kind = scalar(entity, placeholder.path)
    return kind is not None and kind.kind == "date"


def _distinct(entity: Entity, placeholder: Placeholder) -> int | None:
    kind = scalar(entity, placeholder.path)
    if kind is None:
        return None
    return len(kind.constants) or (2 if kind.kind == "boolean" else kind.facts.distinct)


def _product(counts: Iterator[int | None]) -> int | None:
    found = 1
    for count in counts:
        if count is None:
            return None
        found *= count
    return found


def _usual(band: Band) -> float:
    return band.low if band.expected is None else band.expected
