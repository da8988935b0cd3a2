"""Storage facts of an entity and traits of an engine, for rules that are independent of the engine."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from keywright.access.cost import NOTHING, Band
from keywright.access.path import By
from keywright.record import Record, field

FactQuestion: TypeAlias = Literal["search", "near", "nearest", "aggregate"]
"""Queries beyond keys: words of a text, distance from a place, similarity with a vector, aggregates of groups."""


class StorageFacts(Record):
    """The storage of one entity in a placed target."""

    noun: str
    """The noun for an item: `document`, `item`, `row`."""
    item: Band
    """Bytes of an item, names included."""
    fields: Mapping[str, Band] = field(default_factory=dict)
    """Bytes of its separately stored fields, by Python name."""
    indexes: Band = NOTHING
    """Bytes of the item's entries in all indexes other than its key."""
    limit: int | None = None
    """Largest allowed size of an item in bytes; None for an engine without a limit."""
    reads_fields_alone: bool = False
    """Whether a read of some fields loads no others."""
    is_watched: bool = False
    """Whether a rule of the engine reports items close to that limit."""
    read_indexes: tuple[By, ...] = ()
    """Indexes and views that only serve reads, without `needed`."""
    needed: tuple[By, ...] = ()
    """Indexes for uniqueness, expiry or sharding, and those that the server creates itself."""
    redundant: tuple[By, ...] = ()
    """Indexes whose reads another index serves if they are dropped."""

    @property
    def usual(self) -> float | None:
        """Bytes of a typical item; a lower estimate if a field declares no size, None if no field does."""
        if self.item.expected is not None:
            return self.item.expected
        return sum(size.expected for size in self.fields.values() if size.expected is not None) or None


class Traits(Record, kw_only=True):
    """The use cases that an engine is designed for."""

    answers: frozenset[FactQuestion] = frozenset()
    """The queries beyond keys that one of its structures serves."""
    is_in_memory: bool = False
    """Whether all its data must fit into memory."""
    is_clustered: bool = False
    """Whether the primary key determines where items are stored, so that every other access path costs more."""
    keeps_documents: bool = False
    """Whether an item may embed related data, which is then read and written with it."""
    cache: str = ""
    """Declaration of a copy of data whose source of truth is elsewhere; empty for an engine without one."""
    shares_keys: bool = False
    """Whether a structure of one key can contain many items, so that a key does not identify an item."""
    replaces_items: bool = True
    """Whether a put removes stored fields that are not written with it."""
    bounds_increments: bool = True
    """Whether increments beyond the bounds of a field are rejected."""
    has_own_expiry_rules: bool = False
    """Whether rules of the engine report items that never expire."""
    has_own_list_rules: bool = False
    """Whether a rule of the engine reports stored lists that are longer than their bound."""
    unexpiring: tuple[str, ...] = ()
    """Kinds of stored values, other than missing ones, that the server accepts as time of expiry and never expires."""
