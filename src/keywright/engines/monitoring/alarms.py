"""Alarms of CloudWatch as plain data, and as resources of a stack."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from keywright.ir.json import Json

from .resource import Resource

ALARM = "aws:cloudwatch/metricAlarm:MetricAlarm"
"""The type of the resource."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """An alarm: fixed thresholds, percentiles, and never a mean of latencies or a band."""

    name: str
    """What it is called behind what it is about."""
    metric: str
    """The metric."""
    statistic: str = "Sum"
    """What is taken of a period: a statistic, or a percentile such as `p99`."""
    tells: Literal["above", "below"] = "above"
    """On which side of the threshold it is told."""
    threshold: str
    """The setting that says from where on; empty where that follows from something else."""
    period: int = 60
    """Seconds."""
    periods: int = 1
    """Periods in a row that must be beyond the threshold."""
    missing: Literal["notBreaching", "breaching"] = "notBreaching"
    """What a period without data is."""
    summary: str
    """One sentence; `{threshold}` stands for the number, `{what}` for what it is about."""


def of_setting(alarm: Alarm, thresholds: object) -> float | None:
    """The threshold by an environment's settings; None for an alarm that is switched off."""
    value: float | None = getattr(thresholds, alarm.threshold)
    return value


def resource(
    alarm: Alarm, threshold: float, namespace: str, dimensions: Mapping[str, str], *, what: str, called: str,
    name: str, within: str = "", tags: Mapping[str, str] | None = None,
) -> Resource:  # fmt: skip
    """The resource of an alarm.

    what: the thing that it is about, in words. called: that thing as the stack calls it. name: its physical name, with
    which that of the alarm begins. within: the resource that must be there first.
    """
    is_percentile = alarm.statistic.startswith("p")
    statistic: dict[str, Json] = (
        {"extendedStatistic": alarm.statistic, "evaluateLowSampleCountPercentiles": "ignore"}
        if is_percentile
        else {"statistic": alarm.statistic}
    )
    inputs: dict[str, Json] = {
        "name": f"{name}/{alarm.name}",
        "alarmDescription": alarm.summary.format(threshold=shown(threshold), what=what),
        "namespace": namespace,
        "metricName": alarm.metric,
        "dimensions": dict(dimensions),
        **statistic,
        "period": alarm.period,
        "evaluationPeriods": alarm.periods,
        "comparisonOperator": f"{'Greater' if alarm.tells == 'above' else 'Less'}ThanThreshold",
        "threshold": int(threshold) if threshold == int(threshold) else threshold,
        "treatMissingData": alarm.missing,
        "tags": dict(tags or {}),
    }
    return Resource(ALARM, f"{called}/alarm/{alarm.name}", f"{name}/{alarm.name}", inputs, within)


def shown(number: float) -> str:
    """A number as a sentence has it: without a fraction of nothing."""
    return f"{number:.10g}"


def told(one: Resource, topic: str | None) -> Resource:
    """An alarm that tells a topic, also when it is over."""
    if topic is None:
        return one
    actions: dict[str, Json] = {"alarmActions": [topic], "okActions": [topic]}
    return Resource(one.type, one.name, one.id, {**one.inputs, **actions}, one.within, one.ignores)
