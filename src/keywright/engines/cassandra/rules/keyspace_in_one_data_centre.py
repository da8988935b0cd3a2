"""CAS020: a keyspace is in one data centre, although others of the environment are in several."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.errors import quoted

from ..declare.settings import CassandraEnvironment


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every keyspace with fewer data centres than the environment or another keyspace, and only one."""
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    own = environment.of_keyspace(target.declared.name).datacentres or {}
    others = [environment.datacentres, *(settings.datacentres or {} for settings in environment.keyspaces.values())]
    missing = sorted({name for datacentres in others for name in datacentres} - own.keys())
    if len(own) == 1 and missing:
        (name,), copies = own, max(own.values())
        factors = ", ".join(f"{centre}: {copies}" for centre in (name, *missing))
        yield FindingDraft(
            problem=f'keyspace "{target.declared.name}" is only in data centre "{name}", while others are also in '
            f"{quoted(missing)}: an outage of {name} stops all its reads and writes",
            help=f"say datacentres: {{{factors}}} in the stack file",
            subject=target.declared.name,
            at=target.setting("datacentres"),
        )
