"""Generates the instances of a design one after the other, in constant memory."""

from collections.abc import Iterator
from datetime import datetime

from keywright.ir.attribute import Attribute, Struct, Type
from keywright.ir.design import Design
from keywright.ir.entity import Entity, parts
from keywright.record import Record

from .instances import Instances
from .keys import bindings_of
from .plan import Planning, referred
from .spaces import ANCHOR, Spaces


class GeneratedInstance(Record):
    """One instance of an entity."""

    entity: str
    """Name of the entity."""
    bindings: tuple[str, ...]
    """Names of all bindings that store it."""
    value: dict[str, object]
    """Python values by the input names of the model."""


def generate(
    design: Design, *, seed: int = 0, scale: int = 100, anchor: datetime = ANCHOR, now: datetime = ANCHOR
) -> Iterator[GeneratedInstance]:
    """Yields instances of every entity, targets before the entities that refer to them; reproducible.

    scale: approximate number of instances of the largest entity. Other entities have instances in proportion to their
    expected number or the cardinality of their keys, at least a tenth of scale, and at most the expected number or the
    number of different keys. anchor: the aware end of the ninety days of generated times. now: the time after which
    instances expire; a loader passes the present time, because the store deletes expired items at once.
    Raises UsageError if no text matches a field's pattern.
    """
    spaces = Spaces(seed, anchor, now)
    plans = Planning(design, spaces, scale).plans()
    instances = Instances(design, plans, spaces)
    for entity in _in_order(design):
        plan, stores = plans[entity.name], tuple(binding.name for binding in bindings_of(design, entity))
        for index in range(plan.count):
            yield GeneratedInstance(entity.name, stores, instances.instance(plan, index))


def _in_order(design: Design) -> tuple[Entity, ...]:
    """The entities in declared order, each after its targets; a cycle starts at its first entity."""
    entities: dict[str, Entity] = {}
    visited: set[str] = set()

    def visit(entity: Entity) -> None:
        if entity.name not in visited:
            visited.add(entity.name)
            for name in _referred(entity.attributes):
                if (target := referred(design, name)) is not None:
                    visit(target)
            entities[entity.name] = entity

    for entity in design.entities:
        visit(entity)
    return tuple(entities.values())


def _referred(attributes: tuple[Attribute, ...]) -> Iterator[str]:
    for attribute in attributes:
        if attribute.copied_from:
            yield attribute.copied_from.entity
        yield from _inside(attribute.type)


def _inside(kind: Type) -> Iterator[str]:
    if kind.facts.reference:
        yield kind.facts.reference.entity
    if isinstance(kind, Struct):
        yield from _referred(kind.parts)
    else:
        for part in parts(kind):
            yield from _inside(part)
