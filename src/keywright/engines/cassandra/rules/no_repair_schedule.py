"""CAS018: no declared repair schedule, although neither hints nor reads replace repairs."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.ir.text import counted

from ..declare.settings import CassandraEnvironment
from ..schema.capabilities import FLAVOURS, GC_GRACE_SECONDS


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every keyspace of several copies without a time between repairs. A service repairs its keyspaces itself."""
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    replication = dict(target.placed.placement.replication)
    copies = sum(int(factor) for factor in replication.values() if factor.isdigit())
    is_self_managed = FLAVOURS[environment.flavour].has("option gc_grace_seconds", environment.version)
    if is_self_managed and copies > 1 and not environment.of_keyspace(target.declared.name).repair_every_days:
        days = GC_GRACE_SECONDS // 86_400
        yield FindingDraft(
            problem=f'nothing says how often keyspace "{target.declared.name}" is repaired: its '
            f"{counted(copies, 'copy', 'copies')} drift "
            f"apart, and what was deleted comes back after {counted(days, 'day')}",
            help="say repair-every-days: 7 in the stack file, and have it done",
            subject=target.declared.name,
            at=target.setting("repair-every-days"),
        )
