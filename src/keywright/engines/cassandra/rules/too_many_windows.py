"""CAS009: the time to live has so many windows that a table has too many files."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.rates import span
from keywright.ir.text import counted

from ..findings.tables import TIME_WINDOW, StoredTable, entities, tables
from ..schema.capabilities import TTL_WINDOWS
from ..schema.table_options import windows_of

_UNITS = {"MINUTES": 60, "HOURS": 3_600, "DAYS": 86_400}


def models(context: RuleContext, *, warn: int = 50) -> Iterator[FindingDraft]:
    """Every table with too many windows whose rows expire after a time of their own.

    warn: most windows of a table.
    """
    for target, binding, layout in entities(context):
        if layout.ttl is not None and layout.ttl.ttl_after_seconds:
            table = next(table for table in tables(target) if table.table.name == layout.table.name)
            yield from _draft(table, layout.ttl.ttl_after_seconds, warn, binding.name)


def stored(target: TargetInEnvironment, *, warn: int = 50) -> Iterator[FindingDraft]:
    """Every table with too many windows.

    warn: most windows of a table.
    """
    for table in tables(target):
        if table.ttl:
            yield from _draft(table, table.ttl, warn, table.subject)


def _draft(table: StoredTable, ttl: int, warn: int, subject: str) -> Iterator[FindingDraft]:
    if table.compaction.get("class") == TIME_WINDOW:
        size = int(table.compaction.get("compaction_window_size", "1"))
        seconds = size * _UNITS.get(table.compaction.get("compaction_window_unit", "DAYS"), 86_400)
        windows = -(-ttl // seconds)
        if windows > warn:
            duration, lifetime = windows_of(ttl).window, span(timedelta(seconds=ttl))
            yield FindingDraft(
                problem=f'table "{table.table.name}" cuts {lifetime} into {counted(windows, "window", spec=",")} of '
                f"{span(timedelta(seconds=seconds))}, {counted(warn, 'is allowed', 'are allowed')}",
                help=f"say kw.TimeWindow(window={_source(duration)}), which makes about {TTL_WINDOWS}",
                subject=subject,
            )


def _source(time: timedelta) -> str:
    """A whole number of days, hours or minutes as Python source."""
    seconds = int(time.total_seconds())
    word, unit = next(
        (word, unit) for word, unit in (("days", 86_400), ("hours", 3_600), ("minutes", 60)) if seconds % unit == 0
    )
    return f"timedelta({word}={seconds // unit})"
