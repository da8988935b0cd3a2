"""RED040: one read returns so many members that no other command runs meanwhile."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted

from ..access.wire import item_bytes
from ..findings.servers import entities


def models(context: RuleContext, *, max_limit: int = 5_000) -> Iterator[FindingDraft]:
    """Reads with a higher limit.

    max_limit: items of one page.
    """
    for _, binding, layout in entities(context):
        for plan, _ in calls(context, binding, "read", "rank_around", "take"):
            pattern = plan.pattern
            if pattern.limit is None or pattern.limit <= max_limit:
                continue
            size = item_bytes(layout)
            answer = (size.low if size.expected is None else size.expected) * pattern.limit / 2**20
            yield FindingDraft(
                problem=f"one call returns up to "
                f"{counted(pattern.limit, 'item', spec=',')}, about {answer:,.1f} MiB, "
                f"{counted(max_limit, 'is allowed', 'are allowed', spec=',')}: the only thread runs nothing "
                "else meanwhile",
                help="set a lower limit=, such as limit=500; each page contains a cursor for the next page",
                subject=pattern.name,
                at=pattern.at,
                fix=Fix((SetArgument("limit", "500"),)),
            )
