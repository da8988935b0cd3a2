"""What an engine knows of an entity in a placed target, and of itself, for rules that know no engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from keywright.access.cost import NOTHING, Band
from keywright.access.path import By

Question: TypeAlias = Literal["search", "near", "aggregate"]
"""What a pattern may ask beyond keys: words of a text, what is close, figures of groups."""


@dataclass(frozen=True, slots=True)
class Holding:
    """How one entity is held in a placed target."""

    noun: str
    """What one of it is called: `document`, `item`, `row`."""
    item: Band
    """Bytes of one, names included."""
    fields: Mapping[str, Band] = field(default_factory=dict)
    """Bytes of its fields by Python name, as far as they are stored one by one."""
    indexes: Band = NOTHING
    """Bytes that one takes in all indexes beside its key."""
    limit: int | None = None
    """Bytes that one may have; None where the engine has no such limit."""
    is_watched: bool = False
    """Whether a rule of the engine's own tells where one comes near that limit."""
    ways: tuple[By, ...] = ()
    """Indexes and views that are there for reads alone: not those that keep something unique, let it expire or spread
    it."""

    @property
    def usual(self) -> float | None:
        """Bytes of a usual one: an estimate from below where a field says nothing of its size; None where all do."""
        if self.item.expected is not None:
            return self.item.expected
        return sum(size.expected for size in self.fields.values() if size.expected is not None) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What an engine is made for."""

    answers: frozenset[Question] = frozenset()
    """The questions beyond keys that some structure of it answers."""
    is_in_memory: bool = False
    """Whether all that it holds has to fit into memory."""
    is_clustered: bool = False
    """Whether items lie where their primary key puts them, so that every other way to them costs more."""
    keeps_documents: bool = False
    """Whether an item may embed what belongs to it, and be read and written with it as one."""
