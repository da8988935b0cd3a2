"""Collections, keyspaces, tables and server settings as resources of keywright's own provider."""

from collections.abc import Sequence
from typing import Any

import pulumi

from keywright.engines.resource import Resource

from .values import sent


def resource(
    one: Resource, environment: str | None, after: Sequence[pulumi.Resource], is_protected: bool = False
) -> pulumi.Resource:
    """The resource of a stack.

    environment: the environment, where the stack has another name. after: the resources that must be there first.
    is_protected: whether nothing may replace or delete it, and it outlives its stack.
    """
    options = pulumi.ResourceOptions(protect=is_protected, retain_on_delete=is_protected, depends_on=after)
    inputs: dict[str, Any] = {key: sent(value) for key, value in one.inputs.items()}
    if environment is not None:
        inputs["environment"] = environment
    return pulumi.CustomResource(one.type, one.name, inputs, options)
