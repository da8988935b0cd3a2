"""MDB038: thousands of measurements a second are inserted one by one.

https://www.mongodb.com/docs/manual/core/timeseries/timeseries-best-practices/ (2026-11-23) contains no number; the
default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.findings.series import series
from keywright.ir.text import counted


def models(context: RuleContext, *, max_rate: float = 1_000, few: int = 4) -> Iterator[FindingDraft]:
    """Every put into a time series with a higher rate and one measurement in each call, or a few.

    max_rate: such inserts per second. few: measurements up to which a call has few.
    """
    for binding, _ in series(context):
        for plan in context.plans_of(binding):
            pattern, rate = plan.pattern, plan.pattern.load.per_second
            if pattern.kind == "put" and pattern.batch <= few and rate is not None and rate > max_rate:
                measured = rate * pattern.batch
                singly = "one by one" if pattern.batch == 1 else f"{pattern.batch} at a time"
                yield FindingDraft(
                    problem=f"it inserts {counted(measured, 'measurement', spec=',.0f')} a second {singly}, "
                    f"{counted(max_rate, 'is recommended', 'are recommended', spec=',.0f')}: each costs a round trip "
                    "and a change of a bucket",
                    help="collect measurements of one source and insert them together: batch=100 with a lower rate=",
                    subject=pattern.name,
                    at=pattern.at,
                )
