"""Samples of a whole design, one after the other: what a loader needs and nothing that grows with their number."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from keywright.ir.attribute import Attribute, Many, Map, Struct, Type
from keywright.ir.design import Design
from keywright.ir.entity import Entity

from .instances import Instances
from .keys import bindings_of
from .plan import Planning, referred
from .spaces import ANCHOR, Spaces


@dataclass(frozen=True, slots=True)
class Sample:
    """One instance of an entity."""

    entity: str
    """Name of the entity."""
    bindings: tuple[str, ...]
    """Names of all bindings that store it."""
    value: dict[str, object]
    """Python values by the names under which the model takes them."""


def generate(
    design: Design, *, seed: int = 0, scale: int = 100, anchor: datetime = ANCHOR, now: datetime = ANCHOR
) -> Iterator[Sample]:
    """Instances of every entity, what is referred to before what refers to it; the same for the same arguments.

    scale: about how many of the largest entity; of the others in proportion to their expected number or to the
    cardinality of their keys, a tenth of it at the least, and never more than expected or than have different keys.
    anchor: the aware end of the ninety days in which everything happened. now: the moment after which things expire;
    who loads the data passes the present, or the store drops at once what has expired.
    UsageError: a field has a pattern for which no text was found.
    """
    spaces = Spaces(seed, anchor, now)
    plans = Planning(design, spaces, scale).plans()
    instances = Instances(design, plans, spaces)
    for entity in _in_order(design):
        plan, stores = plans[entity.name], tuple(binding.name for binding in bindings_of(design, entity))
        for index in range(plan.count):
            yield Sample(entity.name, stores, instances.instance(plan, index))


def _in_order(design: Design) -> tuple[Entity, ...]:
    """The entities in declared order, each behind those that it refers to; a circle begins where it is met."""
    found: dict[str, Entity] = {}
    entered: set[str] = set()

    def enter(entity: Entity) -> None:
        if entity.name not in entered:
            entered.add(entity.name)
            for name in _referred(entity.attributes):
                if (target := referred(design, name)) is not None:
                    enter(target)
            found[entity.name] = entity

    for entity in design.entities:
        enter(entity)
    return tuple(found.values())


def _referred(attributes: tuple[Attribute, ...]) -> Iterator[str]:
    for attribute in attributes:
        if attribute.copied_from:
            yield attribute.copied_from.entity
        yield from _inside(attribute.type)


def _inside(kind: Type) -> Iterator[str]:
    if kind.facts.reference:
        yield kind.facts.reference.entity
    match kind:
        case Many():
            yield from _inside(kind.element)
        case Map():
            yield from _inside(kind.value)
        case Struct():
            yield from _referred(kind.attributes)
        case _:
            pass
