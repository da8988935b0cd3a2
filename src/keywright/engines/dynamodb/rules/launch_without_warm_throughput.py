"""DDB035: the declared peak is a multiple of what a new on-demand table serves, without warm throughput."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.findings.throughput import Units, busy_tables, units_of
from keywright.engines.dynamodb.schema.capabilities import FIRST_READ_UNITS, FIRST_WRITE_UNITS
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

_FIRST = Units(FIRST_READ_UNITS.value, FIRST_WRITE_UNITS.value)


def models(context: RuleContext, *, times: float = 2.0) -> Iterator[FindingDraft]:
    """On-demand tables with such a peak.

    times: multiple of the first throughput, or of the warm throughput, from which a peak is reported.
    """
    for target, settings, table_uses in busy_tables(context):
        if settings.billing != "on-demand":
            continue
        warm = settings.warm_throughput
        served = Units(max(warm.read, _FIRST.read), max(warm.write, _FIRST.write)) if warm else _FIRST
        peaks = units_of(table_uses, is_peak=True).values()
        read, write = max((peak.read for peak in peaks), default=0), max((peak.write for peak in peaks), default=0)
        if read <= times * served.read and write <= times * served.write:
            continue
        side, need, at_once = max(
            ("read", read, served.read), ("write", write, served.write), key=lambda sized: sized[1] / sized[2]
        )
        read_units, write_units = (ceil(max(a, b)) for a, b in ((read, served.read), (write, served.write)))
        yield FindingDraft(
            problem=f'table "{target.declared.name}" has a peak of {counted(need, side + " unit", spec=",.0f")} a '
            f"second, serves {at_once:,.0f} at first, and doubles within 30 minutes: a sudden peak is throttled",
            help=f"set warm-throughput: {{read: {read_units}, write: {write_units}}} before the launch",
            subject=target.declared.name,
            at=target.setting("warm-throughput"),
        )
