"""Alarms of CloudWatch as the requests that make them, for who has no stack.

Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html, 2026-11-22.
"""

import json
from collections.abc import Iterable
from typing import Any

from keywright.engines.resource import Resource

_OTHERS = {
    "evaluateLowSampleCountPercentiles": "EvaluateLowSampleCountPercentile", "name": "AlarmName",
    "okActions": "OKActions",
}  # fmt: skip
"""Inputs of the resource that the request calls otherwise; all others begin with a capital there."""


def requests(alarms: Iterable[Resource]) -> str:
    """The inputs of PutMetricAlarm as JSON, a list."""
    return json.dumps([_request(one) for one in alarms], indent=2, ensure_ascii=False) + "\n"


def _request(alarm: Resource) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, value in alarm.inputs.items():
        if name in ("dimensions", "tags"):
            assert isinstance(value, dict)
            key = "Name" if name == "dimensions" else "Key"
            value = [{key: one, "Value": inner} for one, inner in value.items()]
        if value != []:
            told[_OTHERS.get(name, name[0].upper() + name[1:])] = value
    return told
