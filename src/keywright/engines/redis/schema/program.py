"""Placed servers from the settings and parameter groups of a Pulumi program."""

from collections.abc import Sequence
from typing import Any

from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.findings.program.target import ProgramTarget, ProgramTargets, stack_resource

from ..declare.settings import RedisEnvironment
from . import parameter_groups
from .resources import SETTINGS, from_resources
from .target import ServerTarget


def _settings(
    resource: ProgramResource, related: Sequence[ProgramResource], environment: EngineEnvironment | None
) -> ProgramTarget:
    server = from_resources((stack_resource(resource),))
    return server, _environment(server, environment)


def _parameter_group(
    resource: ProgramResource, related: Sequence[ProgramResource], environment: EngineEnvironment | None
) -> ProgramTarget:
    server = parameter_groups.from_resource(stack_resource(resource))
    return server, _environment(server, environment)


def _environment(server: ServerTarget, environment: EngineEnvironment | None) -> EngineEnvironment:
    """The environment of a server, in which the program takes precedence over the stack file."""
    placement = server.placement
    if placement is None or (isinstance(environment, RedisEnvironment) and environment.flavour == placement.flavour):
        return environment or RedisEnvironment(flavour="redis")
    flavour: Any = placement.flavour
    return RedisEnvironment(flavour=flavour, version=placement.version, replicas=placement.replicas)


TARGETS = ProgramTargets(
    alone={SETTINGS: _settings, **dict.fromkeys(parameter_groups.TYPES.values(), _parameter_group)}
)
"""Each is a complete server."""
