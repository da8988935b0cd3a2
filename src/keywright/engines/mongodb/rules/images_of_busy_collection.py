"""MDB061: images before each change are stored for a collection with many bytes of writes."""

from collections.abc import Iterator

from keywright.engines.contract.storage_facts import StorageFacts
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding

from ..declare.options import AnyCollection
from ..findings.sizes import half_of_bound
from ..schema.lower import wants_images


def models(context: RuleContext, *, max_mb_per_second: float = 0.5) -> Iterator[FindingDraft]:
    """Report every such collection.

    max_mb_per_second: most megabytes of images that are stored a second.
    """
    for binding in context.bindings("mongodb"):
        stream = getattr(binding.spec, "stream", None)
        facts = context.storage_facts(binding)
        if stream is None or not wants_images(stream) or not facts:
            continue
        rate = _changes(context, binding) * _usual(binding, facts) / 1e6
        if rate > max_mb_per_second:
            yield FindingDraft(
                problem=f'images="{stream.images}" stores the document before each change: {rate:,.1f} MB a second, '
                f"{rate * 86.4:,.0f} GB a day until they expire with the log",
                help='set images="keys", and let a consumer that needs the document read it after the change',
                subject=binding.name,
            )


def _changes(context: RuleContext, binding: Binding[AnyCollection]) -> float:
    """Changes per second of documents that exist: an insert has no image before it."""
    return sum(
        (rate or 0) * max(1, part.pattern.batch)
        for part, rate in calls(context, binding, "put", "update", "increment", "delete")
        if not part.pattern.if_absent
    )


def _usual(binding: Binding[AnyCollection], facts: StorageFacts) -> float:
    """Bytes of a typical document; half of its bounds for fields of unknown size."""
    if facts.item.expected is not None:
        return facts.item.expected
    sizes = ((facts.fields.get(attribute.name), attribute.type) for attribute in binding.entity.attributes)
    return sum(half_of_bound(kind) if size is None or size.expected is None else size.expected for size, kind in sizes)
