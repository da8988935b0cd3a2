"""Alarms of CloudWatch as resources of the AWS provider."""

from typing import Any

import pulumi

from keywright.engines.alarms import ALARM
from keywright.engines.resource import Resource

from .managed import class_of
from .naming import snake


def resource(alarm: Resource, topic: pulumi.Input[str] | None, options: pulumi.ResourceOptions | None = None) -> Any:
    """The resource of an alarm.

    topic: the ARN of the topic that it tells, where that is not the environment's.
    """
    return class_of(ALARM)(alarm.name, **(snake(alarm.inputs) | _actions(topic)), opts=options)


def _actions(topic: pulumi.Input[str] | None) -> dict[str, Any]:
    return {} if topic is None else {"alarm_actions": [topic], "ok_actions": [topic]}
