"""CAS018: nothing says that a keyspace is repaired, and neither hints nor reads do what repairs do."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored

from ..capabilities import FLAVOURS, GC_GRACE_SECONDS
from ..settings import CassandraEnvironment


def stored(one: Stored) -> Iterator[Flaw]:
    """Every keyspace of several copies without a time between repairs; a service repairs by itself."""
    environment: CassandraEnvironment = one.environment  # type: ignore[assignment]  # it is Cassandra's
    told = dict(one.placed.placement.replication)
    copies = sum(int(said) for said in told.values() if said.isdigit())
    is_ours = FLAVOURS[environment.flavour].has("option gc_grace_seconds", environment.version)
    if is_ours and copies > 1 and environment.of_keyspace(one.declared.name).repair_every_days is None:
        days = GC_GRACE_SECONDS // 86_400
        yield Flaw(
            problem=f'nothing says how often keyspace "{one.declared.name}" is repaired: its {copies} copies drift '
            f"apart, and what was deleted comes back after {days} days",
            help="say repair-every-days: 7 in the stack file, and have it done",
            subject=one.declared.name,
            at=one.stack,
        )
