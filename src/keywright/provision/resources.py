"""Alarms and parameter groups as resources of the AWS provider, and resources of keywright's own provider."""

from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_aws as aws

from keywright.engines.contract.resource import StackResource
from keywright.engines.monitoring.alarms import ALARM

from .values import sent, snake


def alarm_resource(
    alarm: StackResource, topic: pulumi.Input[str] | None, options: pulumi.ResourceOptions | None = None
) -> Any:
    """The resource of a CloudWatch alarm.

    topic: ARN of the alarm's topic, if it is not the environment's.
    """
    return class_of(ALARM)(alarm.name, **(snake(alarm.inputs) | _actions(topic)), opts=options)


def _actions(topic: pulumi.Input[str] | None) -> dict[str, Any]:
    return {} if topic is None else {"alarm_actions": [topic], "ok_actions": [topic]}


def parameter_group(group: StackResource) -> Any:
    """The resource of a parameter group of a managed service.

    Pulumi generates the name: another family is a new group, and the old group is deleted after its last use.
    """
    return class_of(group.type)(group.name, **snake(group.inputs))


def class_of(type: str) -> Any:
    """The class of the SDK for a type such as `aws:appautoscaling/target:Target`."""
    _, module, name = type.split(":")
    return getattr(getattr(aws, module.split("/")[0]), name)


def provider_resource(
    resource: StackResource, environment: str | None, after: Sequence[pulumi.Resource], is_protected: bool = False
) -> pulumi.Resource:
    """A collection, keyspace, table or settings of a server as a resource of keywright's own provider.

    environment: the environment, if the stack has another name. after: the resources to create first.
    is_protected: whether the resource cannot be replaced or deleted, and outlives its stack.
    """
    options = pulumi.ResourceOptions(protect=is_protected, retain_on_delete=is_protected, depends_on=after)
    inputs: dict[str, Any] = {key: sent(value) for key, value in resource.inputs.items()}
    if environment is not None:
        inputs["environment"] = environment
    return pulumi.CustomResource(resource.type, resource.name, inputs, options)
