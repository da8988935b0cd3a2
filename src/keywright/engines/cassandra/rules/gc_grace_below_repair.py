"""CAS011: tombstones are removed before every copy has them, so that deleted rows return."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls, span
from keywright.ir.text import counted

from ..declare.settings import CassandraEnvironment
from ..findings.tables import StoredTable, entities, tables
from ..schema.capabilities import GC_GRACE_SECONDS, HINT_SECONDS

DAY = 86_400
"""Seconds in a day."""

MOST_NAMED = 3
"""Tables that a message names."""


def models(context: RuleContext, *, hint_seconds: int = HINT_SECONDS.value) -> Iterator[FindingDraft]:
    """Every table of expiring rows that are also deleted, whose tombstones are removed before the next repair.

    hint_seconds: time for which nodes keep writes for a node that is down.
    """
    deleting = {layout.table.name for _, binding, layout in entities(context) if any(calls(context, binding, "delete"))}
    for target in context.of("cassandra"):
        expiring = [
            table
            for table in tables(target)
            if table.ttl and _grace(table) >= hint_seconds and table.table.name in deleting
        ]
        is_reported = any(not table.ttl and not _is_short(table) for table in _exposed(target, tables(target)))
        yield from (
            draft
            for draft in _before_repair(target, expiring)
            if not is_reported or draft.subject != target.declared.name
        )


def stored(target: TargetInEnvironment, *, hint_seconds: int = HINT_SECONDS.value) -> Iterator[FindingDraft]:
    """Every table whose tombstones are kept for less time than hints, or than the time between repairs.

    Expired rows contain their expiry time and do not return, so only hints count for tables of expiring rows.
    hint_seconds: time for which nodes keep writes for a node that is down.
    """
    lasting = [table for table in tables(target) if not table.ttl]
    yield from _before_repair(target, lasting)
    before_repair = {table.table.name for table in _exposed(target, lasting)}
    for table in tables(target):
        if table.table.name not in before_repair and _grace(table) < hint_seconds:
            duration = timedelta(seconds=hint_seconds)
            yield _draft(table, duration, f"writes for a node that is down {span(duration)}")


def _before_repair(target: TargetInEnvironment, candidates: Iterable[StoredTable]) -> Iterator[FindingDraft]:
    """A finding for each table with a shorter time than the default, and one for all others: the interval is wrong."""
    days, usual = _repair_days(target), list[StoredTable]()
    for table in _exposed(target, candidates):
        if _is_short(table):
            yield _draft(table, timedelta(days=days), f"repairs are {counted(days, 'day')} apart")
        else:
            usual.append(table)
    if usual:
        shortest = min(map(_grace, usual))
        names = ", ".join(f'"{table.table.name}"' for table in usual[:MOST_NAMED])
        more = f" and {counted(len(usual) - MOST_NAMED, 'other')}" if len(usual) > MOST_NAMED else ""
        yield FindingDraft(
            problem=f"repairs are {counted(days, 'day')} apart, and tombstones are kept "
            f"{span(timedelta(seconds=shortest))}: deleted rows return in {names}{more}",
            help="say repair-every-days: 7 in the stack file, and have it done",
            subject=target.declared.name,
            at=target.setting("repair-every-days"),
        )


def _exposed(target: TargetInEnvironment, candidates: Iterable[StoredTable]) -> list[StoredTable]:
    """The tables whose tombstones are removed before the next repair."""
    return [table for table in candidates if _grace(table) < _repair_days(target) * DAY]


def _repair_days(target: TargetInEnvironment) -> int:
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    return environment.of_keyspace(target.declared.name).repair_every_days or 0


def _is_short(table: StoredTable) -> bool:
    """Whether the table keeps tombstones for less time than the server's default."""
    return _grace(table) < GC_GRACE_SECONDS


def _grace(table: StoredTable) -> float:
    """Seconds for which tombstones are kept; infinite if a service manages them."""
    gc_grace_seconds = table.options.get("gc_grace_seconds")
    return gc_grace_seconds if isinstance(gc_grace_seconds, int) else float("inf")


def _draft(table: StoredTable, duration: timedelta, reason: str) -> FindingDraft:
    minimum = f"timedelta(days={max(10, -(-duration // timedelta(days=1)))})"
    actual = span(timedelta(seconds=_grace(table)))
    return FindingDraft(
        problem=f'tombstones of table "{table.table.name}" are kept {actual}, and {reason}',
        help=f"leave out gc_grace= for ten days, or say {span(duration)} or more",
        subject=table.subject,
        fix=Fix((SetArgument("gc_grace", minimum),), is_safe=True),
    )
