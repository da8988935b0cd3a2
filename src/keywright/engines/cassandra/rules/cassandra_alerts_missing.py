"""MON002: nobody is told when Keyspaces refuses what a table is asked.

https://docs.aws.amazon.com/keyspaces/latest/devguide/metrics-dimensions.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.metric_alarms import unwatched
from keywright.engines.flaws.resource import Resource

_TABLES = {"aws:keyspaces/table:Table": "tableName"}


def stack(
    all: Sequence[Resource], *, metrics: tuple[str, ...] = ("ReadThrottleEvents", "WriteThrottleEvents")
) -> Iterator[Flaw]:
    """Every table of Keyspaces without an alarm of each metric.

    metrics: those that must have one.
    """
    for one, missing in unwatched(all, _TABLES, "AWS/Cassandra", metrics):
        yield Flaw(
            problem=f'table "{one.name}" has no alarm of {", ".join(missing)}',
            help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
            subject=one.urn,
        )
