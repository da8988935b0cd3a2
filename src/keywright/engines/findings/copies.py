"""Copies of other entities' fields: declared copies, and copies inferred from their names."""

import re
from collections.abc import Iterator

from keywright.ir.attribute import Attribute, CopiedFrom, Scalar
from keywright.ir.design import Design
from keywright.ir.entity import Entity, element
from keywright.ir.pattern import Pattern
from keywright.record import Record

from .context import fields
from .pattern_facts import identity

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Copy(Record):
    """A field whose value is another entity's."""

    entity: Entity
    """The entity with the copy."""
    path: str
    """The path of the copy."""
    source: str
    """The entity that owns the value."""
    attribute: str
    """The copied field of that entity."""
    declared: CopiedFrom | None
    """Its declaration; None for a copy inferred from its name."""


def copies(design: Design) -> Iterator[Copy]:
    """Every copy in every entity, including embedded models.

    A copy is inferred if the name combines another entity and one of its fields of the same kind, such as `user_email`,
    the field is not part of the key of either entity, and the entity with the copy says of which item it is a copy.
    """
    keys = _keys(design)
    owned = {
        f"{_snake(entity.name)}_{attribute.name}": (entity, attribute)
        for entity in design.entities
        for attribute in entity.attributes
        if isinstance(attribute.type, Scalar) and attribute.name not in keys[entity.name]
    }
    for entity in design.entities:
        for path, attribute in fields(entity.attributes):
            copied_from = attribute.copied_from
            if copied_from is not None:
                yield Copy(entity, path, copied_from.entity, copied_from.attribute, copied_from)
                continue
            source, original = owned.get(attribute.name, (entity, attribute))
            if source is entity or not _is_like(attribute, original) or path in keys[entity.name]:
                continue
            if _names(entity, source, keys[source.name]):
                yield Copy(entity, path, source.name, original.name, None)


def is_stored_beside(design: Design, pattern: Pattern, copy: Copy) -> bool:
    """Whether a put stores the source as often as another put stores the copy, so that both belong together."""
    entities = {binding.name: binding.entity.name for binding in design.bindings}
    rate = pattern.load.per_second
    return (
        pattern.kind == "put"
        and entities.get(pattern.binding) == copy.source
        and rate is not None
        and any(
            other.kind == "put" and entities.get(other.binding) == copy.entity.name and other.load.per_second == rate
            for other in design.patterns
        )
    )


def _is_like(attribute: Attribute, other: Attribute) -> bool:
    return (
        isinstance(attribute.type, Scalar)
        and isinstance(other.type, Scalar)
        and attribute.type.kind == other.type.kind
        and attribute.type.facts.reference is None
    )


def _names(entity: Entity, source: Entity, keys: frozenset[str]) -> bool:
    """Whether an entity refers to an item of another one: by a reference, or by a field with the name of its key."""
    names = keys - {"id"} | {_snake(source.name), *(f"{_snake(source.name)}_{key}" for key in keys)}
    for path, attribute in fields(entity.attributes):
        kind = element(attribute.type)
        reference = kind.facts.reference if isinstance(kind, Scalar) else None
        if path.rpartition(".")[2] in names or (reference is not None and reference.entity == source.name):
            return True
    return False


def _keys(design: Design) -> dict[str, frozenset[str]]:
    """The key fields of each entity in any store."""
    fields_by_entity: dict[str, frozenset[str]] = {entity.name: frozenset() for entity in design.entities}
    for binding in design.bindings:
        fields_by_entity[binding.entity.name] |= identity(binding)
    return fields_by_entity


def _snake(name: str) -> str:
    return _WORDS.sub("_", name).lower()
