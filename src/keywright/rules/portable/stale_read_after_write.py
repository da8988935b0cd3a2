"""GEN009: an access pattern must read the caller's own write, but its read is eventually consistent."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.errors import quoted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every pattern that reads back a write with an eventually consistent read."""
    for plan in context.plans:
        pattern = plan.pattern
        if pattern.reads_back and isinstance(plan.path, AccessPath) and plan.path.consistency == "eventual":
            yield FindingDraft(
                problem=f"it reads back {quoted(pattern.reads_back)} by an eventual read, which may not see it yet",
                help='set consistency="session", or "strong" if other callers must see the write too',
                subject=pattern.name,
                at=pattern.at,
                fix=Fix((SetArgument("consistency", '"session"'),)),
            )
