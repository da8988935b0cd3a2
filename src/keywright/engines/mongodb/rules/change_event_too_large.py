"""MDB062: an event of a change stream may exceed the size limit of a document."""

from collections.abc import Iterator

from keywright.engines.contract.storage_facts import StorageFacts
from keywright.engines.findings.context import FindingDraft, RuleContext

from ..schema.capabilities import DOCUMENT_BYTES

_IMAGES = {"new_and_old": 2, "new": 1, "old": 1}
"""Documents in a change, by `images`."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every stream whose images of a document are larger together than an event may be."""
    for binding in context.bindings("mongodb"):
        stream = getattr(binding.spec, "stream", None)
        facts = context.storage_facts(binding)
        images = _IMAGES.get(stream.images, 0) if stream is not None else 0
        size = _largest(facts) if facts else 0
        if images * size > DOCUMENT_BYTES.value:
            yield FindingDraft(
                problem=f"a change carries {images} images of up to {size / 2**20:,.1f} MiB, and an event may have "
                f"{DOCUMENT_BYTES.value // 2**20} MiB: the stream fails at the first larger one",
                help='set images="keys", and read the document after the change; store large contents elsewhere',
                subject=binding.name,
            )


def _largest(facts: StorageFacts) -> float:
    """Bytes of the largest document, of its fields with a declared bound if others have none."""
    return facts.item.high or sum(size.high or size.low for size in facts.fields.values())
