"""How an entity is held in a placed table, and what DynamoDB is made for."""

from keywright.access.cost import Band, total
from keywright.engines.holding import Holding, Traits
from keywright.ir.binding import Binding

from ..capabilities import ITEM_BYTES
from ..target import TableTarget
from .layout import entity_of
from .size import attribute_bytes, entry_bytes, item_bytes

TRAITS = Traits(is_clustered=True, keeps_documents=True)
"""What is asked beyond keys is asked elsewhere; an index is a second table.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-relational-modeling.html, 2026-11-22."""


def holding(table: TableTarget, binding: Binding) -> Holding | None:
    """See `Engine.holding`; an item that is not in an index takes nothing there."""
    found = entity_of(table, binding)
    if found is None:
        return None
    entries = (entry_bytes(found, route) for route in found.routes[1:])
    return Holding(
        noun="item",
        item=item_bytes(found),
        fields={one.name: attribute_bytes(found, one) for one in found.attributes},
        indexes=total([Band(0, one.expected, one.high, one.missing) for one in entries]),
        limit=ITEM_BYTES.value,
        is_watched=True,
        ways=tuple(route.by for route in found.routes[1:]),
    )
