"""Storage facts of an entity in a placed keyspace, and the traits of Cassandra."""

from keywright.access.path import By
from keywright.engines.contract.storage_facts import StorageFacts, Traits
from keywright.ir.binding import Binding

from ..declare.options import CqlTable
from ..schema.target import KeyspaceTarget
from .layout import layout
from .size import key_band, part_bytes, row_band

TRAITS = Traits(answers=frozenset(("nearest",)), is_clustered=True, replaces_items=False, bounds_increments=False)
"""Each query needs its own table, because an index sends the query to every node that may have rows.
Source: https://cassandra.apache.org/doc/latest/cassandra/developing/data-modeling/data-modeling_queries.html,
2026-11-22."""


def storage_facts(keyspace: KeyspaceTarget, binding: Binding[CqlTable]) -> StorageFacts | None:
    """See `Engine.storage_facts`. The limit of a row is never reached before the limit of its partition."""
    entity_layout = layout(keyspace, binding)
    if entity_layout is None:
        return None
    name = binding.entity.name
    return StorageFacts(
        noun="row",
        item=key_band(entity_layout, name) + row_band(entity_layout, name),
        fields={field: part_bytes(entity_layout, part, name) for field, part in entity_layout.parts.items()},
        read_indexes=(
            *(By("view", view.name) for view in entity_layout.views),
            *(By("index", index.name) for index in entity_layout.indexes),
        ),
    )
