"""CloudWatch alarms as PutMetricAlarm requests, for projects without a Pulumi stack.

Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html, 2026-11-22.
"""

import json
from collections.abc import Iterable
from typing import Any

from keywright.engines.contract.resource import StackResource

_PARAMETERS = {
    "evaluateLowSampleCountPercentiles": "EvaluateLowSampleCountPercentile", "name": "AlarmName",
    "okActions": "OKActions",
}  # fmt: skip
"""Request parameters of the inputs with other names; every other parameter is the input's name with a capital."""


def requests(alarms: Iterable[StackResource]) -> str:
    """JSON list of the PutMetricAlarm requests."""
    return json.dumps([_request(alarm) for alarm in alarms], indent=2, ensure_ascii=False) + "\n"


def _request(alarm: StackResource) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for name, value in alarm.inputs.items():
        if name in ("dimensions", "tags"):
            assert isinstance(value, dict)
            key = "Name" if name == "dimensions" else "Key"
            value = [{key: label, "Value": inner} for label, inner in value.items()]
        if value != []:
            parameters[_PARAMETERS.get(name, name[0].upper() + name[1:])] = value
    return parameters
