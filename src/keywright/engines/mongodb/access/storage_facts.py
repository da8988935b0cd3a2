"""Storage facts of an entity in a placed database, and traits of MongoDB."""

from keywright.access.cost import total
from keywright.engines.contract.storage_facts import StorageFacts, Traits
from keywright.ir.binding import Binding

from ..declare.options import AnyCollection
from ..findings.redundant import replaces
from ..schema.capabilities import DOCUMENT_BYTES
from ..schema.target import DatabaseTarget, IndexTarget, shard_key
from .layout import Layout, view
from .size import document_bytes, entry_bytes, field_bytes

TRAITS = Traits(
    answers=frozenset(("search", "near", "aggregate")),
    keeps_documents=True,
    has_own_list_rules=True,
    unexpiring=("number", "text", "other"),
)
"""The index on `_id` is an index like any other.
Source: https://www.mongodb.com/docs/manual/core/query-optimization/, 2026-11-22."""


def storage_facts(database: DatabaseTarget, binding: Binding[AnyCollection]) -> StorageFacts | None:
    """See `Engine.storage_facts`."""
    layout = view(database, binding)
    if layout is None or layout.collection.view is not None:
        return None  # a view stores nothing
    indexes = layout.collection.indexes
    return StorageFacts(
        noun="document",
        item=document_bytes(layout),
        fields={attribute.name: field_bytes(layout, attribute) for attribute in layout.attributes},
        indexes=total([entry_bytes(layout, index) for index in indexes]),
        limit=DOCUMENT_BYTES.value,
        read_indexes=tuple(
            index.by for index in layout.indexes if index.kind != "hidden" and not _is_constraint(layout, index.target)
        ),
        needed=tuple(index.by for index in layout.indexes if _is_constraint(layout, index.target)),
        redundant=tuple(
            index.by
            for index in layout.indexes
            if any(replaces(longer.target, index.target, layout.shape) for longer in layout.indexes)
        ),
    )


def _is_constraint(view: Layout, index: IndexTarget) -> bool:
    """Whether an index keeps keys unique, expires documents, is the shard key, or is the server's own of a series."""
    shard_keys, series = shard_key(view.database, view.collection), view.collection.series
    return (
        index.is_unique
        or index.expire_after_seconds is not None
        or (series is not None and index.keys == ((series.meta, 1), (series.time, 1)))
        or (bool(shard_keys) and index.keys[: len(shard_keys)] == shard_keys)
    )
