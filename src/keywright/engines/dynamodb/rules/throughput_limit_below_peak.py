"""DDB034: the maximum throughput of a table or index is less than its declared peak rates need."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.declare.settings import TableSettings
from keywright.engines.dynamodb.findings.throughput import Units, busy_tables, units_of
from keywright.engines.dynamodb.findings.uses import Use
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext, *, together: float = 1.2) -> Iterator[FindingDraft]:
    """The most exceeded limit of each table: by the peak of one pattern beside the usual rate of the others, or far by
    all peaks at once.

    together: ratio of all peaks to a limit from which it is exceeded although no single peak does.
    """
    for target, settings, table_uses in busy_tables(context):
        setting = "on-demand-limits" if settings.billing == "on-demand" else "autoscaling"
        needed = units_of(table_uses, is_peak=True)
        excesses: list[tuple[float, str, str, int]] = []
        for index, units in needed.items():
            for side, value in (("read", units.read), ("write", units.write)):
                limit = _limit(settings, side)
                if (
                    limit is not None
                    and value > limit
                    and (value > together * limit or _one(table_uses, index, side) > limit)
                ):
                    excesses.append((value, index, side, limit))
        if excesses:
            value, index, side, limit = max(excesses, key=lambda excess: excess[0] / max(1, excess[3]))
            where = f'index "{index}" of table' if index else "table"
            key = (
                f"{setting}: {{{side}: {{max: {ceil(value)}}}}}"
                if setting == "autoscaling"
                else (f"{setting}: {{{side}: {ceil(value)}}}")
            )
            yield FindingDraft(
                problem=f'{where} "{target.declared.name}" serves at most '
                f"{counted(limit, f'{side} unit', spec=',')} a second by {setting}, and its patterns need "
                f"{value:,.0f} at their peak: the rest is throttled",
                help=f"set {key} or more",
                subject=target.declared.name,
                at=target.setting(setting),
            )


def _one(table_uses: list[Use], index: str, side: str) -> float:
    """Units at the highest peak of one use, beside the usual units of the others."""
    usual, added = 0.0, 0.0
    for use in table_uses:
        before, peak = (units_of([use], is_peak=is_peak).get(index, Units()) for is_peak in (False, True))
        units, rise = (
            (before.read, peak.read - before.read) if side == "read" else (before.write, peak.write - before.write)
        )
        usual, added = usual + units, max(added, rise)
    return usual + added


def _limit(settings: TableSettings, side: str) -> int | None:
    """Largest number of units that the settings allow; None without such a limit."""
    if settings.billing == "on-demand":
        limits = settings.on_demand_limits
        return None if limits is None else (limits.read if side == "read" else limits.write)
    scaling = settings.autoscaling
    if scaling is None:
        return None
    bounds = [schedule.read if side == "read" else schedule.write for schedule in scaling.schedules]
    own = scaling.read if side == "read" else scaling.write
    return max([own.max, *(bound.max for bound in bounds if bound is not None)])
