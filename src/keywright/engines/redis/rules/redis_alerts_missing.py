"""MON004: nobody is told when a service of Redis drops keys or runs full.

https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/CacheMetrics.Redis.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.metric_alarms import unwatched
from keywright.engines.flaws.resource import Resource

_SERVICES = (
    ("AWS/ElastiCache", {"aws:elasticache/replicationGroup:ReplicationGroup": "replicationGroupId"}),
    ("AWS/MemoryDB", {"aws:memorydb/cluster:Cluster": "name"}),
)
"""(namespace of the metrics, the argument with the name by the type of resource)."""


def stack(
    all: Sequence[Resource], *, metrics: tuple[str, ...] = ("Evictions", "DatabaseMemoryUsagePercentage")
) -> Iterator[Flaw]:
    """Every replication group and cluster without an alarm of each metric, of itself or of its nodes.

    metrics: those that must have one.
    """
    found = (pair for namespace, types in _SERVICES for pair in unwatched(all, types, namespace, metrics))
    for one, missing in found:
        yield Flaw(
            problem=f'server "{one.name}" has no alarm of {", ".join(missing)}',
            help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
            subject=one.urn,
        )
