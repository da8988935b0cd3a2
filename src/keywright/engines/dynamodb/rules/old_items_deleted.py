"""DDB042: old items are deleted by requests, although a time to live would remove them for nothing."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.cost.call import cost
from keywright.engines.dynamodb.findings.throughput import usual
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every deletion because of age."""
    for use in uses(context):
        if use.pattern.kind != "delete" or use.pattern.because != "expiry" or use.write is None:
            continue
        units, rate = usual(cost(use.planned).units), use.load.per_second
        each_day = f", {units * rate * 86_400:,.0f} a day" if rate else ""
        yield FindingDraft(
            problem=f'it deletes items of "{use.entity.binding.name}" because they are old: each call takes '
            f"{counted(units, 'write unit', spec=',.0f')}{each_day}, and expiry takes none",
            help="annotate a datetime with kw.Ttl(), or kw.Ttl(after=timedelta(...)), and remove the deletion",
            subject=use.name,
            at=use.pattern.at,
        )
