"""Alarms of CloudWatch in a program: which metrics of a store they watch, and how."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .resource import NotKnown, Resource

ALARM = "aws:cloudwatch/metricAlarm:MetricAlarm"
"""The type of the resource."""

STORES = ("AWS/DynamoDB", "AWS/DAX", "AWS/Cassandra", "AWS/ElastiCache", "AWS/MemoryDB", "AWS/DocDB")
"""Namespaces of the metrics of stores.
Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/aws-services-cloudwatch-metrics.html,
2026-11-22."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One metric that an alarm watches."""

    alarm: Resource
    """The alarm."""
    namespace: str
    """The namespace of the metric."""
    metric: str
    """Its name."""
    statistic: str
    """What is taken of a period: `Average`, `p99`."""
    dimensions: Any
    """Of what; not known where that is made of resources that are still to come."""

    def is_of(self, other: Resource, dimension: str, name: str) -> bool:
        """Whether it is about a resource: by its name in a dimension, or made of it."""
        needs = self.alarm.needs
        if any(other.urn in needs.get(argument, ()) for argument in ("dimensions", "metricQueries")):
            return True
        try:
            return bool(self.dimensions.get(dimension) == name)
        except NotKnown:
            return False


def watched(one: Resource) -> Iterator[Watched]:
    """The metrics of stores that an alarm watches, by itself or by its queries; none for any other resource."""
    if one.type != ALARM:
        return
    queries = one.value("metricQueries") or ()
    rows: list[Any] = [one.inputs, *(query["metric"] for query in queries if query.get("metric"))]
    for row in rows:
        if row.get("namespace") in STORES:
            statistic = row.get("extendedStatistic") or row.get("statistic") or row.get("stat") or ""
            yield Watched(
                one, str(row["namespace"]), str(row.get("metricName")), str(statistic), row.get("dimensions", {})
            )


def unwatched(
    all: Sequence[Resource], types: Mapping[str, str], namespace: str, metrics: Iterable[str]
) -> Iterator[tuple[Resource, list[str]]]:
    """(resource, metrics that no alarm watches) of everything that is watched too little.

    types: the argument that holds the name, by the type of resource. namespace: that of the metrics.
    """
    alarms = [metric for one in all for metric in watched(one) if metric.namespace == namespace]
    for one in all:
        if one.type in types:
            argument = types[one.type]
            name = str(one.value(argument)) if one.is_known(argument) else ""
            found = {metric.metric for metric in alarms if _is_about(metric, one, name)}
            if missing := [metric for metric in metrics if metric not in found]:
                yield one, missing


def _is_about(metric: Watched, one: Resource, name: str) -> bool:
    """Whether a metric is of a resource, or of one of its nodes, whose names begin with its own."""
    if metric.is_of(one, "", name):
        return True
    try:
        values = [str(value) for value in metric.dimensions.values()]
    except NotKnown:
        return False
    return bool(name) and any(value == name or value.startswith(f"{name}-") for value in values)
