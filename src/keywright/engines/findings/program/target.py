"""Placed targets from the resources of a Pulumi program, as each engine's `schema/program.py` describes them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from keywright.engines.contract.resource import StackResource
from keywright.engines.environment import EngineEnvironment
from keywright.record import Record, field

from .resource import ProgramResource, Unknown

ProgramTarget: TypeAlias = tuple[Any, EngineEnvironment]
"""A placed target and its environment."""

_OPAQUE = ("name", "kmsKeyArn", "kmsKeyId", "description", "family", "tags")
"""Inputs that no rule for targets reads: if they are unknown, the other inputs are still checked."""

_OWNED = ("pointInTimeRecovery", "serverSideEncryption", "deletionProtectionEnabled")
"""Inputs that only rules for infrastructure check: unknown values are omitted from the target."""

_UNKNOWN = "(not known)"


def _nothing(parts: Sequence[StackResource], environment: EngineEnvironment | None) -> None:
    """The target of an engine whose resources are all complete targets."""


class ProgramTargets(Record, kw_only=True):
    """The resources of a program that are targets of one engine."""

    alone: Mapping[
        str, Callable[[ProgramResource, Sequence[ProgramResource], EngineEnvironment | None], ProgramTarget]
    ] = field(default_factory=dict)
    """By type of a resource that is a complete target: (resource, all resources of the program, the engine's part
    of the stack's environment)."""
    target_inputs: Mapping[str, str] = field(default_factory=dict)
    """By type of a resource that is part of a target: the input with the name of the target."""
    together: Callable[[Sequence[StackResource], EngineEnvironment | None], ProgramTarget | None] = _nothing
    """(parts of one target, the same part of the environment); None if the program creates only a part of it."""


def stack_resource(resource: ProgramResource) -> StackResource:
    """A resource of a program with readable inputs."""
    return StackResource(resource.type, resource.name, resource.name, readable(resource.inputs))


def readable(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs with placeholders for unknown values that no rule reads."""
    return {key: _named(key, value) for key, value in inputs.items() if key not in _OWNED or not _has_unknown(value)}


def _has_unknown(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_unknown, value.values()))
    return isinstance(value, Unknown)


def _named(key: str, value: Any) -> Any:
    match value:
        case Unknown() if key in _OPAQUE:
            return {} if key == "tags" else _UNKNOWN
        case dict():
            return {inner: _named("tags" if key == "tags" else inner, part) for inner, part in value.items()}
        case list():
            return [_named(key, part) for part in value]
    return value
