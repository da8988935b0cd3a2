"""CloudWatch alarms of a Pulumi program: the metrics of stores that they monitor."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from keywright.engines.registry import NAMES
from keywright.record import Record

from .catalogue import catalogues_of
from .program.resource import NotKnown, ProgramResource

ALARM = "aws:cloudwatch/metricAlarm:MetricAlarm"
"""The type of the resource."""


@cache
def _namespaces() -> frozenset[str]:
    """Namespaces of the metrics of stores.

    Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/aws-services-cloudwatch-metrics.html,
    2026-11-22.
    """
    return frozenset(namespace for catalogue in catalogues_of(NAMES) for namespace in catalogue.namespaces)


class Watched(Record):
    """One metric that an alarm monitors."""

    alarm: ProgramResource
    """The alarm."""
    namespace: str
    """The namespace of the metric."""
    metric: str
    """Its name."""
    statistic: str
    """The statistic of a period, such as `Average` or `p99`."""
    dimensions: Any
    """The dimensions; `Unknown` if they depend on resources that do not exist yet."""

    def is_of(self, other: ProgramResource, dimension: str, name: str) -> bool:
        """Whether it is a metric of a resource, by the name in a dimension or by a reference to the resource."""
        needs = self.alarm.needs
        if any(other.urn in needs.get(argument, ()) for argument in ("dimensions", "metricQueries")):
            return True
        try:
            return bool(self.dimensions.get(dimension) == name)
        except NotKnown:
            return False


def watched(resource: ProgramResource) -> Iterator[Watched]:
    """The metrics of stores that an alarm monitors, directly or by its queries; none for any other resource."""
    if resource.type != ALARM:
        return
    queries = resource.value("metricQueries") or ()
    rows: list[Any] = [resource.inputs, *(query["metric"] for query in queries if query.get("metric"))]
    for row in rows:
        if row.get("namespace") in _namespaces():
            statistic = row.get("extendedStatistic") or row.get("statistic") or row.get("stat") or ""
            yield Watched(
                resource, str(row["namespace"]), str(row.get("metricName")), str(statistic), row.get("dimensions", {})
            )


def unwatched(
    all: Sequence[ProgramResource], types: Mapping[str, str], namespace: str, metrics: Iterable[str]
) -> Iterator[tuple[ProgramResource, list[str]]]:
    """(resource, metrics without an alarm) of every resource that lacks one of the alarms.

    types: the argument with the name, by the type of resource. namespace: the namespace of the metrics.
    """
    alarms = [metric for resource in all for metric in watched(resource) if metric.namespace == namespace]
    for program_resource in all:
        if program_resource.type in types:
            argument = types[program_resource.type]
            name = str(program_resource.value(argument)) if program_resource.is_known(argument) else ""
            monitored = {metric.metric for metric in alarms if _is_about(metric, program_resource, name)}
            if missing := [metric for metric in metrics if metric not in monitored]:
                yield program_resource, missing


def _is_about(metric: Watched, resource: ProgramResource, name: str) -> bool:
    """Whether a metric belongs to a resource, or to one of its nodes, whose names start with the resource's name."""
    if metric.is_of(resource, "", name):
        return True
    try:
        values = [str(value) for value in metric.dimensions.values()]
    except NotKnown:
        return False
    return bool(name) and any(value == name or value.startswith(f"{name}-") for value in values)
