"""Flaws of MongoDB."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.ir.attribute import Many, Struct

EMBEDDED_MOST = 100
"""Embedded documents that an array had better not exceed: https://www.mongodb.com/docs/manual/data-modeling/
design-antipatterns/unbounded-arrays/, 2026-11-22, names no number; this one is ours."""


def unbounded_arrays(whole: Whole) -> Iterator[Flaw]:
    """MDB001: an embedded list may grow without bound, up to the 16 MiB of a document."""
    for binding in whole.bindings("mongodb"):
        for path, attribute in fields(binding.entity.attributes):
            if isinstance(attribute.type, Many) and attribute.type.max_items is None:
                yield Flaw(
                    problem=f'"{path}" has no bound, and a document has at most 16 MiB',
                    help="say it by Field(max_length=...); what may grow further is a collection of its own",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def long_arrays(whole: Whole) -> Iterator[Flaw]:
    """MDB002: an array of embedded documents is longer than what is read with them at once; pages of overflow are meant
    to be long.
    """
    attributes = [one for entity in whole.design.entities for _, one in fields(entity.attributes)]
    pages = {one.overflow.entity for one in attributes if one.overflow is not None}
    for binding in whole.bindings("mongodb"):
        if binding.entity.name in pages:
            continue
        for path, attribute in fields(binding.entity.attributes):
            many = attribute.type
            if not isinstance(many, Many) or not isinstance(many.element, Struct) or attribute.overflow is not None:
                continue
            if many.max_items is not None and many.max_items > EMBEDDED_MOST:
                yield Flaw(
                    problem=f'"{path}" may hold {many.max_items} documents, {EMBEDDED_MOST} are a good bound',
                    help="keep the first of them here, the others in Overflow(...) or a collection of their own",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
