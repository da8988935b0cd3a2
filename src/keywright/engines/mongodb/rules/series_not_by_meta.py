"""MDB036: a frequent read of a time series does not select by its meta field.

https://www.mongodb.com/docs/manual/core/timeseries/timeseries-best-practices/ (2026-11-23) contains no number; the
defaults are ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import READS, reads
from keywright.engines.mongodb.declare.options import TimeSeries
from keywright.engines.mongodb.findings.series import is_bucket_wasted, selects, series, sources
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, max_sources: float = 1_000, min_rate: float = 1) -> Iterator[FindingDraft]:
    """Every such read without `unserved=`; MDB029 reports meta fields that are no source.

    max_sources: sources per second whose buckets a read may open. min_rate: calls per second of a frequent read, if the
    number of sources is unknown.
    """
    yield from _without_meta(context, min_rate)
    patterns = reads(context.design)
    for binding, kind in series(context):
        count = sources(context, kind)
        if kind is not None and is_bucket_wasted(binding, kind, patterns[binding.name]):
            continue
        for plan in context.plans_of(binding):
            pattern, rate = plan.pattern, plan.pattern.load.per_second
            if pattern.kind not in READS or pattern.unserved or rate is None or selects(pattern, binding.spec.meta):
                continue
            if rate >= min_rate if count is None else rate * count > max_sources:
                places = counted(count, "source", spec=",") if count is not None else "every source"
                yield FindingDraft(
                    problem=f'it does not select by meta field "{binding.spec.meta}", so that each of its '
                    f"{counted(rate, 'call', spec=figure)} a second opens the buckets of {places}",
                    help=f'add eq="{binding.spec.meta}", make the field that it compares the meta field, or read '
                    "totals that a job writes to a collection of their own",
                    subject=pattern.name,
                    at=pattern.at,
                )


def _without_meta(context: RuleContext, min_rate: float) -> Iterator[FindingDraft]:
    """Frequent reads by single values of a field, of a time series whose buckets contain all values together."""
    for binding in context.bindings("mongodb"):
        if not isinstance(binding.spec, TimeSeries) or binding.spec.meta is not None:
            continue
        for pattern in (plan.pattern for plan in context.plans_of(binding)):
            source = next((name for name in (*pattern.eq, *pattern.one_of)), None)
            rate = pattern.load.per_second
            if source and pattern.kind in READS and not pattern.unserved and rate is not None and rate >= min_rate:
                yield FindingDraft(
                    problem=f'it selects by "{source}", and the time series has no meta field, so that each of its '
                    f"{counted(rate, 'call', spec=figure)} a second opens every bucket in its time",
                    help=f'set meta="{source}" in a new generation of the collection, whose buckets contain the '
                    "measurements of one source each",
                    subject=pattern.name,
                    at=pattern.at,
                )
