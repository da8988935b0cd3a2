"""MDB016: a list has neither a bound nor an overflow, or overflows into documents that are too long.

https://www.mongodb.com/docs/manual/data-modeling/design-patterns/group-data/outlier-pattern/ (2026-11-22); the
number is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.ir.attribute import Many, Struct
from keywright.ir.entity import Entity
from keywright.ir.text import counted


def models(context: RuleContext, *, overflow_chunk: int = 1_000) -> Iterator[FindingDraft]:
    """Every list of models without a bound and an overflow, and every overflow with too many elements in a document.

    overflow_chunk: elements that a document of an overflow may contain.
    """
    entities = {entity.name: entity for entity in context.design.entities}
    pages = {
        item.overflow.entity for entity in entities.values() for _, item in fields(entity.attributes) if item.overflow
    }
    for binding in context.bindings("mongodb"):
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
                count = "no bound" if chunk.max_items is None else counted(chunk.max_items, "element")
                problem = (
                    f'what "{path}" cannot hold goes to documents with {count}, '
                    f"{counted(overflow_chunk, 'is recommended', 'are recommended')}"
                )
            if problem:
                yield FindingDraft(
                    problem=problem,
                    help="bound it, and say Overflow(...) into documents that are bounded too, each with a number",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def _chunk(entity: Entity | None, element: Struct) -> Many | None:
    """The list of an overflow's entity that contains the elements."""
    lists = [attribute.type for attribute in entity.attributes if isinstance(attribute.type, Many)] if entity else []
    return next(
        (many for many in lists if isinstance(many.element, Struct) and many.element.name == element.name), None
    )
