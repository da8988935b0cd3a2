"""MDB002: an array of embedded documents may become longer than its readers need.

https://www.mongodb.com/docs/manual/data-modeling/design-antipatterns/unbounded-arrays/ (2026-11-22) contains no
number; the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.findings.sizes import half_of_bound
from keywright.ir.attribute import Many, Struct
from keywright.ir.binding import Binding
from keywright.ir.text import counted


def models(
    context: RuleContext, *, embed_max: int = 100, big_bytes: int = 65_536, most_bytes: int = 1_048_576
) -> Iterator[FindingDraft]:
    """Every longer array that is large, too.

    Overflow documents and buckets of measurements are long on purpose.
    embed_max: embedded documents that an array may contain. big_bytes: bytes of an array that is written again.
    most_bytes: bytes of an array that is written once.
    """
    attributes = [attribute for entity in context.design.entities for _, attribute in fields(entity.attributes)]
    pages = {item.overflow.entity for item in attributes if item.overflow is not None}
    for binding in context.bindings("mongodb"):
        if binding.entity.name in pages or binding.spec.kind == "reading":
            continue
        for path, attribute in fields(binding.entity.attributes):
            many = attribute.type
            if not isinstance(many, Many) or not isinstance(many.element, Struct) or attribute.overflow is not None:
                continue
            if many.max_items is None or many.max_items <= embed_max:
                continue
            size = half_of_bound(many.element) * many.max_items
            if size > (most_bytes if _is_written_once(context, binding) else big_bytes):
                yield FindingDraft(
                    problem=f'"{path}" may hold {counted(many.max_items, "document")}, '
                    f"{counted(embed_max, 'is recommended', 'are recommended')}",
                    help="keep the first of them here, the others in Overflow(...) or a collection of their own",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def _is_written_once(context: RuleContext, binding: Binding[AnyCollection]) -> bool:
    """Whether documents are only created."""
    puts = [part.pattern.if_absent for part, _ in calls(context, binding, "put")]
    return bool(puts) and all(puts)


def live(live_target: LiveTarget, *, embed_max: int = 100) -> Iterator[FindingDraft]:
    """Every array that is longer in some sampled document, whatever its declared bound."""
    subjects = {finding.subject for finding in models(live_target.context, embed_max=embed_max)}
    attributes = [item for entity in live_target.context.design.entities for _, item in fields(entity.attributes)]
    pages = {item.overflow.entity for item in attributes if item.overflow is not None}
    for binding, items in live_target.items():
        if binding.name in subjects or binding.entity.name in pages or binding.spec.kind == "reading":
            continue
        for path, attribute in fields(binding.entity.attributes):
            is_embedded = isinstance(attribute.type, Many) and isinstance(attribute.type.element, Struct)
            longest = max(items.lists.get(path, ()), default=0)
            if is_embedded and longest > embed_max:
                yield FindingDraft(
                    problem=f'"{path}" holds up to {counted(longest, "document", spec=",")} {items.sample}, '
                    f"{counted(embed_max, 'is recommended', 'are recommended')}",
                    help="keep the first of them here, the others in Overflow(...) or a collection of their own",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
