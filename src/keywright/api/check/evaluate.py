"""Runs the rules on a compiled project in an environment, and applies its suppressions."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache

from keywright.compiler import Compiled, place_of, plan_access
from keywright.engines.contract.storage_facts import StorageFacts, Traits
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.registry import NAMES, engine_named
from keywright.errors import NOWHERE, Place
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.rules.models import rules_about
from keywright.rules.options import RuleOptions
from keywright.rules.rule import SEVERITIES, Finding, Report, Rule, Severity, SuppressedFinding
from keywright.rules.run import run_rules

from .affected_calls import AffectedCalls
from .environment_facts import facts_of, facts_of_others, is_judged_as_development
from .fix_location import location_of
from .subjects import SubjectOwner, owner_of, subject_of, team_of
from .suppressions import Suppression, stale, suppressions_of

DEFAULT_OPTIONS = RuleOptions()
"""Every rule with its defaults."""


def evaluate_models(compiled: Compiled, today: date, options: RuleOptions = DEFAULT_OPTIONS) -> Report:
    """Findings of the models, and the suppressed ones; places are absolute.

    today: the date that decides which suppressions have expired. options: options of the rules.
    """
    return _report(compiled, today, options, None)


def evaluate_live(
    compiled: Compiled, live_targets: Iterable[LiveTarget], today: date, options: RuleOptions = DEFAULT_OPTIONS
) -> Report:
    """Findings of the models and of live stores, without duplicates.

    live_targets: observations of the live stores.
    """
    return _report(compiled, today, options, tuple(live_targets))


def _report(
    compiled: Compiled, today: date, options: RuleOptions, live_targets: tuple[LiveTarget, ...] | None
) -> Report:
    follows_models = is_judged_as_development(compiled.environment)
    findings: list[Finding] = []
    suppressed: list[SuppressedFinding] = []
    used: set[Suppression] = set()
    suppressions = suppressions_of(compiled)
    calls = AffectedCalls(compiled.project.design)
    for rule, severity, draft in _drafts(compiled, options, live_targets):
        owner = owner_of(compiled.project.design, draft)
        finding = _finding(compiled, rule, severity, draft, owner, calls.of(owner))
        subject = subject_of(owner) if owner else None
        applied = next(
            (
                candidate
                for candidate in suppressions
                if candidate.covers(rule.code, draft, subject) and candidate.counts(today)
            ),
            None,
        )
        team = team_of(compiled.project.design, owner) if owner and options.owner_ignores else ""
        is_ignored = bool(options.file_ignores or team) and options.ignores(rule, _path(compiled, finding.at), team)
        if applied is None and not is_ignored:
            findings.append(finding)
        elif applied is not None:
            used.add(applied)
            until = None if applied.ignore.until is None else applied.ignore.until.isoformat()
            suppressed.append(SuppressedFinding(finding, applied.ignore.reason, until))
    engines = {physical.engine for physical in compiled.project.design.physicals}
    enabled = (rule for rule in rules_about(engines) if options.severity(rule, follows_models=follows_models))
    findings += stale(
        suppressions, used, {rule.code: rule for rule in enabled}, today, is_live=live_targets is not None
    )
    findings.sort(
        key=lambda finding: (
            SEVERITIES.index(finding.severity),
            finding.at.file,
            finding.at.line,
            finding.code,
            finding.object,
        )
    )
    return Report(tuple(findings), tuple(suppressed)).with_documentation(compiled.project.settings.documentation)


def _drafts(
    compiled: Compiled, options: RuleOptions, live_targets: tuple[LiveTarget, ...] | None
) -> Iterator[tuple[Rule, Severity, FindingDraft]]:
    """All drafts of findings; those of live stores only if the models do not cause them already."""
    context, follows_models = context_of(compiled), is_judged_as_development(compiled.environment)
    if live_targets is None:
        yield from run_rules(context, options, follows_models=follows_models)
        return
    in_models = Counter(_key(*result) for result in run_rules(context, options, follows_models=follows_models))
    remaining = in_models.copy()
    for draft in run_rules(context, options, follows_models=follows_models, live_targets=live_targets):
        about = _key(*draft)
        remaining[about] -= 1
        if about not in in_models or remaining[about] >= 0:  # a finding of the models takes precedence
            yield draft


def _key(rule: Rule, severity: Severity, draft: FindingDraft) -> tuple[str, ...]:
    return rule.code, draft.engine, draft.subject, draft.part, draft.field


def context_of(compiled: Compiled) -> RuleContext:
    """A compiled project as the input of rules."""
    environment, settings = compiled.environment, compiled.project.settings
    targets: list[TargetInEnvironment] = []
    for target in compiled.targets:
        part = environment.of(target.engine.name)
        assert part is not None, "it would not have compiled"
        targets.append(
            TargetInEnvironment(
                target.engine.name, target.declared, target.placed, part, environment.at, environment.places
            )
        )
    plans = tuple(row.planned for row in plan_access(compiled).rows)
    return RuleContext(
        design=compiled.project.design,
        targets=tuple(targets),
        plans=plans,
        stack=environment.at,
        environment=facts_of(settings, environment),
        other_environments=cache(lambda: facts_of_others(settings, environment.name)),
        follows_models=is_judged_as_development(environment),
        has_alarms=environment.monitoring.alarms,
        has_topic=environment.monitoring.topic is not None,
        storage_facts=_storage_facts(compiled),
        traits=_Traits(),
    )


class _Traits(Mapping[str, Traits]):
    """Traits of each engine, imported when a rule reads them."""

    def __getitem__(self, engine: str) -> Traits:
        return engine_named(engine).traits

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


def _storage_facts(compiled: Compiled) -> Callable[[Binding], StorageFacts | None]:
    """Storage facts of entities, each computed when the first rule reads them."""
    targets = {(target.engine.name, target.declared.name): target for target in compiled.targets}
    facts: dict[str, StorageFacts | None] = {}

    def facts_of(binding: Binding) -> StorageFacts | None:
        if binding.name not in facts:
            placed = targets[binding.engine, binding.physical.name]
            facts[binding.name] = placed.engine.storage_facts(placed.placed, binding)
        return facts[binding.name]

    return facts_of


def _finding(
    compiled: Compiled, rule: Rule, severity: Severity, draft: FindingDraft, owner: SubjectOwner | None,
    calls_per_second: float | None,
) -> Finding:  # fmt: skip
    object = ".".join(part for part in (draft.subject, draft.part, draft.field) if part)
    return Finding(
        rule=rule,
        severity=severity,
        message=draft.problem,
        help=draft.help,
        store=subject_of(owner).engine if owner else "",
        object=object,
        at=_at(compiled, draft, owner),
        calls_per_second=calls_per_second,
        fix=draft.fix,
        location=location_of(compiled, draft) if draft.fix else None,
    )


def _path(compiled: Compiled, at: Place) -> str:
    """The path of a place's file relative to the project, with slashes."""
    return os.path.relpath(at.file, compiled.project.settings.root).replace(os.sep, "/") if at.file else ""


def _at(compiled: Compiled, draft: FindingDraft, owner: SubjectOwner | None) -> Place:
    if draft.at != NOWHERE or owner is None:
        return draft.at
    return owner.at if isinstance(owner, Pattern) else place_of(compiled.project, owner, draft.part, draft.field)
