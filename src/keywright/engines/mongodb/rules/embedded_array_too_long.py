"""MDB002: an array of embedded documents is longer than what is read with them at once.

https://www.mongodb.com/docs/manual/data-modeling/design-antipatterns/unbounded-arrays/ (2026-11-22) names no
number; the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.engines.flaws.observation import Seen
from keywright.engines.mongodb.fields import store_of
from keywright.ir.attribute import Many, Struct


def models(whole: Whole, *, embed_max: int = 100) -> Iterator[Flaw]:
    """Every such array; pages of overflow are meant to be long, and so are buckets of measurements.

    embed_max: embedded documents that an array may hold.
    """
    attributes = [one for entity in whole.design.entities for _, one in fields(entity.attributes)]
    pages = {one.overflow.entity for one in attributes if one.overflow is not None}
    for binding in whole.bindings("mongodb"):
        if binding.entity.name in pages or store_of(binding).kind == "reading":
            continue
        for path, attribute in fields(binding.entity.attributes):
            many = attribute.type
            if not isinstance(many, Many) or not isinstance(many.element, Struct) or attribute.overflow is not None:
                continue
            if many.max_items is not None and many.max_items > embed_max:
                yield Flaw(
                    problem=f'"{path}" may hold {many.max_items} documents, {embed_max} are a good bound',
                    help="keep the first of them here, the others in Overflow(...) or a collection of their own",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def live(seen: Seen, *, embed_max: int = 100) -> Iterator[Flaw]:
    """Every such array that is longer in some sampled document, whatever its bound."""
    told = {flaw.subject for flaw in models(seen.whole, embed_max=embed_max)}
    attributes = [one for entity in seen.whole.design.entities for _, one in fields(entity.attributes)]
    pages = {one.overflow.entity for one in attributes if one.overflow is not None}
    for binding, items in seen.items():
        if binding.name in told or binding.entity.name in pages or store_of(binding).kind == "reading":
            continue
        for path, attribute in fields(binding.entity.attributes):
            is_embedded = isinstance(attribute.type, Many) and isinstance(attribute.type.element, Struct)
            longest = max(items.lists.get(path, ()), default=0)
            if is_embedded and longest > embed_max:
                yield Flaw(
                    problem=f'"{path}" holds up to {longest:,} documents {items.sample}, {embed_max} are a good bound',
                    help="keep the first of them here, the others in Overflow(...) or a collection of their own",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
