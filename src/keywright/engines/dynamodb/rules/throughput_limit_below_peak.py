"""DDB034: the maximum throughput of a table or index is less than its declared peak rates need."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.declare.settings import TableSettings
from keywright.engines.dynamodb.findings.throughput import busy_tables, units_of
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """The most exceeded limit of each table."""
    for target, settings, table_uses in busy_tables(context):
        setting = "on-demand-limits" if settings.billing == "on-demand" else "autoscaling"
        needed = units_of(table_uses, is_peak=True)
        excesses: list[tuple[float, str, str, int]] = []
        for index, units in needed.items():
            for side, value in (("read", units.read), ("write", units.write)):
                limit = _limit(settings, side)
                if limit is not None and value > limit:
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
