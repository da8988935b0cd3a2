"""MDB036: a frequent read of a time series does not select by its meta field.

https://www.mongodb.com/docs/manual/core/timeseries/timeseries-best-practices/ (2026-11-23) contains no number; the
defaults are ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import READS, reads
from keywright.engines.mongodb.findings.series import is_bucket_wasted, selects, series
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, min_rate: float = 1, few_sources: int = 10) -> Iterator[FindingDraft]:
    """Every such read without `unserved=`; MDB029 reports meta fields that are no source.

    min_rate: calls per second of a frequent read. few_sources: values of the meta field whose buckets may all be read.
    """
    patterns = reads(context.design)
    for binding, kind in series(context):
        sources = kind.facts.distinct if kind else None
        if (sources is not None and sources <= few_sources) or (
            kind is not None and is_bucket_wasted(binding, kind, patterns[binding.name])
        ):
            continue
        for plan in context.plans_of(binding):
            pattern, rate = plan.pattern, plan.pattern.load.per_second
            if pattern.kind not in READS or pattern.unserved or rate is None or rate < min_rate:
                continue
            if not selects(pattern, binding.spec.meta):
                count = counted(sources, "source", spec=",") if sources is not None else "every source"
                yield FindingDraft(
                    problem=f'it does not select by meta field "{binding.spec.meta}", so that each of its '
                    f"{counted(rate, 'call', spec=figure)} a second opens the buckets of {count}",
                    help=f'add eq="{binding.spec.meta}", make the field that it compares the meta field, or read '
                    "totals that a job writes to a collection of their own",
                    subject=pattern.name,
                    at=pattern.at,
                )
