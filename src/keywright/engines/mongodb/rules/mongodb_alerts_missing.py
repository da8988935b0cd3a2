"""MON003: a DocumentDB cluster has no alarm on connections or cache hits.

https://docs.aws.amazon.com/documentdb/latest/developerguide/cloud_watch.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.metric_alarms import unwatched
from keywright.engines.findings.program.resource import ProgramResource

_CLUSTERS = {"aws:docdb/cluster:Cluster": "clusterIdentifier"}


def stack(
    all: Sequence[ProgramResource], *, metrics: tuple[str, ...] = ("DatabaseConnections", "BufferCacheHitRatio")
) -> Iterator[FindingDraft]:
    """Every DocumentDB cluster without an alarm on each metric, for itself or for its instances.

    metrics: metrics that need an alarm.
    """
    for cluster, missing in unwatched(all, _CLUSTERS, "AWS/DocDB", metrics):
        yield FindingDraft(
            problem=f'cluster "{cluster.name}" has no alarm of {", ".join(missing)}',
            help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
            subject=cluster.urn,
        )
