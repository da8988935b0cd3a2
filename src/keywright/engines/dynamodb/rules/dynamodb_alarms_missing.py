"""MON001: a DynamoDB table has no alarm on throttling.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html (2026-11-22)
"""

from collections.abc import Iterator, Sequence

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.findings.throughput import busy_tables
from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.metric_alarms import watched
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.text import counted

_TABLE = "aws:dynamodb/table:Table"
_THROTTLED_REQUESTS = "ThrottledRequests"
"""Metric that counts the events of `ReadThrottleEvents` and `WriteThrottleEvents` by operation."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Environments with approved migrations, without alarms or without a topic; the first of their tables."""
    tables = [target for target, *_ in busy_tables(context)]
    if tables and context.has_alarms and _is_silent(tables[0].environment):
        yield FindingDraft(
            problem="alerts: switches the alarms of throttled requests and of consumed capacity off: that a table "
            "rejects requests remains unknown until users report it",
            help="remove throttled: and consumed-percent: from alerts: in the stack file; the defaults are 0 and 80",
            subject=tables[0].declared.name,
            at=tables[0].setting("alerts"),
        )
        return
    if not tables or (context.has_alarms and context.has_topic):
        return
    name, *others = (target.declared.name for target in tables)
    subject = f'table "{name}" and {counted(len(others), "other")} have' if others else f'table "{name}" has'
    what = "alarms without a topic" if context.has_alarms else "no alarms"
    yield FindingDraft(
        problem=f"{subject} {what}: throttled requests and errors remain unknown until users report them",
        help="set monitoring: {alarms: true, topic: ...} in the stack file; a program may set provision(topic=...)",
        subject=name,
        at=context.stack,
    )


def _is_silent(environment: EngineEnvironment | None) -> bool:
    """Whether no alarm tells that a table rejects requests, or soon will."""
    alerts = environment.alerts if isinstance(environment, DynamoEnvironment) else None
    return alerts is not None and alerts.throttled is None and alerts.consumed_percent is None


def stack(
    all: Sequence[ProgramResource], *, metrics: tuple[str, ...] = ("ReadThrottleEvents", "WriteThrottleEvents")
) -> Iterator[FindingDraft]:
    """Tables without an alarm on each metric.

    metrics: metrics that need an alarm; `SuccessfulRequestLatency` and `SystemErrors` are others.
    """
    alarms = [metric for resource in all for metric in watched(resource) if metric.namespace == "AWS/DynamoDB"]
    for resource in all:
        if resource.type != _TABLE:
            continue
        name = str(resource.value("name")) if resource.is_known("name") else ""
        alarmed = {metric.metric for metric in alarms if metric.is_of(resource, "TableName", name)}
        missing = [
            metric
            for metric in metrics
            if metric not in alarmed and not ("Throttle" in metric and _THROTTLED_REQUESTS in alarmed)
        ]
        if missing:
            yield FindingDraft(
                problem=f'table "{resource.name}" has no alarm of {", ".join(missing)}',
                help="add an aws.cloudwatch.MetricAlarm; in a stack file, monitoring: {alarms: true}",
                subject=resource.urn,
            )
