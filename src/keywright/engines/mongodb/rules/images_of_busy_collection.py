"""MDB061: images before each change are stored for a collection with many bytes of writes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second

from ..schema.lower import wants_images


def models(context: RuleContext, *, max_mb_per_second: float = 0.5) -> Iterator[FindingDraft]:
    """Report every such collection.

    max_mb_per_second: most megabytes of images that are stored a second.
    """
    for binding in context.bindings("mongodb"):
        stream = getattr(binding.spec, "stream", None)
        facts = context.storage_facts(binding)
        changes = items_per_second(context, binding, "put", "update", "increment", "delete")
        if stream is None or not wants_images(stream) or not changes or not facts or not facts.usual:
            continue
        rate = changes * facts.usual / 1e6
        if rate > max_mb_per_second:
            yield FindingDraft(
                problem=f'images="{stream.images}" stores the document before each change: {rate:,.1f} MB a second, '
                f"{rate * 86.4:,.0f} GB a day until they expire with the log",
                help='set images="keys", and let a consumer that needs the document read it after the change',
                subject=binding.name,
            )
