"""INF217: nodes of ElastiCache are of a previous generation."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.redis.schema.capabilities import PREVIOUS_GENERATIONS

NODES = {
    "aws:elasticache/replicationGroup:ReplicationGroup": "nodeType",
    "aws:elasticache/cluster:Cluster": "nodeType",
    "aws:elasticache/globalReplicationGroup:GlobalReplicationGroup": "cacheNodeType",
}
"""The argument with the type of nodes, by the type of resource."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every group and cluster with such nodes."""
    argument = NODES.get(program_resource.type)
    node = str(program_resource.value(argument) or "") if argument else ""
    family = ".".join(node.split(".")[:2])
    if family in PREVIOUS_GENERATIONS:
        successor = PREVIOUS_GENERATIONS[family]
        yield FindingDraft(
            problem=f"{argument} is {node}, a previous generation: slower and dearer per gigabyte than {successor}",
            help=f'set a type of the family "{successor}" with the same memory',
            subject=program_resource.urn,
        )
