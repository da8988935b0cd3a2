"""INF601: something that holds data may be deleted or replaced by the next update."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TYPES = (
    "aws:dynamodb/table:Table",
    "aws:dynamodb/globalTable:GlobalTable",
    "aws:keyspaces/keyspace:Keyspace",
    "aws:keyspaces/table:Table",
    "aws:docdb/cluster:Cluster",
    "aws:elasticache/replicationGroup:ReplicationGroup",
    "aws:elasticache/serverlessCache:ServerlessCache",
    "aws:memorydb/cluster:Cluster",
    "mongodbatlas:index/advancedCluster:AdvancedCluster",
    "mongodbatlas:index/cluster:Cluster",
    "keywright:cassandra:Keyspace",
    "keywright:cassandra:Table",
    "keywright:mongodb:Collection",
)
"""Types of resources that hold data."""


def resource(one: Resource) -> Iterator[Flaw]:
    """Every such resource that Pulumi may delete."""
    if one.type in TYPES and not one.is_protected:
        yield Flaw(
            problem="nothing stops an update from replacing or deleting it, with all that is in it",
            help="say opts=ResourceOptions(protect=True, retain_on_delete=True); in a stack file, protect: true",
            subject=one.urn,
        )
