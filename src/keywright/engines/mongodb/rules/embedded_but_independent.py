"""MDB003: elements of an embedded list are read, or changed, on their own.

https://www.mongodb.com/docs/manual/data-modeling/concepts/embedding-vs-references/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.ir.attribute import Many, Struct
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pattern that is about such elements by its choice or change, and wants nothing else of their document."""
    for plan in whole.plans:
        for one in plan.parts or (plan,):
            if one.binding.engine == "mongodb" and (path := _alone(one.binding, one.pattern)):
                yield Flaw(
                    problem=f'it is about elements of "{path}" alone, and all of {one.binding.name} is read or written',
                    help=f'make "{path}" a collection of its own, which refers to {one.binding.name} by Ref(...)',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )


def _alone(binding: Binding, pattern: Pattern) -> str:
    """The list of models whose elements a pattern chooses or changes, if it wants nothing beside them; else empty."""
    chosen = [*pattern.eq, *pattern.one_of, *(one.field for one in pattern.where), pattern.range, pattern.prefix]
    wanted = [*pattern.fields, *pattern.sets, *pattern.unset, pattern.field, pattern.pushes]
    touched = [one for one in wanted if one]
    for attribute in binding.entity.attributes:
        if isinstance(attribute.type, Many) and isinstance(attribute.type.element, Struct):
            inside = f"{attribute.name}."
            is_chosen = any(one is not None and one.startswith(inside) for one in chosen)
            is_changed = any(one.startswith(inside) for one in (*pattern.sets, *pattern.unset, pattern.field or ""))
            if (is_chosen or is_changed) and touched and all(f"{one}.".startswith(inside) for one in touched):
                return attribute.name
    return ""
