"""Judges the resources of a program by one rule."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from keywright.engines.environment import Environment
from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import NotKnown, Resource
from keywright.rules.asking import is_about, judged
from keywright.rules.rule import Rule

from .stores import ALONE, TOGETHER, Built, alone, together

_FAMILIES = ("DDB", "RED")
"""Beginnings of the codes of rules whose stored things are one resource each."""

_BESIDE = ("DDB026",)
"""Rules of these that ask for what stands beside it all the same."""


def is_of_resources(rule: Rule) -> bool:
    """Whether a rule judges each resource by itself, before anything is made; else it needs to see all of them."""
    if rule.finder("stack") is not None or rule.code in _BESIDE:
        return False
    return rule.finder("stored") is None or rule.code[:3] in _FAMILIES


def on_resource(
    rule: Rule,
    one: Resource,
    environment: Mapping[str, Environment],
    given: Mapping[str, Any],
    all: Sequence[Resource] = (),
) -> Iterator[Flaw]:
    """What a rule finds in one resource; NotKnown where that takes a value that is not known yet.

    environment: each engine's part of the stack's environment, by its name. given: values of the rule's parameters.
    all: the others too, where they are known.
    """
    if (finder := rule.finder("resource")) is not None:
        yield from (flaw for _, flaw in judged(rule, finder, one, given))
    if one.type in ALONE and is_about(rule, ALONE[one.type]) and rule.finder("stored") is not None:
        for built in alone(one, environment, all):
            yield from _stored(rule, built, given)


def on_stack(
    rule: Rule, all: Sequence[Resource], environment: Mapping[str, Environment], given: Mapping[str, Any]
) -> Iterator[Flaw]:
    """What a rule finds in all resources; otherwise like `on_resource`. What is not known yet hides nothing else."""
    unknown: list[NotKnown] = []
    parts = [on_resource(rule, one, environment, given, all) for one in all]
    for part in (*parts, _on_all(rule, all, environment, given)):
        try:
            yield from part
        except NotKnown as error:
            unknown.append(error)
    if unknown:
        raise unknown[0]


def _on_all(
    rule: Rule, all: Sequence[Resource], environment: Mapping[str, Environment], given: Mapping[str, Any]
) -> Iterator[Flaw]:
    if (finder := rule.finder("stack")) is not None:
        yield from (flaw for _, flaw in judged(rule, finder, all, given))
    if rule.finder("stored") is not None:
        parts = [one for one in all if one.type in TOGETHER and is_about(rule, TOGETHER[one.type])]
        for built in together(parts, environment):
            yield from _stored(rule, built, given)


def _stored(rule: Rule, built: Built, given: Mapping[str, Any]) -> Iterator[Flaw]:
    """What a rule of stored things finds, told of the resources."""
    finder = rule.finder("stored")
    if finder is not None:
        for _, flaw in judged(rule, finder, built.stored, given):
            yield replace(flaw, subject=built.urn(flaw))
