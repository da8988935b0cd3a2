"""DDB043: a read with a very high rate is strongly consistent, and pays twice."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.access.path import AccessPath
from keywright.engines.dynamodb.access.cost.call import cost
from keywright.engines.dynamodb.findings.throughput import Units, monthly_price, usual
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import span
from keywright.ir.text import counted

_DECIDING = "money", "stock"


def models(
    context: RuleContext, *, units: float = 1_000.0, cached_units: float = 100.0, deciding: tuple[str, ...] = _DECIDING
) -> Iterator[FindingDraft]:
    """Strong reads of entities on which nothing is decided.

    units: read units a second that an eventual read would save. cached_units: the same for a result that callers keep.
    deciding: kinds of entities whose reads must be strong.
    """
    for use in uses(context):
        path, rate, kind = use.planned.path, use.load.per_second, use.entity.binding.spec.kind
        if use.pattern.kind not in ("get", "read") or kind in deciding or use.pattern.reads_back or rate is None:
            continue
        if not isinstance(path, AccessPath) or path.consistency != "strong":
            continue
        saved = rate * usual(cost(use.planned).units) / 2
        kept = use.pattern.cache_ttl_seconds or 0
        if kept and saved >= cached_units:
            yield FindingDraft(
                problem=f"it reads with strong consistency, which takes {counted(saved, 'read unit', spec=',.0f')} a "
                f"second more, and its callers keep the result for {span(timedelta(seconds=kept))}",
                help='set consistency="eventual": the result is older than that anyway when it is used',
                subject=use.name,
                at=use.pattern.at,
            )
        elif saved >= units and not kept:
            dollars = monthly_price(Units(saved, 0), is_provisioned=False)
            yield FindingDraft(
                problem=f"it reads {counted(rate, 'time', spec=',.0f')} a second with strong consistency, which takes "
                f"{counted(2 * saved, 'read unit', spec=',.0f')} instead of {saved:,.0f}: about ${dollars:,.0f} a "
                "month on demand",
                help='set consistency="eventual" if a second-old value is enough, or name the writes in reads_back=',
                subject=use.name,
                at=use.pattern.at,
            )
