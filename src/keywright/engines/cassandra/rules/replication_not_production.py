"""CAS015: a data centre has fewer than three copies of each row.

https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored


def stored(one: Stored, *, copies: int = 3) -> Iterator[Flaw]:
    """Every data centre of a keyspace with too few copies; two of them are CAS017.

    copies: copies of each row that a data centre has to have.
    """
    for name, said in dict(one.placed.placement.replication).items():
        if said.isdigit() and int(said) < copies and int(said) != 2:
            yield Flaw(
                problem=f'data centre "{name}" has {said} copy of each row of keyspace "{one.declared.name}"',
                help=f"say datacentres: {{{name}: {copies}}} in the stack file",
                subject=one.declared.name,
                at=one.stack,
            )
