"""MDB037: the granularity of a time series does not fit the time between measurements of one source.

https://www.mongodb.com/docs/manual/core/timeseries/timeseries-granularity/ (2026-11-23) contains no number; the
defaults are ours.
"""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second
from keywright.engines.mongodb.declare.options import TimeSeries
from keywright.engines.mongodb.findings.series import measurements, selects, series, sources
from keywright.engines.mongodb.schema.capabilities import BUCKET_SPANS
from keywright.ir.attribute import Reference, Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted, figure

_SHORT = ("event", "session", "cache", "token")
"""Kinds of entities that end soon."""
_BATCHES = 4
"""Batches with which a source has sent all that it measures."""
_FROM = {"hours": 3_600, "minutes": 60, "seconds": 0}
"""Seconds between measurements from which a granularity fits, the coarsest first."""


def models(context: RuleContext, *, least: int = 10, most: int = 10_000) -> Iterator[FindingDraft]:
    """Every granularity whose bucket span has fewer or more measurements, if another one fits better.

    least, most: measurements of one source within the longest span of a bucket.
    """
    for binding, kind in series(context):
        count_of_sources, total = sources(context, kind), measurements(context, binding)
        if count_of_sources is not None and total is not None and total < count_of_sources * least:
            continue  # MDB029 reports the meta field
        if _is_short_lived(context, binding, kind, count_of_sources):
            continue  # an average over all days says nothing about a source that measures for minutes
        rates = _per_second(context, binding)
        intervals = [count_of_sources / rate for rate in rates] if count_of_sources else []
        span = BUCKET_SPANS[binding.spec.granularity]["bucketMaxSpanSeconds"]
        sparse, dense = (all(test) for test in _tests(intervals, span, least, most))
        interval = min(intervals, default=0.0)  # as declared: a rate is one of calls
        better = next(name for name, seconds in _FROM.items() if interval >= seconds)
        if intervals and (sparse or dense) and better != binding.spec.granularity:
            yield FindingDraft(
                problem=f"each source delivers a measurement every {_in_words(interval)}, but granularity="
                f'"{binding.spec.granularity}" plans {counted(span / interval, "measurement", spec=figure)} for a '
                f"bucket; {least} to {most:,} are a good number",
                help=f'set granularity="{better}"',
                subject=binding.name,
            )


def _is_short_lived(context: RuleContext, binding: Binding[TimeSeries], kind: Scalar | None, count: int | None) -> bool:
    """Whether a source measures for a short time: it is itself an item that expires or an event, it sends all in a few
    batches, or its reads cover less time than there would be between two measurements."""
    reference = kind.facts.reference if kind else None
    owner = next((owner for owner in context.design.bindings if owner.entity.name == _name(reference)), None)
    if owner is not None and (
        owner.spec.kind in _SHORT or any(item.ttl_after_seconds is not None for item in owner.entity.attributes)
    ):
        return True
    spec, patterns = binding.spec, [plan.pattern for plan in context.plans_of(binding)]
    total = measurements(context, binding)
    if not count or total is None:
        return False
    of_source = total / count
    interval = spec.ttl.total_seconds() / of_source if spec.ttl is not None else 0
    spans = [pattern.span_seconds for pattern in patterns if pattern.span_seconds and selects(pattern, spec.meta)]
    batches = [pattern.batch for pattern in patterns if pattern.kind == "put" and pattern.batch > 1]
    return (bool(spans) and max(spans) < interval) or any(size * _BATCHES >= of_source for size in batches)


def _name(reference: Reference | None) -> str:
    return reference.entity if reference is not None else ""


def _tests(intervals: list[float], span: int, least: int, most: int) -> tuple[list[bool], list[bool]]:
    """Whether buckets are nearly empty, and whether they are too full, for each possible interval."""
    return [span / interval < least for interval in intervals], [span / interval > most for interval in intervals]


def _per_second(context: RuleContext, binding: Binding[TimeSeries]) -> tuple[float, ...]:
    """Measurements per second: by the number that is kept, else by the rate of writes, with and without batches.

    Some declare the rate of calls and others that of measurements: a finding must hold for both.
    """
    spec = binding.spec
    if spec.expected is not None and spec.ttl is not None:
        return (spec.expected / spec.ttl.total_seconds(),)
    items = items_per_second(context, binding, "put")
    single = sum(rate or 0 for _, rate in calls(context, binding, "put"))
    return (items, single) if items and single else ()


def _in_words(seconds: float) -> str:
    return counted(seconds, "second", spec=".2g") if seconds < 60 else str(timedelta(seconds=round(seconds)))
