"""MON001: nobody is told when a table refuses what it is asked.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.metric_alarms import watched
from keywright.engines.flaws.resource import Resource

_TABLE = "aws:dynamodb/table:Table"
_EITHER = "ThrottledRequests"
"""Counts what `ReadThrottleEvents` and `WriteThrottleEvents` count, by operation."""


def stack(
    all: Sequence[Resource], *, metrics: tuple[str, ...] = ("ReadThrottleEvents", "WriteThrottleEvents")
) -> Iterator[Flaw]:
    """Every table without an alarm of each metric.

    metrics: those that must have one; `SuccessfulRequestLatency` and `SystemErrors` are others.
    """
    alarms = [metric for one in all for metric in watched(one) if metric.namespace == "AWS/DynamoDB"]
    for one in all:
        if one.type != _TABLE:
            continue
        name = str(one.value("name")) if one.is_known("name") else ""
        found = {metric.metric for metric in alarms if metric.is_of(one, "TableName", name)}
        missing = [
            metric for metric in metrics if metric not in found and not ("Throttle" in metric and _EITHER in found)
        ]
        if missing:
            yield Flaw(
                problem=f'table "{one.name}" has no alarm of {", ".join(missing)}',
                help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
                subject=one.urn,
            )
