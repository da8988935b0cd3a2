"""INF306: a DocumentDB cluster has one instance, so that nothing takes over when it fails."""

from collections.abc import Iterator, Sequence

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

CLUSTER, INSTANCE = "aws:docdb/cluster:Cluster", "aws:docdb/clusterInstance:ClusterInstance"


def stack(all: Sequence[Resource], *, instances: int = 2) -> Iterator[Flaw]:
    """Every cluster with fewer instances; one whose instances are made elsewhere has none here.

    instances: how many there are at least.
    """
    members = [one for one in all if one.type == INSTANCE]
    for one in all:
        if one.type != CLUSTER:
            continue
        count = sum(member.points_at("clusterIdentifier", one, "clusterIdentifier") for member in members)
        if 0 < count < instances:
            yield Flaw(
                problem=f'cluster "{one.name}" has {count} instance, {instances} survive the loss of a zone',
                help="add an aws.docdb.ClusterInstance, in another zone",
                subject=one.urn,
            )
