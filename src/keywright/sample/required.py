"""Fields that depend on other declarations: fields that always have a value, and fields shared by a partition."""

from keywright.ir.attribute import Attribute, Struct, Type
from keywright.ir.design import Design
from keywright.ir.entity import Entity, parts

from .keys import bindings_of, names_in, partition_of
from .plan import EntityPlan, referred

_NAMING = ("score", "value", "time", "meta", "counters")
"""Options of declarations that name required fields."""


def always_present(design: Design, plan: EntityPlan) -> frozenset[str]:
    """Paths of the fields that are never None or defaulted: fields of keys and templates, and sources of copies."""
    paths = {*plan.steps}
    for binding in bindings_of(design, plan.entity):
        paths |= {placeholder.path for template in binding.templates.values() for placeholder in template.placeholders}
        paths |= {name for argument in _NAMING for name in names_in(getattr(binding.spec, argument, ()))}
    for entity in design.entities:
        for attribute in _flat(entity.attributes):
            copied = attribute.copied_from
            if copied and (source := referred(design, copied.entity)) and source.name == plan.entity.name:
                paths.add(copied.attribute)
    return frozenset(".".join(path.split(".")[:depth]) for path in paths for depth in range(1, path.count(".") + 2))


def statics(design: Design, entity: Entity) -> dict[str, tuple[str, ...]]:
    """The partition fields of each static field, by name; without computed attributes, so that several partitions can
    several partitions may share a value.
    """
    partitions: dict[str, tuple[str, ...]] = {}
    for binding in bindings_of(design, entity):
        partition = tuple(name for name in partition_of(binding) if entity.attribute(name))
        partitions |= dict.fromkeys(names_in(getattr(binding.spec, "static", ())), partition)
    return partitions


def _flat(attributes: tuple[Attribute, ...]) -> list[Attribute]:
    """The attributes, with those of embedded models."""
    attributes_with_embedded = list(attributes)
    for attribute in attributes:
        attributes_with_embedded += _inside(attribute.type)
    return attributes_with_embedded


def _inside(kind: Type) -> list[Attribute]:
    if isinstance(kind, Struct):
        return _flat(kind.parts)
    return [attribute for part in parts(kind) for attribute in _inside(part)]
