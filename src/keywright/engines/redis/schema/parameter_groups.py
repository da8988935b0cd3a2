"""Settings of a server that a service runs: parameters of a group, which it takes in place of CONFIG.

Sources: https://www.pulumi.com/registry/packages/aws/api-docs/elasticache/parametergroup/ and
https://www.pulumi.com/registry/packages/aws/api-docs/memorydb/parametergroup/, 2026-11-22.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from keywright.engines.resource import Resource
from keywright.ir.json import Json

from .capabilities import FAMILIES, PARAMETERS, family_of, is_service
from .settings import RedisEnvironment
from .target import Placement, ServerTarget

TYPES = {
    "elasticache": "aws:elasticache/parameterGroup:ParameterGroup",
    "memorydb": "aws:memorydb/parameterGroup:ParameterGroup",
}
"""Type of the resource by flavour; a service that is missing has no parameter groups."""


def parameters(server: ServerTarget, flavour: str) -> Iterator[tuple[str, str]]:
    """(name, value) of each setting of a placed server that is a parameter of its service."""
    return ((name, value) for name, value in server.settings if name in PARAMETERS[flavour])


def parameter_groups(servers: Sequence[ServerTarget], environment: RedisEnvironment) -> dict[str, Resource]:
    """See `Engine.parameter_groups`: one for each server that has parameters, by the server's name."""
    if not is_service(environment.flavour):
        return {}
    groups: dict[str, Resource] = {}
    for server in servers:
        found: list[Json] = [{"name": key, "value": value} for key, value in parameters(server, environment.flavour)]
        if found:
            inputs: dict[str, Json] = {
                "family": family_of(environment.flavour, environment.version),
                "description": f'Settings of server "{server.name}"',
                "parameters": found,
                "tags": dict(environment.tags),
            }
            groups[server.name] = Resource(TYPES[environment.flavour], _called(server.name), server.name, inputs)
    return groups


def from_resource(group: Resource) -> ServerTarget:
    """What a parameter group says of the server that takes it, whoever wrote it; its family tells the version."""
    flavour = next(name for name, type in TYPES.items() if type == group.type)
    told: Any = group.inputs.get("parameters") or ()
    versions = {family: since for since, family in FAMILIES[flavour]}
    return ServerTarget(
        name=str(group.inputs.get("name") or group.name),
        generation=1,
        settings=tuple(sorted((str(one["name"]), str(one["value"])) for one in told)),
        placement=Placement(flavour, versions.get(str(group.inputs.get("family")))),
    )


def _called(server: str) -> str:
    """What the stack calls the group, and its physical name begins with: letters, digits and single hyphens."""
    return f"parameters-{re.sub('[^a-z0-9]+', '-', server.lower()).strip('-')}"
