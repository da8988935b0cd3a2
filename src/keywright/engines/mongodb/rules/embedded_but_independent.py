"""MDB003: patterns read or change elements of an embedded list without the rest of its document.

https://www.mongodb.com/docs/manual/data-modeling/concepts/embedding-vs-references/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.attribute import Many, Struct
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ..declare.options import AnyCollection


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every pattern that selects or changes such elements and uses no other field of their document."""
    for plan in context.plans:
        for part in plan.parts or (plan,):
            if part.binding.engine == "mongodb" and (path := _alone(part.binding, part.pattern)):
                yield FindingDraft(
                    problem=(
                        f'it is about elements of "{path}" alone, and all of {part.binding.name} is read or written'
                    ),
                    help=f'make "{path}" a collection of its own, which refers to {part.binding.name} by Ref(...)',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )


def _alone(binding: Binding[AnyCollection], pattern: Pattern) -> str:
    """The list of models whose elements a pattern selects or changes, if it uses no other field; else empty."""
    selecting = [
        *pattern.eq,
        *pattern.one_of,
        *(condition.field for condition in pattern.where),
        pattern.range,
        pattern.prefix,
    ]
    names = [*pattern.fields, *pattern.sets, *pattern.unset, pattern.field, pattern.pushes]
    touched = [name for name in names if name]
    for attribute in binding.entity.attributes:
        if isinstance(attribute.type, Many) and isinstance(attribute.type.element, Struct):
            inside = f"{attribute.name}."
            is_chosen = any(name is not None and name.startswith(inside) for name in selecting)
            is_changed = any(name.startswith(inside) for name in (*pattern.sets, *pattern.unset, pattern.field or ""))
            if (is_chosen or is_changed) and touched and all(f"{name}.".startswith(inside) for name in touched):
                return attribute.name
    return ""
