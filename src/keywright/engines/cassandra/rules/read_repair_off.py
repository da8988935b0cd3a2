"""CAS022: read repair is off for a table with strong reads, so that a value may be seen once and be gone later."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls

from ..findings.tables import entities


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every table without read repair that some pattern reads with a quorum."""
    for _, binding, layout in entities(context):
        if layout.options.get("read_repair") != "NONE":
            continue
        strong = [
            plan.pattern
            for plan, _ in calls(context, binding, "get", "read", "count")
            if plan.pattern.consistency != "eventual" or plan.pattern.reads_back
        ]
        if strong:
            yield FindingDraft(
                problem=f'read_repair is NONE, and "{strong[0].name}" reads with a quorum: a value that it has '
                "returned once may be missing in its next read",
                help="remove read_repair from settings=; BLOCKING is the default",
                subject=binding.name,
            )
