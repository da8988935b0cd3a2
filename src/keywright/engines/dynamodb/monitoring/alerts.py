"""Alarms of CloudWatch on DynamoDB tables.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html, 2026-11-22.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.resource import StackResource
from keywright.engines.monitoring.alarms import Alarm, of_setting, resource
from keywright.record import replace

from ..access.query import query
from ..declare.settings import DynamoEnvironment
from ..schema.target import Placement, TableTarget

NAMESPACE = "AWS/DynamoDB"

DAY = 86_400

_CAUSES = (
    "{0}KeyRangeThroughputThrottleEvents indicates a hot key, {0}ProvisionedThroughputThrottleEvents too little "
    "capacity, {0}MaxOnDemandThroughputThrottleEvents and {0}AccountLimitThrottleEvents a limit that was set"
)

THROTTLED = tuple(
    Alarm(
        name=f"{side}-throttled", metric=f"{side.title()}ThrottleEvents", threshold="throttled",
        summary=f"{{what}} throttled more than {{threshold:{side}}} in a minute: {_CAUSES.format(side.title())}",
    )
    for side in ("read", "write")
)  # fmt: skip
"""Alarms on a table and each global index: reads, writes."""

CONSUMED = tuple(
    Alarm(
        name=f"{side}-consumed", metric=f"Consumed{side.title()}CapacityUnits", threshold="consumed_percent", periods=5,
        summary=f"{{what}} takes more than {{threshold:{side} unit}} in a minute, close to its maximum",
    )
    for side in ("read", "write")
)  # fmt: skip
"""Alarms on a table and each global index with a capacity or limit."""

SLOW = Alarm(
    name="slow", metric="SuccessfulRequestLatency", statistic="p99", threshold="", periods=5,
    summary="one of a hundred calls of {what} takes more than {threshold} ms, the limit of a pattern",
)  # fmt: skip
"""Alarm on an operation of access patterns on a table."""

SYSTEM_ERRORS = Alarm(
    name="system-errors", metric="SystemErrors", threshold="system_errors",
    summary="more than {threshold:call} of {what} failed within DynamoDB in a minute",
)  # fmt: skip
"""Alarm on an operation of access patterns on a table."""

USER_ERRORS = Alarm(
    name="user-errors", metric="UserErrors", threshold="user_errors",
    summary="more than {threshold:request} in a minute were invalid, of all requests of the account in the region",
)  # fmt: skip
"""Alarm on all tables of the account in the region."""

TTL_SILENT = Alarm(
    name="ttl-silent", metric="TimeToLiveDeletedItemCount", fires_when="below", threshold="", period=DAY,
    missing="breaching", summary="no item of {what} has expired for a day or more",
)  # fmt: skip
"""Alarm on a table whose items expire."""


def alarms(
    tables: Mapping[str, TableTarget], environment: DynamoEnvironment, planned: Sequence[Any]
) -> Iterator[StackResource]:
    """See `Engine.alarms`: for each table and global index, and for the operations of access patterns."""
    if environment.flavour != "dynamodb":
        return
    operations = list(_operations(planned))
    for label, table in tables.items():
        yield from _part_alarms(label, table, environment)
        yield from _operation_alarms(label, table, environment, operations)
        days = environment.alerts.ttl_silent_days
        if table.ttl and days:
            alarm, dimensions = replace(TTL_SILENT, periods=days), {"TableName": table.name}
            yield _resource(alarm, 1, dimensions, f'table "{table.name}"', label, table.name, label, environment)
    if environment.alerts.user_errors is not None and tables:
        subject, name = "dynamodb", f"{environment.name_prefix}dynamodb"
        yield _resource(USER_ERRORS, environment.alerts.user_errors, {}, subject, subject, name, "", environment)


def _part_alarms(label: str, table: TableTarget, environment: DynamoEnvironment) -> Iterator[StackResource]:
    """Alarms on throttling and capacity of the table and each global index: a table's metrics exclude its indexes."""
    parts = [("", f'table "{table.name}"', {"TableName": table.name})]
    parts += [
        (f"/index/{index.name}", f'index "{index.name}" of table "{table.name}"',
         {"TableName": table.name, "GlobalSecondaryIndexName": index.name})
        for index in table.indexes
    ]  # fmt: skip
    for path, subject, dimensions in parts:
        thresholds = [(alarm, of_setting(alarm, environment.alerts)) for alarm in THROTTLED]
        share = environment.alerts.consumed_percent
        if share is not None and (capacity := _capacity(table.placement, is_index=bool(path))):
            thresholds += [
                (alarm, share / 100 * units * alarm.period) for alarm, units in zip(CONSUMED, capacity, strict=True)
            ]  # fmt: skip
        for alarm, threshold in thresholds:
            if threshold is not None:
                yield _resource(
                    alarm, threshold, dimensions, subject, label + path, table.name + path, label, environment
                )  # fmt: skip


def _capacity(placement: Placement | None, *, is_index: bool) -> tuple[int, int] | None:
    """Highest (read, write) units a second of a table or an index; None without a limit."""
    if placement is None:
        return None
    if placement.billing == "PAY_PER_REQUEST":
        return None if is_index else placement.limits
    scaling = placement.scaling
    if scaling is None:
        return placement.capacity
    maxima = []
    for side, scaled in (("read", scaling.read), ("write", scaling.write)):
        scheduled = [bounds.max for schedule in scaling.schedules if (bounds := getattr(schedule, side))]
        maxima.append(max(scaled.max, *scheduled) if scheduled else scaled.max)
    return maxima[0], maxima[1]


def _operation_alarms(
    label: str,
    table: TableTarget,
    environment: DynamoEnvironment,
    operations: Sequence[tuple[str, str, float | None]],
) -> Iterator[StackResource]:
    """Alarms on errors and latencies, whose metrics exist per operation and not per table."""
    for operation in sorted({operation for name, operation, _ in operations if name == table.name}):
        subject, dimensions = f'{operation} on table "{table.name}"', {"TableName": table.name, "Operation": operation}
        limits = [limit for name, other, limit in operations if (name, other) == (table.name, operation) and limit]
        thresholds = [(SYSTEM_ERRORS, of_setting(SYSTEM_ERRORS, environment.alerts))]
        if limits and environment.alerts.latency:
            thresholds.append((SLOW, max(limits)))
        for alarm, threshold in thresholds:
            if threshold is not None:
                path = f"/{operation}"
                yield _resource(
                    alarm, threshold, dimensions, subject, label + path, table.name + path, label, environment
                )  # fmt: skip


def _resource(
    alarm: Alarm, threshold: float, dimensions: Mapping[str, str], subject: str, label: str, name: str, within: str,
    environment: DynamoEnvironment,
) -> StackResource:  # fmt: skip
    return resource(
        alarm, threshold, NAMESPACE, dimensions, what=subject, called=label, name=name, within=within,
        tags=environment.tags,
    )  # fmt: skip


def _operations(planned: Sequence[Any]) -> Iterator[tuple[str, str, float | None]]:
    """(physical table, operation, p99 limit in ms) of each request of the access patterns."""
    for plan in planned:
        requests: Any = query(plan)
        for request in requests if isinstance(requests, list) else [requests]:
            for table in sorted(_tables(request)):
                yield table, str(request["operation"]), plan.pattern.load.p99_ms


def _tables(request: Any) -> set[str]:
    match request["operation"]:
        case "BatchGetItem" | "BatchWriteItem":
            return set(request["RequestItems"])
        case "TransactWriteItems":
            return {part["TableName"] for item in request["TransactItems"] for part in item.values()}
        case _:
            return {request["TableName"]}
