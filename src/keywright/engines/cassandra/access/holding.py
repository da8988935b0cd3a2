"""How an entity is held in a placed keyspace, and what Cassandra is made for."""

from keywright.access.path import By
from keywright.engines.holding import Holding, Traits
from keywright.ir.binding import Binding

from ..target import KeyspaceTarget
from .layout import layout
from .size import key_band, part_bytes, row_band

TRAITS = Traits(is_clustered=True)
"""A query is a table; an index asks every node that may know something.
Source: https://cassandra.apache.org/doc/latest/cassandra/developing/data-modeling/data-modeling_queries.html,
2026-11-22."""


def holding(keyspace: KeyspaceTarget, binding: Binding) -> Holding | None:
    """See `Engine.holding`; rows have no limit that is met before that of their partition."""
    found = layout(keyspace, binding)
    if found is None:
        return None
    name = binding.entity.name
    return Holding(
        noun="row",
        item=key_band(found, name) + row_band(found, name),
        fields={field: part_bytes(found, part, name) for field, part in found.parts.items()},
        ways=(*(By("view", one.name) for one in found.views), *(By("index", one.name) for one in found.indexes)),
    )
