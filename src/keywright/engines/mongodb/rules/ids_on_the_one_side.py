"""MDB004: a document lists the keys of the many documents that belong to it.

https://www.mongodb.com/docs/manual/tutorial/model-referenced-one-to-many-relationships-between-documents/ (2026-11-22)
contains no number; the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.expiry import is_expiring
from keywright.engines.findings.rates import calls
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.findings.references import referred_by_name
from keywright.ir.attribute import Many, Reference, Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted


def models(context: RuleContext, *, id_array_max: int = 200) -> Iterator[FindingDraft]:
    """Every list of keys that may be longer or has no bound.

    id_array_max: keys that a list may contain.
    """
    for binding in context.bindings("mongodb"):
        for path, attribute in fields(binding.entity.attributes):
            many = attribute.type
            if not isinstance(many, Many) or (is_expiring(binding) and not _is_changed(context, binding, path)):
                continue
            reference = _reference(many)
            other = reference.entity if reference else referred_by_name(context, binding, path)
            if not other:
                continue
            if many.max_items is None or many.max_items > id_array_max:
                count = "any number of keys" if many.max_items is None else counted(many.max_items, "key")
                yield FindingDraft(
                    problem=f'"{path}" may hold {count} of {other}, '
                    f"{counted(id_array_max, 'is recommended', 'are recommended')}",
                    help=f"refer the other way: a field of {other} with Ref({binding.entity.name}, ...), "
                    "and an index on it",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def _is_changed(context: RuleContext, binding: Binding[AnyCollection], path: str) -> bool:
    """Whether an update adds to a list or sets it; what is written once and expires is a result, not a relation."""
    updates = (part.pattern for part, _ in calls(context, binding, "update"))
    return any(path == pattern.pushes or path in pattern.sets for pattern in updates)


def _reference(many: Many) -> Reference | None:
    """The reference that the elements of a list are."""
    element = many.element
    return element.facts.reference if isinstance(element, Scalar) else None
