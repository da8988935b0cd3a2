"""GEN009: an access pattern must read the caller's own write, but its read is eventually consistent."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.errors import quoted

_BEHIND = ("gsi", "view")
"""Kinds of index that have a change later than their table."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every pattern that reads back a write with an eventually consistent read."""
    for plan in context.plans:
        pattern = plan.pattern
        if pattern.reads_back and isinstance(plan.path, AccessPath) and plan.path.consistency == "eventual":
            index = plan.path.by.name if plan.path.by.kind in _BEHIND else ""
            yield FindingDraft(
                problem=f"it reads back {quoted(pattern.reads_back)} by index "
                f'"{index}", which follows a moment later whatever consistency= says'
                if index
                else f"it reads back {quoted(pattern.reads_back)} by an eventual read, which may not see it yet",
                help="read it by the key of the table; or drop reads_back=, and show the caller what the write returned"
                if index
                else 'set consistency="session", or "strong" if other callers must see the write too',
                subject=pattern.name,
                at=pattern.at,
                fix=None if index else Fix((SetArgument("consistency", '"session"'),)),
            )
