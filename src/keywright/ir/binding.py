"""Bindings: one entity in one store, and the tables, databases, keyspaces and servers that contain them."""

from collections.abc import Mapping
from typing import Generic

from keywright.errors import Place
from keywright.record import Record

from .entity import Entity
from .spec import PhysicalSpecT_co, SpecT_co
from .template import Template


class Physical(Record, Generic[PhysicalSpecT_co]):
    """A named object in a store."""

    engine: str
    """Name of its engine."""
    name: str
    """Declared name, without the environment's prefix."""
    variable: str
    """The variable of the declaration, used in messages; the name if there is none."""
    spec: PhysicalSpecT_co
    """The user's declaration: a type of the engine's options.py."""
    at: Place
    """Place of the declaration."""


class Binding(Record, Generic[SpecT_co]):
    """The storage of one entity in one store; the type of its declaration is known in the code of its engine."""

    name: str
    """Name in patterns and reports: the class, or the variable of the result of `bind`."""
    entity: Entity
    """The stored entity."""
    physical: Physical
    """The table, database, keyspace or server."""
    spec: SpecT_co
    """The user's declaration: a type of the engine's options.py."""
    templates: Mapping[str, Template]
    """Every key template of the declaration, by argument."""
    computed: Mapping[str, Template]
    """Stored attributes that are not fields, by name."""
    at: Place
    """Place of the declaration."""

    @property
    def engine(self) -> str:
        """Name of the engine."""
        return self.physical.engine
