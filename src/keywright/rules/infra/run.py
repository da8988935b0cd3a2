"""Runs one rule on the resources of a program."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import NotKnown, ProgramResource
from keywright.record import replace
from keywright.rules.rule import Rule
from keywright.rules.run import is_about, run_finder

from .program_targets import ALONE, TOGETHER, ProgramTarget, target_of, targets_of

_RELATED = ("DDB026",)
"""Rules in these families that also read related resources."""


def is_of_resources(rule: Rule) -> bool:
    """Whether a rule checks each resource separately, before the update; otherwise it needs all resources."""
    if rule.finder("stack") is not None or rule.code in _RELATED:
        return False
    return rule.finder("stored") is None or rule.engine in ALONE.values()


def on_resource(
    rule: Rule,
    resource: ProgramResource,
    environment: Mapping[str, EngineEnvironment],
    arguments: Mapping[str, Any],
    all: Sequence[ProgramResource] = (),
) -> Iterator[FindingDraft]:
    """The findings of a rule in one resource; raises NotKnown if the rule needs a value that is not known yet.

    environment: each engine's part of the stack's environment, by its name. arguments: values of the rule's parameters.
    all: all resources of the program, if they are known.
    """
    if (finder := rule.finder("resource")) is not None:
        yield from _without_questions(rule, finder, resource, arguments)
    if resource.type in ALONE and is_about(rule, ALONE[resource.type]) and rule.finder("stored") is not None:
        for target in target_of(resource, environment, all):
            yield from _stored(rule, target, arguments)


def on_stack(
    rule: Rule,
    all: Sequence[ProgramResource],
    environment: Mapping[str, EngineEnvironment],
    arguments: Mapping[str, Any],
) -> Iterator[FindingDraft]:
    """The findings of a rule in all resources, like `on_resource`. Unknown values do not hide other findings."""
    unknown: list[NotKnown] = []
    parts = [on_resource(rule, resource, environment, arguments, all) for resource in all]
    for part in (*parts, _on_all(rule, all, environment, arguments)):
        try:
            yield from part
        except NotKnown as error:
            unknown.append(error)
    if unknown:
        raise unknown[0]


def _on_all(
    rule: Rule,
    all: Sequence[ProgramResource],
    environment: Mapping[str, EngineEnvironment],
    arguments: Mapping[str, Any],
) -> Iterator[FindingDraft]:
    if (finder := rule.finder("stack")) is not None:
        yield from _without_questions(rule, finder, all, arguments)
    if rule.finder("stored") is not None:
        parts = [resource for resource in all if resource.type in TOGETHER and is_about(rule, TOGETHER[resource.type])]
        for target in targets_of(parts, environment):
            yield from _stored(rule, target, arguments)


def _stored(rule: Rule, target: ProgramTarget, arguments: Mapping[str, Any]) -> Iterator[FindingDraft]:
    """The findings of a rule for targets, with a resource as their subject."""
    finder = rule.finder("stored")
    if finder is not None:
        for draft in _without_questions(rule, finder, target.stored, arguments):
            yield replace(draft, subject=target.urn(draft))


def _without_questions(
    rule: Rule, finder: Callable[..., Iterable[FindingDraft]], subject: Any, arguments: Mapping[str, Any]
) -> Iterator[FindingDraft]:
    """The findings of a finder without its questions, which nobody could answer in a program."""
    drafts = (draft for _, draft in run_finder(rule, finder, subject, arguments))
    return (draft for draft in drafts if draft.severity != "question")
