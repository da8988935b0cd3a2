"""Links between documents of one database, and updates that set them or what they imply."""

from keywright.engines.findings.context import fields
from keywright.ir.attribute import Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

_FIGURES = ("integer", "float", "decimal", "boolean")
"""Kinds of values that count or tell a state."""


def refers(child: Binding, parent: Binding, on_missing: str = "") -> bool:
    """Whether a required field of an entity refers to another entity of the same database.

    on_missing: the reaction to a missing one; empty for any.
    """
    return child.physical is parent.physical and any(
        isinstance(attribute.type, Scalar)
        and attribute.type.facts.reference is not None
        and attribute.type.facts.reference.entity == parent.entity.name
        and on_missing in ("", attribute.type.facts.reference.on_missing)
        and not attribute.is_nullable
        for _, attribute in fields(child.entity.attributes)
    )


def sets_link(pattern: Pattern, binding: Binding, other: Binding) -> bool:
    """Whether an update sets the reference to another entity of the same database."""
    kinds = ((path, attribute.type) for path, attribute in fields(binding.entity.attributes) if path in pattern.sets)
    return binding.physical is other.physical and any(
        isinstance(kind, Scalar)
        and kind.facts.reference is not None
        and kind.facts.reference.entity == other.entity.name
        for _, kind in kinds
    )


def tells_of(pattern: Pattern, binding: Binding, child: Binding) -> bool:
    """Whether an update sets what a new document of another entity can change: the reference to it, or a number or a
    state of the entity that it refers to. Texts such as an address change for reasons of their own.
    """
    if not refers(child, binding):
        return sets_link(pattern, binding, child)
    kinds = (attribute.type for path, attribute in fields(binding.entity.attributes) if path in pattern.sets)
    return any(
        isinstance(kind, Many) or kind.kind in _FIGURES or kind.constants or kind.facts.reference is not None
        for kind in kinds
        if isinstance(kind, (Many, Scalar)) and not kind.facts.is_personal
    )
