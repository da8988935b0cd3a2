"""CAS011: tombstones go before every copy has them, so that deleted rows come back."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.flaws.context import Flaw, Stored, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.flaws.rates import calls
from keywright.engines.flaws.words import span

from ..capabilities import HINT_SECONDS
from ..settings import CassandraEnvironment
from ..tables import StoredTable, entities, tables

DAY = 86_400
"""Seconds."""


def models(whole: Whole, *, hint_seconds: int = HINT_SECONDS.value) -> Iterator[Flaw]:
    """Every table of expiring rows that are deleted too, whose tombstones are gone before the next repair.

    hint_seconds: how long nodes keep writes for one that is down.
    """
    for target, binding, known in entities(whole):
        if any(calls(whole, binding, "delete")):
            for table in tables(target):
                if table.table.name == known.table.name and table.ttl and _grace(table) >= hint_seconds:
                    yield from _before_repair(target, table)


def stored(one: Stored, *, hint_seconds: int = HINT_SECONDS.value) -> Iterator[Flaw]:
    """Every table whose tombstones are kept for a shorter time than hints are, or than repairs are apart.

    What expires carries the moment with it, and does not come back: there only hints count. hint_seconds: how long
    nodes keep writes for one that is down.
    """
    for table in tables(one):
        late = [] if table.ttl else list(_before_repair(one, table))
        yield from late
        if not late and _grace(table) < hint_seconds:
            kept = timedelta(seconds=hint_seconds)
            yield _of(table, kept, f"writes for a node that is down {span(kept)}")


def _before_repair(one: Stored, table: StoredTable) -> Iterator[Flaw]:
    environment: CassandraEnvironment = one.environment  # type: ignore[assignment]  # it is Cassandra's
    days = environment.of_keyspace(one.declared.name).repair_every_days or 0
    if _grace(table) < days * DAY:
        yield _of(table, timedelta(days=days), f"repairs are {days} days apart")


def _grace(table: StoredTable) -> float:
    """Seconds for which tombstones are kept; for ever where a service sees to them."""
    found = table.options.get("gc_grace_seconds")
    return found if isinstance(found, int) else float("inf")


def _of(table: StoredTable, wanted: timedelta, why: str) -> Flaw:
    healing = f"timedelta(days={max(10, -(-wanted // timedelta(days=1)))})"
    kept = span(timedelta(seconds=_grace(table)))
    return Flaw(
        problem=f'tombstones of table "{table.table.name}" are kept {kept}, and {why}',
        help=f"leave out gc_grace= for ten days, or say {span(wanted)} or more",
        subject=table.subject,
        fix=Fix((SetArgument("gc_grace", healing),), is_safe=True),
    )
