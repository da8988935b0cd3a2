"""DDB018: an entity whose access patterns are not yet final shares a table with others."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Entities that are moving from another database into a shared table."""
    for binding in context.bindings("dynamodb"):
        cut_over = binding.spec.cut_over
        others = [other.name for other in context.design.bindings_in(binding.physical) if other is not binding]
        if cut_over is not None and others:
            yield FindingDraft(
                problem=f'it is being moved from {cut_over.source}, and shares table "{binding.physical.name}" with '
                f"{', '.join(others)}: a pattern that turns up late changes keys for all",
                help="give it a table of its own until its patterns are known",
                subject=binding.name,
            )
