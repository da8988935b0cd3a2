"""CAS006: windows of time hold rows that never expire, or a series that expires is not kept in windows."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored, Whole

from ..tables import TIME_WINDOW, StoredTable, tables


def models(whole: Whole) -> Iterator[Flaw]:
    """Every table with windows whose rows neither expire by the table nor by a field of their own."""
    for target in whole.of("cassandra"):
        timed = {binding.name for binding in whole.bindings("cassandra") if binding.entity.ttl is not None}
        yield from (_endless(one) for one in tables(target) if _is_endless(one) and one.subject not in timed)


def stored(one: Stored) -> Iterator[Flaw]:
    """Every series that expires and is not kept in windows; and, where no model is known, windows without expiry."""
    for table in tables(one):
        name = table.compaction.get("class", "")
        if name and name != TIME_WINDOW and table.ttl and table.is_series:
            yield Flaw(
                problem=f'the rows of table "{table.table.name}" are kept by time and expire, and {name} merges old '
                "ones with new ones",
                help="leave out compaction=, or say kw.TimeWindow(window=timedelta(...)), so that whole files expire",
                subject=table.subject,
            )
        elif not one.placed.shape and _is_endless(table):
            yield _endless(table)


def _is_endless(table: StoredTable) -> bool:
    return table.compaction.get("class") == TIME_WINDOW and not table.ttl


def _endless(table: StoredTable) -> Flaw:
    return Flaw(
        problem=f'table "{table.table.name}" keeps its rows in windows of time, and they never expire: no window is '
        "ever dropped",
        help="say ttl=timedelta(...), or leave out compaction=",
        subject=table.subject,
    )
