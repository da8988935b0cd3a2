"""RED065: the only copy of money is on a server that may lose the last second of writes."""

from collections.abc import Iterator

from keywright.engines.findings.amounts import is_amount
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls

from ..findings.copies import is_copy
from ..findings.servers import entities


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money",)) -> Iterator[FindingDraft]:
    """Report every such entity that no other store contains, and, as a warning, those whose amounts are incremented.

    kinds: kinds of entities of which no write may be lost.
    """
    elsewhere = {binding.entity.name for binding in context.design.bindings if binding.engine != "redis"}
    for server, binding, layout in entities(context):
        is_alone = binding.entity.name not in elsewhere and layout.kind != "cache"
        is_declared = binding.spec.kind in kinds
        has_amount = layout.kind in ("string", "hash", "json", "counter") and any(
            is_amount(binding, plan.pattern.field or "") for plan, _ in calls(context, binding, "increment")
        )
        if (is_declared or (has_amount and not is_copy(binding))) and is_alone and server.loss_at_crash:
            yield FindingDraft(
                problem=f'server "{server.name}" has the only copy of it, and {server.loss_at_crash}: payments that '
                "users have seen may disappear",
                help="store it in a database, or on MemoryDB, which confirm a write when it is durable",
                subject=binding.name,
                severity=None if is_declared else "warning",
            )
