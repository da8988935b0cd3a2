"""What is only remembered, in the state of the stack: scaling, insights, who follows a stream, parameter groups."""

from collections.abc import Iterator
from typing import NamedTuple

from keywright.engines.contract.resource import Inputs


class Kind(NamedTuple):
    """One type of resource."""

    needed: tuple[str, ...]
    """Inputs that it cannot be without."""
    fixed: tuple[str, ...]
    """Inputs whose change needs another resource; together they say where it is."""
    arn: str
    """What its ARN begins with."""
    is_named: bool = False
    """Whether it has a name, which is where it is, and one that nobody gives is made up."""


_GROUP = Kind(("family",), ("name", "family", "description"), "parameter-group", is_named=True)

_SCALED = ("serviceNamespace", "resourceId", "scalableDimension")

KINDS = {
    "aws:appautoscaling/target:Target": Kind((*_SCALED, "minCapacity", "maxCapacity"), _SCALED, "scalable-target"),
    "aws:appautoscaling/policy:Policy": Kind(
        (*_SCALED, "targetTrackingScalingPolicyConfiguration"), (*_SCALED, "name"), "scaling-policy"
    ),
    "aws:appautoscaling/scheduledAction:ScheduledAction": Kind(
        (*_SCALED, "schedule", "scalableTargetAction"), (*_SCALED, "name"), "scheduled-action"
    ),
    "aws:dynamodb/contributorInsights:ContributorInsights": Kind(
        ("tableName",), ("tableName", "indexName"), "insights"
    ),
    "aws:dynamodb/kinesisStreamingDestination:KinesisStreamingDestination": Kind(
        ("tableName", "streamArn"), ("tableName", "streamArn"), "kinesis"
    ),
    "aws:cloudwatch/metricAlarm:MetricAlarm": Kind(
        ("name", "comparisonOperator", "evaluationPeriods", "threshold", "metricName", "namespace", "period"),
        ("name",),
        "alarm",
        is_named=True,
    ),
    "aws:lambda/eventSourceMapping:EventSourceMapping": Kind(
        ("functionName", "eventSourceArn", "startingPosition"), ("eventSourceArn", "startingPosition"), "mapping"
    ),
    "aws:elasticache/parameterGroup:ParameterGroup": _GROUP,
    "aws:memorydb/parameterGroup:ParameterGroup": _GROUP,
    "aws:docdb/clusterParameterGroup:ClusterParameterGroup": _GROUP,
    "aws:elasticache/replicationGroup:ReplicationGroup": Kind(
        ("description", "replicationGroupId"), ("replicationGroupId",), "replication-group"
    ),
}
"""By the name of the type."""

COMPUTED = ("arn",)
"""Outputs that only the service knows."""


def wrong(type: str, inputs: Inputs) -> Iterator[tuple[str, str]]:
    """(input, reason) of what the provider refuses."""
    for name in KINDS[type].needed:
        if inputs.get(name) is None:
            yield name, "is missing"
    least, most = inputs.get("minCapacity"), inputs.get("maxCapacity")
    if least is not None and most is not None and least > most:
        yield "minCapacity", f"{least} is above the most, {most}"


def named(type: str, inputs: Inputs, before: Inputs, drawn: str) -> Inputs:
    """The inputs with a name, where one is to be made up: that of before, else the one that was drawn."""
    if type in KINDS and KINDS[type].is_named and "name" not in inputs:
        return {**inputs, "name": before.get("name") or drawn}
    return inputs


def create(type: str, inputs: Inputs) -> tuple[str, Inputs]:
    """The id of what is made, and its outputs."""
    kind = KINDS[type]
    parts = ("name",) if kind.is_named else kind.fixed
    id = "/".join(str(inputs[name]) for name in parts if name in inputs)
    return id, {**inputs, "arn": f"arn:aws:standin:eu-west-1:000000000000:{kind.arn}/{id}"}
