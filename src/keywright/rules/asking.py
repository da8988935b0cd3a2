"""How rules are asked of a project and of its live stores: each by what it is told, whatever the others do."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb
from typing import Any

from keywright.engines.flaws.context import Flaw, Stored, Whole
from keywright.engines.flaws.observation import Seen
from keywright.engines.flaws.resource import NotKnown

from .models import MODELS
from .options import Options
from .parameters import arguments
from .rule import Rule, Severity
from .seen import told as told_of

CRASHED = Rule("RUN001", is_suppressible=False)
"""A rule that failed: its silence would pass for a sound project."""


def flaws(
    whole: Whole, options: Options, *, follows_models: bool, seen: Iterable[Seen] = ()
) -> Iterator[tuple[Rule, Severity, Flaw]]:
    """Everything that is wrong with a project, and how bad it is; of one thing only what says it most exactly.

    What is told in place of something worse is as bad as that. follows_models: whether the environment follows its
    models, as development does. seen: what was seen of its live stores.
    """
    found = tuple(_all_flaws(whole, tuple(seen), options, follows_models=follows_models))
    about: dict[str, list[tuple[Rule, Severity, Flaw]]] = {}
    for one in found:
        about.setdefault(one[2].subject, []).append(one)
    for rule, severity, flaw in found:
        same = [one for one in about[flaw.subject] if _is_same(flaw, one[2])]
        if not any(rule.code in other.instead_of for other, _, _ in same):
            replaced = (other for one, other, _ in same if one.code in rule.instead_of)
            yield rule, min((severity, *replaced), key=_WORST_FIRST.index), flaw


_WORST_FIRST: tuple[Severity, ...] = ("error", "warning", "info")


def _is_same(one: Flaw, other: Flaw) -> bool:
    """Whether two flaws are about one thing, of which one may name the field and the other not."""
    return (
        one.subject == other.subject
        and one.part == other.part
        and (one.field == other.field or not one.field or not other.field)
    )


def _all_flaws(
    whole: Whole, seen: tuple[Seen, ...], options: Options, *, follows_models: bool
) -> Iterator[tuple[Rule, Severity, Flaw]]:
    engines = {physical.engine for physical in whole.design.physicals}
    for rule in MODELS:
        severity = options.severity(rule, follows_models=follows_models)
        if severity is None or not any(is_about(rule, engine) for engine in engines):
            continue  # to ask what is about another engine would import that
        given = options.given(rule)
        for told, finder in (*_told(rule, whole), *_seen(rule, seen)):
            for found, flaw in judged(rule, finder, told, given):
                if found is not rule:
                    yield found, found.severity, flaw
                elif flaw.severity is None:
                    yield rule, severity, flaw
                else:
                    milder = options.severity(
                        replace(rule, severity=flaw.severity, in_dev=None), follows_models=follows_models
                    )
                    if milder is not None:
                        yield rule, milder, flaw


def judged(
    rule: Rule, finder: Callable[..., Iterable[Flaw]], told: Any, given: Mapping[str, Any]
) -> Iterator[tuple[Rule, Flaw]]:
    """What one finder says, with its rule; if it fails, also that, with the rule of what fails.

    told: what it is told. given: values of the rule's parameters. NotKnown where it asks for what is not known yet.
    """
    try:
        for flaw in finder(told, **arguments(finder, given)):
            yield rule, flaw
    except NotKnown:
        raise  # whoever told it of resources knows what to make of that
    except Exception as error:  # noqa: BLE001  # whatever a rule does wrong, the others are asked
        last = extract_tb(error.__traceback__)[-1]
        yield (
            CRASHED,
            Flaw(
                problem=f"the rule {rule.code} failed: {type(error).__name__}: {error} "
                f"({Path(last.filename).name}:{last.lineno})",
                help=f'the other rules were asked all the same; report it, and say ignore = ["{rule.code}"] until then',
                subject=rule.code,
            ),
        )


def _told(rule: Rule, whole: Whole) -> Iterator[tuple[Whole | Stored, Callable[..., Iterable[Flaw]]]]:
    if (finder := rule.finder("models")) is not None:
        yield whole, finder
    if (finder := rule.finder("stored")) is not None:
        yield from ((one, finder) for one in whole.targets if is_about(rule, one.engine))


def _seen(rule: Rule, seen: tuple[Seen, ...]) -> Iterator[tuple[Any, Callable[..., Iterable[Flaw]]]]:
    return told_of(rule, (one for one in seen if is_about(rule, one.target.engine)))


def is_about(rule: Rule, engine: str) -> bool:
    """Whether a rule is about an engine; the portable ones are about all."""
    return rule.engine in ("", engine)
