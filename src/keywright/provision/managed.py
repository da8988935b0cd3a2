"""Parameter groups of managed services as resources of the AWS provider."""

from typing import Any

import pulumi_aws as aws

from keywright.engines.resource import Resource

from .naming import snake


def resource(group: Resource) -> Any:
    """The resource of a parameter group.

    Pulumi names it: another family makes another group, and the old one goes once nothing takes it any more.
    """
    return class_of(group.type)(group.name, **snake(group.inputs))


def class_of(type: str) -> Any:
    """The class of the SDK for a type such as `aws:appautoscaling/target:Target`."""
    _, module, name = type.split(":")
    return getattr(getattr(aws, module.split("/")[0]), name)
