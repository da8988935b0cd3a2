"""MON002: no alarm on throttled requests of a table in Keyspaces.

https://docs.aws.amazon.com/keyspaces/latest/devguide/metrics-dimensions.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.metric_alarms import unwatched
from keywright.engines.findings.program.resource import ProgramResource

_TABLES = {"aws:keyspaces/table:Table": "tableName"}


def stack(
    all: Sequence[ProgramResource], *, metrics: tuple[str, ...] = ("ReadThrottleEvents", "WriteThrottleEvents")
) -> Iterator[FindingDraft]:
    """Every table of Keyspaces without an alarm on each metric.

    metrics: metrics that need an alarm.
    """
    for table, missing in unwatched(all, _TABLES, "AWS/Cassandra", metrics):
        yield FindingDraft(
            problem=f'table "{table.name}" has no alarm of {", ".join(missing)}',
            help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
            subject=table.urn,
        )
