"""MON004: a service of Redis has no alarm on evictions or full memory.

https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/CacheMetrics.Redis.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.metric_alarms import unwatched
from keywright.engines.findings.program.resource import ProgramResource

_SERVICES = (
    ("AWS/ElastiCache", {"aws:elasticache/replicationGroup:ReplicationGroup": "replicationGroupId"}),
    ("AWS/MemoryDB", {"aws:memorydb/cluster:Cluster": "name"}),
)
"""(namespace of the metrics, the argument with the name by the type of resource)."""


def stack(
    all: Sequence[ProgramResource], *, metrics: tuple[str, ...] = ("Evictions", "DatabaseMemoryUsagePercentage")
) -> Iterator[FindingDraft]:
    """Replication groups and clusters without an alarm on each metric, of themselves or of their nodes.

    metrics: the metrics that need an alarm.
    """
    pairs = (pair for namespace, types in _SERVICES for pair in unwatched(all, types, namespace, metrics))
    for program_resource, missing in pairs:
        yield FindingDraft(
            problem=f'server "{program_resource.name}" has no alarm of {", ".join(missing)}',
            help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
            subject=program_resource.urn,
        )
