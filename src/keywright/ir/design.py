"""The design: everything that a project declares, as the frontend returns it and all later stages read it."""

from typing import Any, Generic

from keywright.record import Record

from .binding import Binding, Physical
from .entity import Entity
from .pattern import Pattern
from .spec import PhysicalSpecT_co, SpecT_co


class Design(Record, Generic[PhysicalSpecT_co, SpecT_co]):
    """A project's declarations, in the order of files and lines."""

    entities: tuple[Entity, ...] = ()
    """Every stored model."""
    physicals: tuple[Physical[PhysicalSpecT_co], ...] = ()
    """Every table, database, keyspace and server."""
    bindings: tuple[Binding[SpecT_co], ...] = ()
    """Every entity in each of its stores."""
    patterns: tuple[Pattern, ...] = ()
    """Every access pattern."""
    damaged: frozenset[str] = frozenset()
    """Names of physical objects with a rejected entity, whose unused declarations are not reported."""

    def of_engine(self, engine: str) -> "Design[Any, Any]":
        """The part that one engine stores; its entities are those that have a binding there."""
        bindings = tuple(binding for binding in self.bindings if binding.engine == engine)
        stored = {binding.entity.name for binding in bindings}
        names = {binding.name for binding in bindings}
        return Design(
            entities=tuple(entity for entity in self.entities if entity.name in stored),
            physicals=tuple(physical for physical in self.physicals if physical.engine == engine),
            bindings=bindings,
            patterns=tuple(pattern for pattern in self.patterns if _bindings_of(pattern) <= names),
            damaged=self.damaged,
        )

    def bindings_in(self, physical: Physical[Any]) -> tuple[Binding[SpecT_co], ...]:
        """The bindings in one physical object, in declared order."""
        return tuple(binding for binding in self.bindings if binding.physical is physical)


def _bindings_of(pattern: Pattern) -> set[str]:
    """Names of the bindings that a pattern reads or writes."""
    return {part.binding for part in pattern.parts} if pattern.parts else {pattern.binding}
