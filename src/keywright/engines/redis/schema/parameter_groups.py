"""Settings of a server that a service runs: parameters of a group, which a service uses in place of CONFIG.

Sources: https://www.pulumi.com/registry/packages/aws/api-docs/elasticache/parametergroup/ and
https://www.pulumi.com/registry/packages/aws/api-docs/memorydb/parametergroup/, 2026-11-22.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from keywright.engines.contract.resource import StackResource
from keywright.ir.json import Json

from ..declare.settings import RedisEnvironment
from .capabilities import FAMILIES, PARAMETERS, family_of, is_service
from .target import Placement, ServerTarget

TYPES = {
    "elasticache": "aws:elasticache/parameterGroup:ParameterGroup",
    "memorydb": "aws:memorydb/parameterGroup:ParameterGroup",
}
"""Type of the resource by flavour; other services have no parameter groups."""


def parameters(server: ServerTarget, flavour: str) -> Iterator[tuple[str, str]]:
    """(name, value) of each setting of a placed server that is a parameter of its service."""
    return ((name, value) for name, value in server.settings if name in PARAMETERS[flavour])


def parameter_groups(servers: Sequence[ServerTarget], environment: RedisEnvironment) -> dict[str, StackResource]:
    """See `Engine.parameter_groups`: a group for each server that has parameters, by the server's name."""
    if not is_service(environment.flavour):
        return {}
    groups: dict[str, StackResource] = {}
    for server in servers:
        pairs: list[Json] = [{"name": key, "value": value} for key, value in parameters(server, environment.flavour)]
        if pairs:
            inputs: dict[str, Json] = {
                "family": family_of(environment.flavour, environment.version),
                "description": f'Settings of server "{server.name}"',
                "parameters": pairs,
                "tags": dict(environment.tags),
            }
            groups[server.name] = StackResource(
                TYPES[environment.flavour], _resource_name(server.name), server.name, inputs
            )
    return groups


def from_resource(group: StackResource) -> ServerTarget:
    """The settings of the server that uses a parameter group, from any author; its family determines the version."""
    flavour = next(name for name, type in TYPES.items() if type == group.type)
    pairs: Any = group.inputs.get("parameters") or ()
    versions = {family: since for since, family in FAMILIES[flavour]}
    return ServerTarget(
        name=str(group.inputs.get("name") or group.name),
        generation=1,
        settings=tuple(sorted((str(pair["name"]), str(pair["value"])) for pair in pairs)),
        placement=Placement(flavour, versions.get(str(group.inputs.get("family")))),
    )


def _resource_name(server: str) -> str:
    """The group's name in the stack and the prefix of its physical name: letters, digits and single hyphens."""
    return f"parameters-{re.sub('[^a-z0-9]+', '-', server.lower()).strip('-')}"
