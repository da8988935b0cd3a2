"""CAS027: speculative retry is off for a table with a strict latency target."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.text import exact

from ..findings.tables import entities


def models(context: RuleContext, *, p99_ms: float = 100) -> Iterator[FindingDraft]:
    """Every table without it that a pattern reads with such a target.

    p99_ms: milliseconds up to which a latency target is strict.
    """
    for _, binding, layout in entities(context):
        if layout.options.get("speculative_retry") != "NEVER":
            continue
        targets = [
            (plan.pattern.load.p99_ms, plan.pattern.name)
            for plan, _ in calls(context, binding, "get", "read")
            if plan.pattern.load.p99_ms is not None and plan.pattern.load.p99_ms <= p99_ms
        ]
        if targets:
            limit, name = min(targets)
            yield FindingDraft(
                problem=f'speculative_retry is NEVER, and "{name}" must finish in {exact(limit)} ms: one slow replica '
                "delays every read that asks it",
                help='remove speculative_retry from settings= for the default, "99p"',
                subject=binding.name,
            )
