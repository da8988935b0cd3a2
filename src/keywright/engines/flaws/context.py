"""What rules are told of a project in an environment, and what they find."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from keywright.access.search import Planned
from keywright.engines.environment import Environment
from keywright.engines.holding import Holding, Traits
from keywright.errors import NOWHERE, Place
from keywright.ir.attribute import Attribute, Many, Map, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design

from .fix import Fix


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """Something that is wrong, before it has a code."""

    problem: str
    """One sentence, with the actual and the allowed value."""
    help: str
    """What to do."""
    subject: str
    """Name of the entity's binding, of the physical thing or of the pattern that it is about, as declared."""
    part: str = ""
    """Name of the index, view or group in it."""
    field: str = ""
    """Path of the field in it, in Python names."""
    at: Place = NOWHERE
    """Where it stands, if the rule knows; else it is found by the names."""
    fix: Fix | None = None
    """What would heal it, where that can be written by a program."""
    severity: Literal["warning", "info"] | None = None
    """How bad it is where it is milder than its rule says."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One target in the environment; what a Pulumi program makes by itself is both declared and placed as it is."""

    engine: str
    """Its engine."""
    declared: Any
    """As the models have it."""
    placed: Any
    """With what the environment adds."""
    environment: Environment
    """The engine's part of the environment."""
    stack: Place = NOWHERE
    """The environment's file; nowhere for what a Pulumi program makes by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A project in one environment."""

    design: Design
    """Everything declared."""
    targets: tuple[Stored, ...]
    """Every table, database, keyspace and server."""
    plans: tuple[Planned[Any], ...]
    """Every pattern with what serves it."""
    stack: Place
    """The environment's file."""
    holding: Callable[[Binding], Holding | None] = lambda binding: None
    """How an entity is held in its store; None where nothing is known of it."""
    traits: Mapping[str, Traits] = field(default_factory=dict)
    """What engines are made for, by name."""

    def of(self, engine: str) -> Iterator[Stored]:
        """The targets of an engine."""
        return (one for one in self.targets if one.engine == engine)

    def bindings(self, engine: str) -> Iterator[Binding]:
        """The entities in an engine's stores."""
        return (one for one in self.design.bindings if one.engine == engine)


def fields(attributes: tuple[Attribute, ...], path: str = "") -> Iterator[tuple[str, Attribute]]:
    """(path, attribute) of all attributes, those of embedded models too."""
    for attribute in attributes:
        here = f"{path}.{attribute.name}" if path else attribute.name
        yield here, attribute
        inner = _inside(attribute.type)
        if isinstance(inner, Struct):
            yield from fields(inner.attributes, here)


def _inside(type: Type) -> Type:
    while isinstance(type, (Many, Map)):
        type = type.element if isinstance(type, Many) else type.value
    return type
