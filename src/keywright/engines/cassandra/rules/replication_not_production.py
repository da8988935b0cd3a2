"""CAS015: a data centre has fewer than three copies of each row.

https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.ir.text import counted


def stored(target: TargetInEnvironment, *, copies: int = 3) -> Iterator[FindingDraft]:
    """Every data centre of a keyspace with too few copies. Two copies are reported by CAS017.

    copies: fewest copies of each row in a data centre.
    """
    for name, factor in dict(target.placed.placement.replication).items():
        if factor.isdigit() and int(factor) < copies and int(factor) != 2:
            yield FindingDraft(
                problem=f'data centre "{name}" has {counted(int(factor), "copy", "copies")} of each row of keyspace '
                f'"{target.declared.name}": the loss of a node loses rows, and its restart makes them unavailable',
                help=f"say datacentres: {{{name}: {copies}}} in the stack file",
                subject=target.declared.name,
                at=target.setting("datacentres", name),
            )
