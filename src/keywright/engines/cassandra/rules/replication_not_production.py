"""CAS015: a data centre has fewer than three copies of each row.

https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.errors import quoted
from keywright.ir.text import counted


def stored(target: TargetInEnvironment, *, copies: int = 3) -> Iterator[FindingDraft]:
    """Every keyspace with too few copies in a data centre. Two copies are reported by CAS017.

    copies: fewest copies of each row in a data centre.
    """
    replication = dict(target.placed.placement.replication)
    factors = {name: int(factor) for name, factor in replication.items() if factor.isdigit()}
    few = {name: factor for name, factor in factors.items() if factor < copies and factor != 2}
    if few:
        name, factor = next(iter(few.items()))
        others = f" (and {quoted(list(few)[1:])})" if len(few) > 1 else ""
        sound = ", ".join(f"{centre}: {copies if centre in few else factors[centre]}" for centre in factors)
        yield FindingDraft(
            problem=f'data centre "{name}"{others} has {counted(factor, "copy", "copies")} of each row of keyspace '
            f'"{target.declared.name}": the loss of a node loses rows, and its restart makes them unavailable',
            help=f"say datacentres: {{{sound}}} in the stack file",
            subject=target.declared.name,
            at=target.setting("datacentres", name),
        )
