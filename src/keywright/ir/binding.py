"""Bindings: one entity in one store."""

from collections.abc import Mapping
from dataclasses import dataclass

from keywright.errors import Place

from .entity import Entity
from .physical import Physical
from .template import Template


@dataclass(frozen=True, slots=True)
class Binding:
    """How one entity is stored in one place."""

    name: str
    """Name that patterns and reports use: the class, or the variable that holds the result of `bind`."""
    entity: Entity
    """What is stored."""
    physical: Physical
    """Where."""
    spec: object
    """The user's declaration: a type of the engine's options.py."""
    templates: Mapping[str, Template]
    """Every key template of the declaration, by the argument that gave it."""
    computed: Mapping[str, Template]
    """Stored attributes that no field holds, by name."""
    at: Place
    """Where the declaration stands."""

    @property
    def engine(self) -> str:
        """Name of the engine."""
        return self.physical.engine
