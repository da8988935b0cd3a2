"""Storage facts of an entity in a placed table, and the traits of DynamoDB."""

from keywright.access.cost import Band, total
from keywright.engines.contract.storage_facts import StorageFacts, Traits
from keywright.ir.binding import Binding

from ..declare.options import Item
from ..schema.capabilities import ITEM_BYTES
from ..schema.target import TableTarget
from .cost.size import attribute_bytes, entry_bytes, item_bytes
from .layout import entity_of

TRAITS = Traits(is_clustered=True, keeps_documents=True)
"""Queries other than by keys belong in another store; an index is a second table.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-relational-modeling.html, 2026-11-22."""


def storage_facts(table: TableTarget, binding: Binding[Item]) -> StorageFacts | None:
    """See `Engine.storage_facts`; an item that is not in an index has no bytes there."""
    layout = entity_of(table, binding)
    if layout is None:
        return None
    entries = (entry_bytes(layout, route) for route in layout.routes[1:])
    return StorageFacts(
        noun="item",
        item=item_bytes(layout),
        fields={attribute.name: attribute_bytes(layout, attribute) for attribute in layout.attributes},
        indexes=total([Band(0, entry.expected, entry.high, entry.missing) for entry in entries]),
        limit=ITEM_BYTES.value,
        is_watched=True,
        read_indexes=tuple(route.by for route in layout.routes[1:]),
    )
