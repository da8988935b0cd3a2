"""MDB039: a time series never expires, whatever its kind.

https://www.mongodb.com/docs/manual/core/timeseries/timeseries-automatic-removal/ (2026-11-23)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.engines.mongodb.findings.series import series
from keywright.ir.text import counted

_OF_GEN008 = ("session", "cache", "event", "reading", "token")
_DAY = 86_400


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every time series without `ttl=` and `keep_forever=`; GEN008 reports those of a temporary kind."""
    for binding, _ in series(context):
        spec = binding.spec
        if spec.ttl is not None or spec.keep_forever or spec.kind in _OF_GEN008:
            continue
        rate = items_per_second(context, binding, "put")
        count = f" and adds {counted(rate * _DAY, 'measurement', spec=',.0f')} a day" if rate else ""
        yield FindingDraft(
            problem=f"it is a time series without an expiry{count}: storage grows with every source and second",
            help='set ttl=timedelta(...), or give the reason by keep_forever="..."',
            subject=binding.name,
        )
