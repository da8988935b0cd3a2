"""Flaws of Cassandra."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

COPIES = 3
"""Copies of each row with which a quorum survives the loss of a node:
https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html, 2026-11-22."""


def few_copies(whole: Whole) -> Iterator[Flaw]:
    """CAS015: a data centre has fewer than three copies of each row."""
    for one in whole.of("cassandra"):
        for name, copies in dict(one.placed.placement.replication).items():
            if copies.isdigit() and int(copies) < COPIES and int(copies) != COPIES - 1:
                yield Flaw(
                    problem=f'data centre "{name}" has {copies} copy of each row of keyspace "{one.declared.name}"',
                    help=f"say datacentres: {{{name}: {COPIES}}} in the stack file",
                    subject=one.declared.name,
                    at=whole.stack,
                )


def brittle_quorums(whole: Whole) -> Iterator[Flaw]:
    """CAS017: with two copies a quorum is both, so that no node may fail."""
    for one in whole.of("cassandra"):
        for name, copies in dict(one.placed.placement.replication).items():
            if copies == str(COPIES - 1):
                yield Flaw(
                    problem=f'data centre "{name}" has 2 copies of each row of keyspace "{one.declared.name}", '
                    "of which a quorum needs both",
                    help=f"say datacentres: {{{name}: {COPIES}}} in the stack file",
                    subject=one.declared.name,
                    at=whole.stack,
                )
