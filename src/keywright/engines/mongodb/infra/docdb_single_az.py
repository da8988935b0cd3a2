"""INF306: a DocumentDB cluster has a single instance, so it cannot fail over."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

CLUSTER, INSTANCE = "aws:docdb/cluster:Cluster", "aws:docdb/clusterInstance:ClusterInstance"


def stack(all: Sequence[ProgramResource], *, instances: int = 2) -> Iterator[FindingDraft]:
    """Report every cluster with fewer instances, but at least one: others may be created elsewhere.

    instances: least number of instances.
    """
    members = [resource for resource in all if resource.type == INSTANCE]
    for program_resource in all:
        if program_resource.type != CLUSTER:
            continue
        count = sum(member.points_at("clusterIdentifier", program_resource, "clusterIdentifier") for member in members)
        if 0 < count < instances:
            yield FindingDraft(
                problem=(
                    f'cluster "{program_resource.name}" has {count} instance; failover requires at least {instances}'
                ),
                help="add an aws.docdb.ClusterInstance, in another zone",
                subject=program_resource.urn,
            )
