"""CAS017: with two copies a quorum is both, so that no node may fail.

https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored


def stored(one: Stored) -> Iterator[Flaw]:
    """Every data centre of a keyspace with two copies."""
    for name, said in dict(one.placed.placement.replication).items():
        if said == "2":
            yield Flaw(
                problem=f'data centre "{name}" has 2 copies of each row of keyspace "{one.declared.name}", '
                "of which a quorum needs both",
                help=f"say datacentres: {{{name}: 3}} in the stack file",
                subject=one.declared.name,
                at=one.stack,
            )
