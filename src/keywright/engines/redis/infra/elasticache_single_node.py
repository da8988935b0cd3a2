"""INF213: an ElastiCache cluster for Redis or Valkey is a single node without a replica."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

CLUSTER = "aws:elasticache/cluster:Cluster"

_ENGINES = ("redis", "valkey")


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such cluster that is not a member of a replication group."""
    if program_resource.type != CLUSTER or "replicationGroupId" in program_resource.inputs:
        return
    engine = program_resource.value("engine")
    if engine in _ENGINES:
        yield FindingDraft(
            problem=f"a Cluster of {engine} is one node, without replica, encryption at rest and users: all data is "
            "lost with the node",
            help="use aws.elasticache.ReplicationGroup with num_cache_clusters=2, automatic_failover_enabled=True and "
            "both encryptions",
            subject=program_resource.urn,
        )
