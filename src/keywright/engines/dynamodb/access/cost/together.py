"""Costs of one request that reads items of several entities.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html, 2026-11-21.
"""

from math import ceil

from keywright.access.cost import Band, Cost, total
from keywright.access.search import Planned
from keywright.record import replace

from ...schema.capabilities import PAGE_BYTES
from ...schema.target import TableTarget
from ..calls import QueryItems, QueryTogether, TransactGet
from ..layout import entity_of
from .read import LOOKED_AT, keys_cost, query_cost
from .size import entry_bytes
from .units import READ_BYTES

TRANSACTION = 2
"""Times that a read in a transaction is charged, in units of strong reads."""


def parts_of(planned: Planned[TableTarget]) -> tuple[Planned[TableTarget], ...]:
    """The reads of the entities by the key of the request."""
    paths = zip(planned.parts, planned.access_path.parts, strict=True)
    return tuple(replace(part, path=path, others=()) for part, path in paths)


def together_cost(planned: Planned[TableTarget], call: QueryTogether) -> Cost:
    """Cost of a Query of one partition: the bytes of the items of all entities, rounded up together."""
    costs, sizes = [], []
    for part in parts_of(planned):
        entity, query = entity_of(part.target, part.binding), part.access_path.call
        assert entity is not None
        assert isinstance(query, QueryItems)
        costs.append(query_cost(entity, part, query))
        route = next(route for route in entity.routes if route.index == query.index)
        sizes.append(entry_bytes(entity, route))
    returned, size = (total([getattr(cost, name) for cost in costs]) for name in ("returned", "examined_bytes"))
    limit, largest = call.query.limit, _largest(sizes)
    if limit is not None:
        returned = returned.up_to(limit)
        size = size.up_to(limit * largest.high) if largest.high is not None else size
    examined = total([cost.examined for cost in costs])
    examined = examined if limit is None else examined.up_to(limit)
    if call.drops or call.query.discriminator is not None:
        missing = frozenset((f"{planned.pattern.name}: how many items of other entities are in the same range",))
        examined, size = (Band(0, band.expected, None, missing) for band in (examined, size))
    units = size.ceil(READ_BYTES) * (1 if call.query.is_strong else 0.5)
    trips = _round_trips(call, examined, size)
    return Cost(
        "RCU",
        units,
        examined=examined,
        returned=returned,
        examined_bytes=size,
        returned_bytes=total([cost.returned_bytes for cost in costs]) if size.high is None else size,
        round_trips=trips,
        arms=((call.query.index, units),),
    )


def _largest(sizes: list[Band]) -> Band:
    """The band of the largest item."""
    high = None if any(size.high is None for size in sizes) else max(size.high or 0 for size in sizes)
    return Band(min(size.low for size in sizes), None, high)


def _round_trips(call: QueryTogether, examined: Band, size: Band) -> Band:
    """One request, and more for further pages of the service, or if few of the examined items are returned."""
    usual = ceil((size.expected or 1) / PAGE_BYTES.value)
    if call.query.limit is not None and examined.expected is not None and size.high is None:
        usual = max(usual, ceil(examined.expected / max(call.query.limit, LOOKED_AT)))
    high = None if size.high is None else max(1, ceil(size.high / PAGE_BYTES.value))
    return Band(1, max(1, usual), high, size.missing)


def gets_cost(planned: Planned[TableTarget], call: TransactGet) -> Cost:
    """Cost of a transaction of gets: each item is rounded up, and charged twice."""
    costs = []
    for part, get in zip(parts_of(planned), call.parts, strict=True):
        entity = entity_of(part.target, part.binding)
        assert entity is not None
        costs.append(keys_cost(entity, part, replace(get, is_strong=True)))
    units = total([cost.units for cost in costs]) * TRANSACTION
    return Cost(
        "RCU",
        units,
        examined=total([cost.examined for cost in costs]),
        returned=total([cost.returned for cost in costs]),
        examined_bytes=total([cost.examined_bytes for cost in costs]),
        returned_bytes=total([cost.returned_bytes for cost in costs]),
        partitions=len(costs),
        arms=(("", units),),
    )
