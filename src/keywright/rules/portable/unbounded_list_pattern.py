"""GEN021: a read of several items has no limit on their number."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument


def models(context: RuleContext, *, page_limit: bool = True) -> Iterator[FindingDraft]:
    """Report every such read.

    page_limit: whether reads must have a limit.
    """
    for pattern in context.design.patterns:
        if (
            page_limit
            and pattern.kind in ("read", "read_together")
            and pattern.limit is None
            and pattern.unserved is None
        ):
            yield FindingDraft(
                problem="it has no limit, so that it reads every matching item",
                help="add limit=, such as limit=100; each page contains a cursor for the next page",
                subject=pattern.name,
                at=pattern.at,
                fix=Fix((SetArgument("limit", "100"),)),
            )
