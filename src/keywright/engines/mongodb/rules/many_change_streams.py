"""MDB063: many consumers open a change stream each on one collection."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext, *, max_consumers: int = 4) -> Iterator[FindingDraft]:
    """Report every collection with more consumers.

    max_consumers: change streams that a collection may have.
    """
    for binding in context.bindings("mongodb"):
        stream = getattr(binding.spec, "stream", None)
        if stream is not None and len(stream.consumers) > max_consumers:
            yield FindingDraft(
                problem=f"{len(stream.consumers)} consumers open a change stream each, "
                f"{counted(max_consumers, 'is recommended', 'are recommended')}: each stream reads the whole log of "
                "the server",
                help="let one consumer publish the changes to a topic or queue, and subscribe the others to it",
                subject=binding.name,
            )
