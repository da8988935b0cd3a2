"""CAS011: tombstones are removed before every copy has them, so that deleted rows return."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls, span
from keywright.ir.text import counted

from ..declare.settings import CassandraEnvironment
from ..findings.tables import StoredTable, entities, tables
from ..schema.capabilities import HINT_SECONDS

DAY = 86_400
"""Seconds in a day."""


def models(context: RuleContext, *, hint_seconds: int = HINT_SECONDS.value) -> Iterator[FindingDraft]:
    """Every table of expiring rows that are also deleted, whose tombstones are removed before the next repair.

    hint_seconds: time for which nodes keep writes for a node that is down.
    """
    for target, binding, layout in entities(context):
        if any(calls(context, binding, "delete")):
            for table in tables(target):
                if table.table.name == layout.table.name and table.ttl and _grace(table) >= hint_seconds:
                    yield from _before_repair(target, table)


def stored(target: TargetInEnvironment, *, hint_seconds: int = HINT_SECONDS.value) -> Iterator[FindingDraft]:
    """Every table whose tombstones are kept for less time than hints, or than the time between repairs.

    Expired rows contain their expiry time and do not return, so only hints count for tables of expiring rows.
    hint_seconds: time for which nodes keep writes for a node that is down.
    """
    for table in tables(target):
        findings = [] if table.ttl else list(_before_repair(target, table))
        yield from findings
        if not findings and _grace(table) < hint_seconds:
            duration = timedelta(seconds=hint_seconds)
            yield _draft(table, duration, f"writes for a node that is down {span(duration)}")


def _before_repair(target: TargetInEnvironment, table: StoredTable) -> Iterator[FindingDraft]:
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    days = environment.of_keyspace(target.declared.name).repair_every_days or 0
    if _grace(table) < days * DAY:
        yield _draft(table, timedelta(days=days), f"repairs are {counted(days, 'day')} apart")


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
