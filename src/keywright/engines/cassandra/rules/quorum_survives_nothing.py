"""CAS017: a quorum of two copies is both, so that no node may fail.

https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every data centre of a keyspace with two copies."""
    for name, factor in dict(target.placed.placement.replication).items():
        if factor == "2":
            yield FindingDraft(
                problem=f'data centre "{name}" has 2 copies of each row of keyspace "{target.declared.name}", '
                "of which a quorum needs both: one node that is down stops all reads and writes of a quorum",
                help=f"say datacentres: {{{name}: 3}} in the stack file",
                subject=target.declared.name,
                at=target.setting("datacentres", name),
            )
