"""What is told of tables in DynamoDB, by alarms of CloudWatch.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html, 2026-11-22.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from keywright.engines.alarms import Alarm, of_setting, resource
from keywright.engines.resource import Resource

from .access.query import query
from .settings import DynamoEnvironment
from .target import Placement, TableTarget

NAMESPACE = "AWS/DynamoDB"

DAY = 86_400

_CAUSES = (
    "{0}KeyRangeThroughputThrottleEvents says a hot key, {0}ProvisionedThroughputThrottleEvents too little capacity,"
    " {0}MaxOnDemandThroughputThrottleEvents and {0}AccountLimitThrottleEvents a limit that was set"
)

THROTTLED = tuple(
    Alarm(
        name=f"{side}-throttled", metric=f"{side.title()}ThrottleEvents", threshold="throttled",
        summary=f"{{what}} did not take more than {{threshold}} {side}s of a minute: {_CAUSES.format(side.title())}",
    )
    for side in ("read", "write")
)  # fmt: skip
"""Of a table and of each global index: reads, writes."""

CONSUMED = tuple(
    Alarm(
        name=f"{side}-consumed", metric=f"Consumed{side.title()}CapacityUnits", threshold="consumed_percent", periods=5,
        summary=f"{{what}} takes more than {{threshold}} {side} units in a minute, close to the most that it has",
    )
    for side in ("read", "write")
)  # fmt: skip
"""Likewise, where there is a most."""

SLOW = Alarm(
    name="slow", metric="SuccessfulRequestLatency", statistic="p99", threshold="", periods=5,
    summary="one of a hundred calls of {what} takes more than {threshold} ms, the most that a pattern allows",
)  # fmt: skip
"""Of an operation on a table that patterns carry out."""

SYSTEM_ERRORS = Alarm(
    name="system-errors", metric="SystemErrors", threshold="system_errors",
    summary="more than {threshold} calls of {what} failed within DynamoDB in a minute",
)  # fmt: skip
"""Likewise."""

USER_ERRORS = Alarm(
    name="user-errors", metric="UserErrors", threshold="user_errors",
    summary="more than {threshold} requests of a minute were wrong, of all that the account sends in the region",
)  # fmt: skip
"""Of all tables that the account has in the region."""

TTL_SILENT = Alarm(
    name="ttl-silent", metric="TimeToLiveDeletedItemCount", tells="below", threshold="", period=DAY,
    missing="breaching", summary="no item of {what} has expired for a day or more",
)  # fmt: skip
"""Of a table whose items expire."""


def alarms(
    tables: Mapping[str, TableTarget], environment: DynamoEnvironment, planned: Sequence[Any]
) -> Iterator[Resource]:
    """See `Engine.alarms`: of each table and global index, and of the operations that patterns carry out."""
    if environment.flavour != "dynamodb":
        return
    asked = list(_asked(planned))
    for called, table in tables.items():
        yield from _of_parts(called, table, environment)
        yield from _of_operations(called, table, environment, asked)
        days = environment.alerts.ttl_silent_days
        if table.ttl and days:
            alarm, dimensions = replace(TTL_SILENT, periods=days), {"TableName": table.name}
            yield _resource(alarm, 1, dimensions, f'table "{table.name}"', called, table.name, called, environment)
    if environment.alerts.user_errors is not None and tables:
        whole, name = "dynamodb", f"{environment.name_prefix}dynamodb"
        yield _resource(USER_ERRORS, environment.alerts.user_errors, {}, whole, whole, name, "", environment)


def _of_parts(called: str, table: TableTarget, environment: DynamoEnvironment) -> Iterator[Resource]:
    """Throttles and capacity, of the table and of each global index: the metrics of a table leave out its indexes."""
    parts = [("", f'table "{table.name}"', {"TableName": table.name})]
    parts += [
        (f"/index/{one.name}", f'index "{one.name}" of table "{table.name}"',
         {"TableName": table.name, "GlobalSecondaryIndexName": one.name})
        for one in table.indexes
    ]  # fmt: skip
    for path, what, dimensions in parts:
        told = [(alarm, of_setting(alarm, environment.alerts)) for alarm in THROTTLED]
        share = environment.alerts.consumed_percent
        if share is not None and (most := _most(table.placement, is_index=bool(path))):
            told += [
                (alarm, share / 100 * units * alarm.period) for alarm, units in zip(CONSUMED, most, strict=True)
            ]  # fmt: skip
        for alarm, threshold in told:
            if threshold is not None:
                yield _resource(
                    alarm, threshold, dimensions, what, called + path, table.name + path, called, environment
                )  # fmt: skip


def _most(placement: Placement | None, *, is_index: bool) -> tuple[int, int] | None:
    """The most (read, write) units a second that a table, or an index, may come to; None where there is none."""
    if placement is None:
        return None
    if placement.billing == "PAY_PER_REQUEST":
        return None if is_index else placement.limits
    scaling = placement.scaling
    if scaling is None:
        return placement.capacity
    most = []
    for side, scaled in (("read", scaling.read), ("write", scaling.write)):
        moved = [bounds.max for one in scaling.schedules if (bounds := getattr(one, side))]
        most.append(max(scaled.max, *moved) if moved else scaled.max)
    return most[0], most[1]


def _of_operations(
    called: str, table: TableTarget, environment: DynamoEnvironment, asked: Sequence[tuple[str, str, float | None]]
) -> Iterator[Resource]:
    """Errors and latencies, which have no metric of a table but one for each operation on it."""
    for operation in sorted({operation for name, operation, _ in asked if name == table.name}):
        what, dimensions = f'{operation} on table "{table.name}"', {"TableName": table.name, "Operation": operation}
        limits = [limit for name, other, limit in asked if (name, other) == (table.name, operation) and limit]
        told = [(SYSTEM_ERRORS, of_setting(SYSTEM_ERRORS, environment.alerts))]
        if limits and environment.alerts.latency:
            told.append((SLOW, max(limits)))
        for alarm, threshold in told:
            if threshold is not None:
                path = f"/{operation}"
                yield _resource(
                    alarm, threshold, dimensions, what, called + path, table.name + path, called, environment
                )  # fmt: skip


def _resource(
    alarm: Alarm, threshold: float, dimensions: Mapping[str, str], what: str, called: str, name: str, within: str,
    environment: DynamoEnvironment,
) -> Resource:  # fmt: skip
    return resource(
        alarm, threshold, NAMESPACE, dimensions, what=what, called=called, name=name, within=within,
        tags=environment.tags,
    )  # fmt: skip


def _asked(planned: Sequence[Any]) -> Iterator[tuple[str, str, float | None]]:
    """(physical table, operation, ms that 99 of 100 calls may take) of each request that a pattern sends."""
    for one in planned:
        sent: Any = query(one)
        for request in sent if isinstance(sent, list) else [sent]:
            for table in sorted(_tables(request)):
                yield table, str(request["operation"]), one.pattern.load.p99_ms


def _tables(request: Any) -> set[str]:
    match request["operation"]:
        case "BatchGetItem" | "BatchWriteItem":
            return set(request["RequestItems"])
        case "TransactWriteItems":
            return {part["TableName"] for item in request["TransactItems"] for part in item.values()}
        case _:
            return {request["TableName"]}
