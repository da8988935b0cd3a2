"""Copies of other entities' fields: those that are declared, and those that give themselves away by their name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from keywright.ir.attribute import Attribute, CopiedFrom, Scalar
from keywright.ir.design import Design
from keywright.ir.entity import Entity

from .asked import identity
from .context import fields

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Copy:
    """A field whose value is another entity's."""

    entity: Entity
    """The entity that holds the copy."""
    path: str
    """The field there."""
    source: str
    """The entity that owns the value."""
    attribute: str
    """The field of that."""
    declared: CopiedFrom | None
    """How it is declared; None where only its name tells."""


def copies(design: Design) -> Iterator[Copy]:
    """Every copy in every entity, those in embedded models too.

    A name tells where it is that of another entity and of a field there of the same kind, as `user_email` is, and the
    field is no part of what items of either are found by.
    """
    keys = _keys(design)
    owned = {
        f"{_snake(entity.name)}_{one.name}": (entity, one)
        for entity in design.entities
        for one in entity.attributes
        if isinstance(one.type, Scalar) and one.name not in keys[entity.name]
    }
    for entity in design.entities:
        for path, attribute in fields(entity.attributes):
            said = attribute.copied_from
            if said is not None:
                yield Copy(entity, path, said.entity, said.attribute, said)
                continue
            source, one = owned.get(attribute.name, (entity, attribute))
            if source is not entity and _is_like(attribute, one) and path not in keys[entity.name]:
                yield Copy(entity, path, source.name, one.name, None)


def _is_like(one: Attribute, other: Attribute) -> bool:
    return (
        isinstance(one.type, Scalar)
        and isinstance(other.type, Scalar)
        and one.type.kind == other.type.kind
        and one.type.facts.reference is None
    )


def _keys(design: Design) -> dict[str, frozenset[str]]:
    """The fields that items are found by in any store, by entity."""
    found: dict[str, frozenset[str]] = {entity.name: frozenset() for entity in design.entities}
    for binding in design.bindings:
        found[binding.entity.name] |= identity(binding)
    return found


def _snake(name: str) -> str:
    return _WORDS.sub("_", name).lower()
