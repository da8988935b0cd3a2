"""DDB020: one item is read so often that it needs a cache or copies.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DAX.html (2026-11-22): DAX needs its own client, and
passes strong reads on.
"""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.access.calls import GetItem
from keywright.engines.dynamodb.findings.hot_keys import hot_keys
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext, *, rps: float = 3000.0) -> Iterator[FindingDraft]:
    """Patterns that read one item too often; a pattern with read copies is checked by its units (DDB006).

    rps: reads of one item a second above which a pattern is reported.
    """
    for use in uses(context):
        if not isinstance(use.call, GetItem) or use.entity.shape.copies > 1:
            continue
        for hot_key in hot_keys(use):
            if hot_key.calls > rps:
                copies = max(2, ceil(hot_key.units / hot_key.most))
                yield FindingDraft(
                    problem=f"it reads one item {counted(hot_key.calls, 'time', spec=',.0f')} a second, more than "
                    f"{rps:,.0f}",
                    help="put a cache of 1 to 5 seconds before it (a RedisCache, DAX, or cache_ttl=), or "
                    f"read_copies={copies} on {use.entity.binding.name}",
                    subject=use.name,
                    at=use.pattern.at,
                )
