"""MDB004: the keys of many others stand in a list of the one that they belong to.

https://www.mongodb.com/docs/manual/tutorial/model-referenced-one-to-many-relationships-between-documents/ (2026-11-22)
names no number; the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.ir.attribute import Many, Reference, Scalar


def models(whole: Whole, *, id_array_max: int = 100) -> Iterator[Flaw]:
    """Every list of keys that is longer, or has no bound.

    id_array_max: keys that a list may hold.
    """
    for binding in whole.bindings("mongodb"):
        for path, attribute in fields(binding.entity.attributes):
            many = attribute.type
            reference = _reference(many) if isinstance(many, Many) else None
            if reference is None or not isinstance(many, Many):
                continue
            if many.max_items is None or many.max_items > id_array_max:
                count = "any number of keys" if many.max_items is None else f"{many.max_items} keys"
                yield Flaw(
                    problem=f'"{path}" may hold {count} of {reference.entity}, {id_array_max} are a good bound',
                    help=f"refer the other way: a field of {reference.entity} with Ref({binding.entity.name}, ...), "
                    "and an index on it",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def _reference(many: Many) -> Reference | None:
    """What the elements are keys of."""
    element = many.element
    return element.facts.reference if isinstance(element, Scalar) else None
