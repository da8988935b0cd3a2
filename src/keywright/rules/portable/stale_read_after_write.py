"""GEN009: an access pattern must read the caller's own write, but its read is eventually consistent."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.errors import quoted
from keywright.ir.pattern import Pattern


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every pattern that reads back a write with an eventually consistent read."""
    for plan in context.plans:
        pattern = plan.pattern
        if pattern.reads_back and isinstance(plan.path, AccessPath) and plan.path.consistency == "eventual":
            yield _finding(pattern, plan.path)


def _finding(pattern: Pattern, path: AccessPath) -> FindingDraft:
    """The finding; a global index has no other consistency."""
    writes = quoted(pattern.reads_back)
    if path.by.kind == "gsi":
        return FindingDraft(
            problem=f'it reads back {writes} through index "{path.by.name}", which lags behind its table at any '
            "consistency: the new item is missing or old",
            help="read it by the key of the table; or let callers keep what they wrote, and remove reads_back=",
            subject=pattern.name,
            at=pattern.at,
        )
    return FindingDraft(
        problem=f"it reads back {writes} by an eventual read, which may not see it yet",
        help='set consistency="session", or "strong" if other callers must see the write too',
        subject=pattern.name,
        at=pattern.at,
        fix=Fix((SetArgument("consistency", '"session"'),)),
    )
