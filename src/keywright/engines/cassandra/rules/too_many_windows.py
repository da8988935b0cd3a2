"""CAS009: the time to live is cut into so many windows that a table has too many files."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.flaws.context import Flaw, Stored
from keywright.engines.flaws.words import span

from ..capabilities import TTL_WINDOWS
from ..tableoptions import windows_of
from ..tables import TIME_WINDOW, tables

_UNITS = {"MINUTES": 60, "HOURS": 3_600, "DAYS": 86_400}


def stored(one: Stored, *, warn: int = 50) -> Iterator[Flaw]:
    """Every table with more windows than that.

    warn: windows that a table may have.
    """
    for table in tables(one):
        if table.compaction.get("class") != TIME_WINDOW or not table.ttl:
            continue
        size = int(table.compaction.get("compaction_window_size", "1"))
        seconds = size * _UNITS.get(table.compaction.get("compaction_window_unit", "DAYS"), 86_400)
        windows = -(-table.ttl // seconds)
        if windows > warn:
            wanted, ttl = windows_of(table.ttl).window, span(timedelta(seconds=table.ttl))
            yield Flaw(
                problem=f'table "{table.table.name}" cuts {ttl} into {windows:,} windows of '
                f"{span(timedelta(seconds=seconds))}, {warn} are allowed",
                help=f"say kw.TimeWindow(window={_said(wanted)}), which makes about {TTL_WINDOWS}",
                subject=table.subject,
            )


def _said(time: timedelta) -> str:
    """A whole number of days, hours or minutes as Python source."""
    seconds = int(time.total_seconds())
    word, unit = next(
        (word, unit) for word, unit in (("days", 86_400), ("hours", 3_600), ("minutes", 60)) if seconds % unit == 0
    )
    return f"timedelta({word}={seconds // unit})"
