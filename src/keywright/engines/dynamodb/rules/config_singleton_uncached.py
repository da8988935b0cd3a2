"""DDB019: a single item that all callers need is read on every call, without a cache."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import GetItem
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.text import counted


def models(context: RuleContext, *, rps: float = 300.0) -> Iterator[FindingDraft]:
    """Uncached reads of an entity whose key has no fields.

    rps: reads a second from which callers should cache the item.
    """
    for use in uses(context):
        rate = use.per_second
        if not isinstance(use.call, GetItem) or use.entity.key_fields or use.pattern.cache_ttl_seconds or rate is None:
            continue
        if rate > rps and use.entity.shape.copies == 1 and use.pattern.consistency == "eventual":
            yield FindingDraft(
                problem=f"it reads the same item {counted(rate, 'time', spec=',.0f')} a second, and no caller "
                "keeps the answer",
                help="say how long a caller may keep it, such as cache_ttl=timedelta(minutes=1)",
                subject=use.name,
                at=use.pattern.at,
                fix=Fix((SetArgument("cache_ttl", "timedelta(minutes=1)"),)),
            )
