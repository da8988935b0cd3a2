"""The input of rules for models, a project in an environment, and their output."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from keywright.access.search import Planned
from keywright.engines.contract.storage_facts import StorageFacts, Traits
from keywright.engines.environment import EngineEnvironment
from keywright.errors import NOWHERE, Place
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.record import Record, field, force_setattr

from .environment_facts import EnvironmentFacts
from .fix import Fix


class FindingDraft(Record, kw_only=True):
    """A finding before it has a code."""

    problem: str
    """One sentence, with the actual and the allowed value."""
    help: str
    """What to do."""
    subject: str
    """Declared name of the entity's binding, the physical store or the pattern."""
    engine: str = ""
    """Its engine, if a rule for every engine reports a physical store; otherwise that of the rule or its target."""
    part: str = ""
    """Name of the index, view or group in it."""
    field: str = ""
    """Path of the field in it, in Python names."""
    at: Place = NOWHERE
    """Its place in the source, if the rule knows it; otherwise it is found by the names."""
    fix: Fix | None = None
    """An edit that removes it, if a program can make it."""
    severity: Literal["warning", "info", "question"] | None = None
    """A severity below the severity of its rule. The problem of a question ends with a question mark, and its help says
    what follows from the answer."""


class TargetInEnvironment(Record):
    """One target in the environment; a target from a Pulumi program is both declared and placed."""

    engine: str
    """Its engine."""
    declared: Any
    """The declared target."""
    placed: Any
    """The target with the settings of the environment."""
    environment: EngineEnvironment
    """The engine's part of the environment."""
    stack: Place = NOWHERE
    """The stack file; NOWHERE for a target from a Pulumi program."""
    places: Mapping[tuple[str, ...], Place] = field(default_factory=dict)
    """The place of each setting in it, by its keys, outermost first."""

    def setting(self, *path: str) -> Place:
        """The place of a setting: for this target, else for all targets, else of the nearest enclosing setting.

        path: its keys below the engine, such as `point-in-time-recovery`.
        """
        candidates = [
            (keys, place)
            for keys, place in self.places.items()
            if keys[0] == self.engine and (self._is_own(keys, path) or keys[1:] == path[: len(keys) - 1])
        ]
        return max(candidates, key=lambda row: (self._is_own(row[0], path), len(row[0])), default=((), self.stack))[1]

    def _is_own(self, keys: tuple[str, ...], path: tuple[str, ...]) -> bool:
        """Whether keys lead to a setting for this target only."""
        return len(keys) > 3 and keys[2] == self.declared.name and keys[3:] == path


class RuleContext(Record, kw_only=True):
    """A project in one environment."""

    design: Design
    """All declarations."""
    targets: tuple[TargetInEnvironment, ...]
    """Every table, database, keyspace and server."""
    plans: tuple[Planned[Any], ...]
    """The plan of every access pattern."""
    stack: Place
    """The stack file of the environment."""
    environment: EnvironmentFacts = field(default_factory=EnvironmentFacts)
    """The environment itself."""
    other_environments: Callable[[], tuple[EnvironmentFacts, ...]] = tuple
    """The other environments of the project, read when a rule compares them."""
    follows_models: bool = False
    """Whether it is judged as development, which follows its models; otherwise only migrations change it."""
    has_alarms: bool = True
    """Whether the environment has alarms on its stores."""
    has_topic: bool = True
    """Whether its alarms notify a topic."""
    storage_facts: Callable[[Binding], StorageFacts | None] = lambda binding: None
    """The storage facts of an entity; None if unknown."""
    traits: Mapping[str, Traits] = field(default_factory=dict)
    """Traits of engines, by name."""
    plans_by_binding: Mapping[str, Sequence[Planned[Any]]] = field(default_factory=dict)
    """The plans of each binding, by its name; built from `plans`."""

    def __post_init__(self) -> None:
        """Sort the plans once: rules need those of every binding."""
        plans: dict[str, list[Planned[Any]]] = {}
        for plan in self.plans:
            for name in dict.fromkeys(part.binding.name for part in plan.parts or (plan,)):
                plans.setdefault(name, []).append(plan)
        force_setattr(self, "plans_by_binding", plans)

    def of(self, engine: str) -> Iterator[TargetInEnvironment]:
        """The targets of an engine."""
        return (target for target in self.targets if target.engine == engine)

    def plans_of(self, binding: Binding) -> Sequence[Planned[Any]]:
        """The plans for an entity, transactions with a part for it included."""
        return self.plans_by_binding.get(binding.name, ())

    def bindings(self, engine: str) -> Iterator[Binding[Any]]:
        """The entities in an engine's stores."""
        return (binding for binding in self.design.bindings if binding.engine == engine)


def fields(attributes: tuple[Attribute, ...], path: str = "") -> Iterator[tuple[str, Attribute]]:
    """(path, attribute) of all attributes, including those of embedded models."""
    for attribute in attributes:
        here = f"{path}.{attribute.name}" if path else attribute.name
        yield here, attribute
        inner = _inside(attribute.type)
        if isinstance(inner, Struct):
            yield from fields(inner.parts, here)


def scalar_of(type: Type) -> Scalar | None:
    """The type of the single values in lists and maps; None for embedded models."""
    scalar = _inside(type)
    return scalar if isinstance(scalar, Scalar) else None


def _inside(type: Type) -> Type:
    while isinstance(type, (Many, Map)):
        type = type.element if isinstance(type, Many) else type.value
    return type
