"""Placed targets from the resources of a program, so that the rules for targets check them too."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby

from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.findings.program.target import ProgramTargets, stack_resource
from keywright.engines.registry import NAMES, module_of
from keywright.record import Record

_TARGETS: dict[str, ProgramTargets] = {
    name: module.TARGETS for name in NAMES if (module := module_of(name, "program")) is not None
}

ALONE = {type: name for name, targets in _TARGETS.items() for type in targets.alone}
"""The engine by the type of a resource that is a complete target."""

TOGETHER = {type: name for name, targets in _TARGETS.items() for type in targets.target_inputs}
"""The engine by the type of a resource that is part of a target."""


class ProgramTarget(Record):
    """A target with its resources."""

    stored: TargetInEnvironment
    """The target."""
    resources: tuple[ProgramResource, ...]
    """The resources."""

    def urn(self, draft: FindingDraft) -> str:
        """The resource of a finding: its part, otherwise the first resource."""
        names = {str(resource.inputs.get("name")): resource.urn for resource in reversed(self.resources)}
        return next((names[name] for name in (draft.part, draft.subject) if name in names), self.resources[0].urn)


def target_of(
    resource: ProgramResource, environment: Mapping[str, EngineEnvironment], related: Sequence[ProgramResource] = ()
) -> Iterator[ProgramTarget]:
    """The target of a single resource; none for another type of resource, and for inputs that its provider rejects.

    environment: the existing parts of engines, by name. related: all resources of the program, if known, because
    autoscaling is part of a table. Raises NotKnown if a relevant input is unknown.
    """
    if resource.type in ALONE:
        engine = ALONE[resource.type]
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            placed, part = _TARGETS[engine].alone[resource.type](resource, related, environment.get(engine))
            yield ProgramTarget(TargetInEnvironment(engine, placed, placed, part), (resource,))


def targets_of(all: Sequence[ProgramResource], environment: Mapping[str, EngineEnvironment]) -> Iterator[ProgramTarget]:
    """The targets of several resources: databases with their collections, keyspaces with their tables.

    A target that the program creates only in part is omitted.
    """
    rows = sorted((resource for resource in all if resource.type in TOGETHER), key=_container)
    for (engine, _), members in groupby(rows, key=_container):
        resources = tuple(members)
        stack_resources = [stack_resource(resource) for resource in resources]
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            target = _TARGETS[engine].together(stack_resources, environment.get(engine))
            if target is not None:
                placed, part = target
                yield ProgramTarget(TargetInEnvironment(engine, placed, placed, part), resources)


def _container(resource: ProgramResource) -> tuple[str, str]:
    """(engine, name of the target) of a part."""
    engine = TOGETHER[resource.type]
    return engine, str(resource.inputs[_TARGETS[engine].target_inputs[resource.type]])
