"""Collections, keyspaces, tables and server settings as resources of keywright's own provider."""

from collections.abc import Mapping
from typing import Any

import pulumi

from keywright.engines.resource import Resource

from .values import sent


def resource(
    one: Resource, environment: str | None, others: Mapping[str, pulumi.Resource], *, is_protected: bool
) -> pulumi.Resource:
    """The resource of a stack.

    environment: the environment, where the stack has another name. others: the resources that are there, by name.
    """
    options = pulumi.ResourceOptions(
        protect=is_protected,
        retain_on_delete=is_protected,
        depends_on=[others[one.within]] if one.within else None,
    )
    inputs: dict[str, Any] = {key: sent(value) for key, value in one.inputs.items()}
    if environment is not None:
        inputs["environment"] = environment
    return pulumi.CustomResource(one.type, one.name, inputs, options)
