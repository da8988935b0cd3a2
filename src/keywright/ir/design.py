"""The whole of what a project declares: what the frontend makes and everything else reads."""

from dataclasses import dataclass

from .binding import Binding
from .entity import Entity
from .pattern import Pattern
from .physical import Physical


@dataclass(frozen=True, slots=True)
class Design:
    """A project's declarations, in the order of files and lines."""

    entities: tuple[Entity, ...] = ()
    """Every stored model."""
    physicals: tuple[Physical, ...] = ()
    """Every table, database, keyspace and server."""
    bindings: tuple[Binding, ...] = ()
    """Every entity in each of its stores."""
    patterns: tuple[Pattern, ...] = ()
    """Every access pattern."""
    damaged: frozenset[str] = frozenset()
    """Names of physical things of which some entity was refused: what nothing uses there may have been for it."""

    def of_engine(self, engine: str) -> "Design":
        """The part that one engine stores; its entities are those that have a binding there."""
        bindings = tuple(binding for binding in self.bindings if binding.engine == engine)
        stored = {binding.entity.name for binding in bindings}
        names = {binding.name for binding in bindings}
        return Design(
            entities=tuple(entity for entity in self.entities if entity.name in stored),
            physicals=tuple(physical for physical in self.physicals if physical.engine == engine),
            bindings=bindings,
            patterns=tuple(pattern for pattern in self.patterns if pattern.binding in names),
            damaged=self.damaged,
        )

    def bindings_in(self, physical: Physical) -> tuple[Binding, ...]:
        """The bindings that share one physical thing, in declared order."""
        return tuple(binding for binding in self.bindings if binding.physical is physical)
