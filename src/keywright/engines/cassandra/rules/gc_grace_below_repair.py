"""CAS011: tombstones go before every copy has them, so that deleted rows come back."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.flaws.context import Flaw, Stored
from keywright.engines.flaws.fix import Fix, SetArgument

from ..capabilities import HINT_SECONDS
from ..tables import tables

DAY = 86_400
"""Seconds."""


def stored(one: Stored, *, hint_seconds: int = HINT_SECONDS.value) -> Iterator[Flaw]:
    """Every table whose tombstones are kept for a shorter time than repairs are apart, or than hints are kept.

    hint_seconds: how long nodes keep writes for one that is down.
    """
    days = one.environment.of_keyspace(one.declared.name).repair_every_days  # type: ignore[attr-defined]  # Cassandra's
    for table in tables(one):
        grace = table.options.get("gc_grace_seconds")
        if not isinstance(grace, int) or grace >= max((days or 0) * DAY, hint_seconds):
            continue
        if days and grace < days * DAY:
            wanted, why = timedelta(days=days), f"repairs are {days} days apart"
        else:
            wanted, why = (
                timedelta(seconds=hint_seconds),
                f"those for a node that is down {hint_seconds // 3600} hours",
            )
        healing = f"timedelta(days={max(10, -(-wanted // timedelta(days=1)))})"
        yield Flaw(
            problem=f'tombstones of table "{table.table.name}" are kept {timedelta(seconds=grace)}, and {why}',
            help=f"leave out gc_grace= for ten days, or say {wanted} or more",
            subject=table.subject,
            fix=Fix((SetArgument("gc_grace", healing),), is_safe=True),
        )
