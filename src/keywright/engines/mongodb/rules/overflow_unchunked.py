"""MDB016: what does not fit into a document goes nowhere, or into one document without end.

https://www.mongodb.com/docs/manual/data-modeling/design-patterns/group-data/outlier-pattern/ (2026-11-22); the
number is ours.
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.ir.attribute import Many, Struct
from keywright.ir.entity import Entity


def models(whole: Whole, *, overflow_chunk: int = 1_000) -> Iterator[Flaw]:
    """Every list of models without a bound and without an overflow, and every overflow with too much in a document.

    overflow_chunk: elements that a document of an overflow may hold.
    """
    entities = {one.name: one for one in whole.design.entities}
    pages = {one.overflow.entity for each in entities.values() for _, one in fields(each.attributes) if one.overflow}
    for binding in whole.bindings("mongodb"):
        for path, attribute in fields(binding.entity.attributes):
            if not isinstance(attribute.type, Many) or not isinstance(attribute.type.element, Struct):
                continue
            chunk = attribute.overflow and _chunk(entities.get(attribute.overflow.entity), attribute.type.element)
            problem = ""
            if attribute.overflow is None and attribute.type.max_items is None and binding.entity.name not in pages:
                problem = (
                    f'a few documents will have far more in "{path}" than others, and nothing takes what is too much'
                )
            elif chunk and (chunk.max_items is None or chunk.max_items > overflow_chunk):
                count = "no bound" if chunk.max_items is None else f"{chunk.max_items} elements"
                problem = f'what "{path}" cannot hold goes to documents with {count}, {overflow_chunk} are a good bound'
            if problem:
                yield Flaw(
                    problem=problem,
                    help="bound it, and say Overflow(...) into documents that are bounded too, each with a number",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def _chunk(entity: Entity | None, element: Struct) -> Many | None:
    """The list in an overflow's entity that takes the elements."""
    lists = [one.type for one in entity.attributes if isinstance(one.type, Many)] if entity else []
    return next((one for one in lists if isinstance(one.element, Struct) and one.element.name == element.name), None)
