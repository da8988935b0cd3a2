"""How an entity is held in a placed database, and what MongoDB is made for."""

from keywright.access.cost import total
from keywright.engines.holding import Holding, Traits
from keywright.ir.binding import Binding

from ..capabilities import DOCUMENT_BYTES
from ..sharding import shard_key
from ..target import DatabaseTarget, IndexTarget
from .size import document_bytes, entry_bytes, field_bytes
from .view import View, view

TRAITS = Traits(answers=frozenset(("search", "near", "aggregate")), keeps_documents=True)
"""An index on `_id` is one among others.
Source: https://www.mongodb.com/docs/manual/core/query-optimization/, 2026-11-22."""


def holding(database: DatabaseTarget, binding: Binding) -> Holding | None:
    """See `Engine.holding`."""
    found = view(database, binding)
    if found is None:
        return None
    indexes = found.collection.indexes
    return Holding(
        noun="document",
        item=document_bytes(found),
        fields={one.name: field_bytes(found, one) for one in found.attributes},
        indexes=total([entry_bytes(found, index) for index in indexes]),
        limit=DOCUMENT_BYTES.value,
        ways=tuple(one.by for one in found.indexes if one.kind != "hidden" and not _is_constraint(found, one.target)),
    )


def _is_constraint(view: View, index: IndexTarget) -> bool:
    """Whether it keeps keys unique, lets documents expire or spreads them."""
    spread = shard_key(view.database, view.collection)
    return (
        index.is_unique
        or index.expire_after_seconds is not None
        or (bool(spread) and index.keys[: len(spread)] == spread)
    )
