"""MON003: nobody is told when a cluster of DocumentDB no longer keeps up.

https://docs.aws.amazon.com/documentdb/latest/developerguide/cloud_watch.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.metric_alarms import unwatched
from keywright.engines.flaws.resource import Resource

_CLUSTERS = {"aws:docdb/cluster:Cluster": "clusterIdentifier"}


def stack(
    all: Sequence[Resource], *, metrics: tuple[str, ...] = ("DatabaseConnections", "BufferCacheHitRatio")
) -> Iterator[Flaw]:
    """Every cluster of DocumentDB without an alarm of each metric, of itself or of its instances.

    metrics: those that must have one.
    """
    for one, missing in unwatched(all, _CLUSTERS, "AWS/DocDB", metrics):
        yield Flaw(
            problem=f'cluster "{one.name}" has no alarm of {", ".join(missing)}',
            help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
            subject=one.urn,
        )
