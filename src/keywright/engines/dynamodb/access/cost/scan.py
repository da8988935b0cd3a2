"""Costs of scans: the bytes of all items that a request examines, whatever it returns.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html, 2026-11-28; DynamoDB Local 3.3.1
reports the same units.
"""

from keywright.access.cost import Band, Cost
from keywright.access.search import Planned
from keywright.record import replace

from ...schema.target import TableTarget
from ..calls import ScanItems
from ..layout import Layout
from .read import query_cost


def scan_cost(entity: Layout, planned: Planned[TableTarget], call: ScanItems) -> Cost:
    """Cost of one page, or of the whole table for a pattern without a limit; other entities' items add to it."""
    query = call.query
    cost = query_cost(entity, planned, query)
    if call.segments > 1:  # a page may end in a later segment, and each one takes a request
        more = Band(0, 0, call.segments - 1)
        units = cost.units + more * (1 if query.is_strong else 0.5)
        cost = replace(cost, round_trips=cost.round_trips + more, units=units, arms=((query.index, units),))
    if query.discriminator is None and query.head is None:
        return cost
    missing = frozenset((f"{planned.pattern.name}: how many items of other entities are in {planned.access_path.by}",))

    def at_least(band: Band) -> Band:
        return Band(band.low, band.expected, None, band.missing | missing)

    units = at_least(cost.units)
    return replace(
        cost,
        units=units,
        examined=at_least(cost.examined),
        examined_bytes=at_least(cost.examined_bytes),
        round_trips=at_least(cost.round_trips),
        arms=((query.index, units),),
    )
