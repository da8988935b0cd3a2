"""The run of all rules on a project and its live stores, in which rules fail independently."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.program.resource import NotKnown
from keywright.record import replace

from .live_targets import finders_of
from .models import rules_about
from .options import RuleOptions
from .parameters import arguments
from .rule import SEVERITIES, Rule, Severity

CRASHED = Rule("RUN001", is_suppressible=False)
"""The rule for crashed rules, because missing findings would look like a sound project."""


def run_rules(
    context: RuleContext, options: RuleOptions, *, follows_models: bool, live_targets: Iterable[LiveTarget] = ()
) -> Iterator[tuple[Rule, Severity, FindingDraft]]:
    """(rule, severity, draft) of all findings about a project.

    If two rules report the same cause, only the more specific one is reported, at the higher of the two severities.
    follows_models: whether the environment follows its models, as in development. live_targets: observed live stores.
    """
    findings = tuple(_all_findings(context, tuple(live_targets), options, follows_models=follows_models))
    by_subject: dict[str, list[tuple[Rule, Severity, FindingDraft]]] = {}
    for finding in findings:
        by_subject.setdefault(finding[2].subject, []).append(finding)
    for rule, severity, draft in findings:
        same = [other for other in by_subject[draft.subject] if _is_same(draft, other[2])]
        asks = severity == "question"  # which replaces no finding
        if not any(
            rule.code in other.instead_of and (asks or other_severity != "question")
            for other, other_severity, _ in same
        ):
            replaced = (
                other_severity for other, other_severity, _ in same if other.code in rule.instead_of and not asks
            )
            yield rule, min((severity, *replaced), key=SEVERITIES.index), draft


def _is_same(finding: FindingDraft, other: FindingDraft) -> bool:
    """Whether two findings have the same object, of which one may omit the field or the engine."""
    return (
        finding.subject == other.subject
        and (finding.engine == other.engine or not finding.engine or not other.engine)
        and finding.part == other.part
        and (finding.field == other.field or not finding.field or not other.field)
    )


def _all_findings(
    context: RuleContext, live_targets: tuple[LiveTarget, ...], options: RuleOptions, *, follows_models: bool
) -> Iterator[tuple[Rule, Severity, FindingDraft]]:
    engines = {physical.engine for physical in context.design.physicals}
    for rule in rules_about(engines):
        severity = options.severity(rule, follows_models=follows_models)
        if severity is None or not any(is_about(rule, engine) for engine in engines):
            continue  # running rules of another engine would import that engine
        values = options.arguments(rule)
        for subject, finder in (*_finders(rule, context), *_live_finders(rule, live_targets)):
            for reported, draft in run_finder(rule, finder, subject, values):
                draft = replace(draft, engine=draft.engine or _engine(rule, subject))
                if reported is not rule:
                    yield reported, reported.severity, draft
                elif draft.severity is None:
                    yield rule, severity, draft
                else:
                    milder = options.severity(
                        replace(rule, severity=draft.severity, in_dev=None), follows_models=follows_models
                    )
                    if milder is not None:
                        yield rule, milder, draft


def run_finder(
    rule: Rule, finder: Callable[..., Iterable[FindingDraft]], subject: Any, values: Mapping[str, Any]
) -> Iterator[tuple[Rule, FindingDraft]]:
    """The findings of one finder with its rule; a crash of the finder is a finding of `CRASHED`.

    subject: the input of the finder. values: values of the rule's parameters. Raises NotKnown if the finder reads a
    value that is not known yet.
    """
    try:
        for draft in finder(subject, **arguments(finder, values)):
            yield rule, draft
    except NotKnown:
        raise  # the caller, which passes resources, handles it
    except Exception as error:  # noqa: BLE001  # the other rules must run whatever a rule does
        last = extract_tb(error.__traceback__)[-1]
        yield (
            CRASHED,
            FindingDraft(
                problem=f"the rule {rule.code} failed: {type(error).__name__}: {error} "
                f"({Path(last.filename).name}:{last.lineno})",
                help=f'the other rules have run; report the crash, and set ignore = ["{rule.code}"] until it is fixed',
                subject=rule.code,
            ),
        )


def _finders(
    rule: Rule, context: RuleContext
) -> Iterator[tuple[RuleContext | TargetInEnvironment, Callable[..., Iterable[FindingDraft]]]]:
    if (finder := rule.finder("models")) is not None:
        yield context, finder
    if (finder := rule.finder("stored")) is not None:
        yield from ((target, finder) for target in context.targets if is_about(rule, target.engine))


def _live_finders(
    rule: Rule, live_targets: tuple[LiveTarget, ...]
) -> Iterator[tuple[Any, Callable[..., Iterable[FindingDraft]]]]:
    return finders_of(rule, (live for live in live_targets if is_about(rule, live.target.engine)))


def _engine(rule: Rule, subject: Any) -> str:
    """The engine of a finder's input; empty for a rule for every engine on a whole project."""
    if isinstance(subject, LiveTarget):
        return subject.target.engine
    return subject.engine if isinstance(subject, TargetInEnvironment) else rule.engine


def is_about(rule: Rule, engine: str) -> bool:
    """Whether a rule applies to an engine; portable rules apply to every engine."""
    return rule.engine in ("", engine)
