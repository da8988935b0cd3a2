"""INF613: a DocumentDB cluster that is deleted leaves nothing behind."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

CLUSTER = "aws:docdb/cluster:Cluster"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every cluster that skips its final snapshot."""
    if one.type == CLUSTER and one.value("skipFinalSnapshot"):
        yield Flaw(
            problem="skip_final_snapshot is true: with the cluster goes all that is in it",
            help='leave it out, and say final_snapshot_identifier="..."',
            subject=one.urn,
        )
