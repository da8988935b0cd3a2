"""CloudWatch alarms as plain data and as resources of a stack."""

import re
from collections.abc import Mapping
from typing import Literal

from keywright.ir.json import Json
from keywright.ir.text import counted, exact
from keywright.record import Record

from ..contract.resource import StackResource

ALARM = "aws:cloudwatch/metricAlarm:MetricAlarm"
"""The type of the resource."""

_THRESHOLD = re.compile(r"\{threshold(?::([a-z ]+))?\}")


class Alarm(Record, kw_only=True):
    """An alarm with a fixed threshold, never on an average latency or an anomaly band."""

    name: str
    """Its name, after the name of the monitored resource."""
    metric: str
    """The metric."""
    statistic: str = "Sum"
    """The statistic of a period, such as `Sum`, or a percentile such as `p99`."""
    fires_when: Literal["above", "below"] = "above"
    """The side of the threshold on which it fires."""
    threshold: str
    """The setting with the threshold; empty if the threshold follows from another value."""
    period: int = 60
    """Seconds."""
    periods: int = 1
    """Consecutive periods that must be beyond the threshold."""
    missing: Literal["notBreaching", "breaching"] = "notBreaching"
    """The treatment of a period without data."""
    summary: str
    """One sentence; `{threshold}` is the number, `{what}` the monitored resource."""


def of_setting(alarm: Alarm, thresholds: object) -> float | None:
    """The threshold in an environment's settings; None for a disabled alarm."""
    value: float | None = getattr(thresholds, alarm.threshold)
    return value


def resource(
    alarm: Alarm, threshold: float, namespace: str, dimensions: Mapping[str, str], *, what: str, called: str,
    name: str, within: str = "", tags: Mapping[str, str] | None = None,
) -> StackResource:  # fmt: skip
    """The resource of an alarm.

    what: the monitored resource in words. called: its name in the stack. name: its physical name, the first part of
    the alarm's name. within: the resource that must exist first.
    """
    is_percentile = alarm.statistic.startswith("p")
    statistic: dict[str, Json] = (
        {"extendedStatistic": alarm.statistic, "evaluateLowSampleCountPercentiles": "ignore"}
        if is_percentile
        else {"statistic": alarm.statistic}
    )
    inputs: dict[str, Json] = {
        "name": f"{name}/{alarm.name}",
        "alarmDescription": sentence(alarm.summary, threshold).replace("{what}", what),
        "namespace": namespace,
        "metricName": alarm.metric,
        "dimensions": dict(dimensions),
        **statistic,
        "period": alarm.period,
        "evaluationPeriods": alarm.periods,
        "comparisonOperator": f"{'Greater' if alarm.fires_when == 'above' else 'Less'}ThanThreshold",
        "threshold": int(threshold) if threshold == int(threshold) else threshold,
        "treatMissingData": alarm.missing,
        "tags": dict(tags or {}),
    }
    return StackResource(ALARM, f"{called}/alarm/{alarm.name}", f"{name}/{alarm.name}", inputs, within)


def sentence(summary: str, threshold: float) -> str:
    """A summary with its threshold in place of `{threshold}` or, with a noun, of `{threshold:call}`."""
    match = _THRESHOLD.search(summary)
    if match is None:
        return summary
    return summary.replace(match[0], counted(threshold, match[1]) if match[1] else exact(threshold))


def with_topic(stack_resource: StackResource, topic: str | None) -> StackResource:
    """An alarm that notifies a topic when it fires and when it is over; the alarm itself for None."""
    if topic is None:
        return stack_resource
    actions: dict[str, Json] = {"alarmActions": [topic], "okActions": [topic]}
    return StackResource(
        stack_resource.type,
        stack_resource.name,
        stack_resource.id,
        {**stack_resource.inputs, **actions},
        stack_resource.within,
        stack_resource.ignores,
    )
