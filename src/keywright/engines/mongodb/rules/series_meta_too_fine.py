"""MDB029: the meta field of a time series differs in nearly every measurement.

https://www.mongodb.com/docs/manual/core/timeseries/timeseries-considerations/ (2026-11-23) contains no number; the
default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import reads
from keywright.engines.mongodb.declare.options import TimeSeries
from keywright.engines.mongodb.findings.series import is_bucket_wasted, is_of_request, measurements, series, sources
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted


def models(context: RuleContext, *, min_measurements: int = 10) -> Iterator[FindingDraft]:
    """Every time series with fewer measurements for each value, and those whose meta field is a key that no read uses
    or the id of a request.

    min_measurements: measurements that each value of the meta field must have.
    """
    patterns = reads(context.design)
    for binding, kind in series(context):
        values = sources(context, kind)
        count = measurements(context, binding)
        problem = _problem(binding, kind, values, count, patterns[binding.name], min_measurements) if kind else ""
        if problem:
            others = (name for pattern in patterns[binding.name] for name in pattern.eq if name != binding.spec.meta)
            source = next(others, None)
            yield FindingDraft(
                problem=problem,
                help=f'set meta="{source}", by which measurements are read'
                if source
                else "set meta= to the source of the measurements, such as the device, by which they are read",
                subject=binding.name,
                field=binding.spec.meta or "",
            )


def _problem(
    binding: Binding[TimeSeries],
    kind: Scalar,
    values: int | None,
    count: int | None,
    patterns: list[Pattern],
    least: int,
) -> str:
    """The problem of a meta field; empty if there is none."""
    meta = binding.spec.meta
    if count is not None and values is not None and count < values * least:
        return (
            f'meta field "{meta}" has '
            f"{counted(values, 'value', spec=',')} for {count:,} measurements, so that a bucket holds about "
            f"{count / values:,.0f}; {counted(least, 'is recommended', 'are recommended')}"
        )
    if is_bucket_wasted(binding, kind, patterns):
        return (
            f'meta field "{meta}" is a key of its own for each measurement'
            f"{'' if is_of_request(binding) else ', and no pattern selects by it'}: each bucket holds 1 measurement"
        )
    return ""
