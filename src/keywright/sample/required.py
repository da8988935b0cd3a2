"""Fields that depend on more than themselves: those that must have a value, and those that a partition shares."""

from keywright.ir.attribute import Attribute, Many, Map, Struct, Type
from keywright.ir.design import Design
from keywright.ir.entity import Entity

from .keys import bindings_of, names_in, partition_of
from .plan import Plan, referred

_NAMING = ("score", "value", "time", "meta", "counters")
"""Arguments of declarations that name fields which every stored instance needs."""


def always_given(design: Design, plan: Plan) -> frozenset[str]:
    """Paths of the fields that are never None or left to their default: of keys and templates, and what is copied."""
    paths = {*plan.steps}
    for binding in bindings_of(design, plan.entity):
        paths |= {placeholder.path for one in binding.templates.values() for placeholder in one.placeholders}
        paths |= {name for argument in _NAMING for name in names_in(getattr(binding.spec, argument, ()))}
    for entity in design.entities:
        for attribute in _flat(entity.attributes):
            copied = attribute.copied_from
            if copied and (source := referred(design, copied.entity)) and source.name == plan.entity.name:
                paths.add(copied.attribute)
    return frozenset(".".join(path.split(".")[:depth]) for path in paths for depth in range(1, path.count(".") + 2))


def statics(design: Design, entity: Entity) -> dict[str, tuple[str, ...]]:
    """The fields of the partition, by name of each field that a partition has once; without what is computed, so that
    several partitions may share a value.
    """
    found: dict[str, tuple[str, ...]] = {}
    for binding in bindings_of(design, entity):
        partition = tuple(name for name in partition_of(binding) if entity.attribute(name))
        found |= dict.fromkeys(names_in(getattr(binding.spec, "static", ())), partition)
    return found


def _flat(attributes: tuple[Attribute, ...]) -> list[Attribute]:
    """The attributes with those of embedded models."""
    found = list(attributes)
    for attribute in attributes:
        found += _inside(attribute.type)
    return found


def _inside(kind: Type) -> list[Attribute]:
    match kind:
        case Many():
            return _inside(kind.element)
        case Map():
            return _inside(kind.value)
        case Struct():
            return _flat(kind.attributes)
        case _:
            return []
