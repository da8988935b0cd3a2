"""CAS006: time windows contain rows that never expire, or an expiring series has no time windows."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.pattern_facts import is_put_for_a_time
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.binding import Binding

from ..access.growth import bucket_seconds, moment, ttl_seconds, typical_row
from ..access.layout import Layout
from ..declare.options import CqlTable
from ..findings.changes import changing
from ..findings.tables import TIME_WINDOW, StoredTable, entities, tables


def models(context: RuleContext, *, least_gb: float = 10) -> Iterator[FindingDraft]:
    """Every table with windows whose rows expire neither by the table nor by a field, and every expiring series without
    windows whose rows are neither changed nor deleted later, which windows do not suit. CAS005 reports those that a job
    deletes.

    least_gb: decimal gigabytes up to which a table is so small that any strategy suits.
    """
    for target, binding, layout in entities(context):
        table = next(table for table in tables(target) if table.table.name == layout.table.name)
        if _is_endless(table) and layout.ttl is None and not is_put_for_a_time(context.design, binding):
            if not any(plan.pattern.because == "expiry" for plan, _ in calls(context, binding, "delete")):
                yield _endless(table)
        elif (
            (_is_merged(table) or (layout.ttl is not None and _is_chosen(binding, table)))
            and (moment(layout) is not None or (_is_size_tiered(table) and bucket_seconds(layout) is not None))
            and not changing(context, binding)
            and not any(calls(context, binding, "delete"))
            and not _is_small(context, binding, layout, least_gb)
        ):
            yield _merged(table)


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """The same if no model is known."""
    for table in tables(target) if not target.placed.shape else ():
        if _is_merged(table) and table.is_series:
            yield _merged(table)
        elif _is_endless(table):
            yield _endless(table)


def _is_small(context: RuleContext, binding: Binding[CqlTable], layout: Layout, least_gb: float) -> bool:
    """Whether the rows that are put within their time to live take little space; false if their rate is unknown."""
    written, seconds = items_per_second(context, binding, "put"), ttl_seconds(layout)
    if written is None or seconds is None:
        return False
    return written * seconds * typical_row(layout, binding.entity.name) <= least_gb * 10**9


def _is_chosen(binding: Binding[CqlTable], table: StoredTable) -> bool:
    """Whether the model chooses a strategy without windows."""
    is_declared = binding.spec.compaction is not None or "compaction" in binding.spec.settings
    return is_declared and table.compaction.get("class", TIME_WINDOW) != TIME_WINDOW


def _is_merged(table: StoredTable) -> bool:
    """Whether rows expire, and files of any age are merged."""
    return table.compaction.get("class", TIME_WINDOW) != TIME_WINDOW and table.ttl > 0


def _is_size_tiered(table: StoredTable) -> bool:
    """Whether files are merged by size alone, so that those of old partitions wait for others of their size."""
    return table.compaction.get("class") == "SizeTieredCompactionStrategy"


def _merged(table: StoredTable) -> FindingDraft:
    return FindingDraft(
        problem=f'the rows of table "{table.table.name}" are kept by time and expire, and {table.compaction["class"]} '
        "merges old ones with new ones",
        help="leave out compaction=, or say kw.TimeWindow(window=timedelta(...)), so that whole files expire",
        subject=table.subject,
    )


def _is_endless(table: StoredTable) -> bool:
    return table.compaction.get("class") == TIME_WINDOW and not table.ttl


def _endless(table: StoredTable) -> FindingDraft:
    return FindingDraft(
        problem=f'table "{table.table.name}" keeps its rows in windows of time, and they never expire: no window is '
        "ever dropped",
        help="say ttl=timedelta(...), or leave out compaction=",
        subject=table.subject,
    )
