"""CAS006: time windows contain rows that never expire, or an expiring series has no time windows."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment

from ..findings.tables import TIME_WINDOW, StoredTable, tables


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every table with windows whose rows expire neither by the table nor by a field."""
    for target in context.of("cassandra"):
        timed = {binding.name for binding in context.bindings("cassandra") if binding.entity.ttl is not None}
        yield from (_endless(table) for table in tables(target) if _is_endless(table) and table.subject not in timed)


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every expiring series without windows, and, if no model is known, windows without expiry."""
    for table in tables(target):
        name = table.compaction.get("class", "")
        if name and name != TIME_WINDOW and table.ttl and table.is_series:
            yield FindingDraft(
                problem=f'the rows of table "{table.table.name}" are kept by time and expire, and {name} merges old '
                "ones with new ones",
                help="leave out compaction=, or say kw.TimeWindow(window=timedelta(...)), so that whole files expire",
                subject=table.subject,
            )
        elif not target.placed.shape and _is_endless(table):
            yield _endless(table)


def _is_endless(table: StoredTable) -> bool:
    return table.compaction.get("class") == TIME_WINDOW and not table.ttl


def _endless(table: StoredTable) -> FindingDraft:
    return FindingDraft(
        problem=f'table "{table.table.name}" keeps its rows in windows of time, and they never expire: no window is '
        "ever dropped",
        help="say ttl=timedelta(...), or leave out compaction=",
        subject=table.subject,
    )
