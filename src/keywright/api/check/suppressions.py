"""Reads suppressions from models: `ignore(...)` on a declaration, with a reason and an optional last day."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from keywright.compiler import Compiled
from keywright.declare.fields import class_of
from keywright.declare.suppression import Ignore
from keywright.engines.findings.context import FindingDraft
from keywright.engines.registry import engine_named
from keywright.errors import did_you_mean
from keywright.ir.binding import Binding, Physical
from keywright.project.environments.policies import rules
from keywright.record import Record, replace
from keywright.rules.live_targets import is_live_only
from keywright.rules.models import rules_with
from keywright.rules.rule import Finding, Rule

from .subjects import FindingSubject, subject_of


class Suppression(Record, eq=False):
    """One `ignore(...)` of a rule."""

    subject: FindingSubject
    """The entity, store or pattern."""
    inside: str
    """Name of its field or index; empty for the whole subject."""
    ignore: Ignore
    """The declaration."""

    def counts(self, today: date) -> bool:
        """Whether it has a reason and has not expired."""
        return bool(self.ignore.reason.strip()) and (self.ignore.until is None or self.ignore.until >= today)

    def covers(self, code: str, draft: FindingDraft, subject: FindingSubject | None) -> bool:
        """Whether it covers a finding of a declaration."""
        return (
            self.ignore.code == code
            and self.subject == subject
            and self.inside in ("", draft.part, draft.field)
        )  # fmt: skip


def suppressions_of(compiled: Compiled) -> tuple[Suppression, ...]:
    """All suppressions of a project."""
    return tuple(_suppressions(compiled))


def _suppressions(compiled: Compiled) -> Iterator[Suppression]:
    design = compiled.project.design
    owners: tuple[Binding | Physical, ...] = (*design.bindings, *design.physicals)
    declared: list[tuple[FindingSubject, object]] = [(subject_of(owner), owner.spec) for owner in owners]
    declared += [
        (FindingSubject("pattern", module, name), pattern)
        for (module, name), pattern in compiled.project.patterns.items()
    ]
    for subject, spec in declared:
        yield from (Suppression(subject, "", ignore) for ignore in getattr(spec, "ignores", ()))
    for owner in owners:
        for part in engine_named(owner.engine).listed(owner):
            yield from (
                Suppression(subject_of(owner), part.name, ignore) for ignore in getattr(part.spec, "ignores", ())
            )
    for binding in design.bindings:
        cls: Any = class_of(compiled.project.models[binding.name])  # type: ignore[arg-type]  # of a binding
        for name, field in cls.model_fields.items():
            yield from (
                Suppression(subject_of(binding), name, fact) for fact in field.metadata if isinstance(fact, Ignore)
            )


def stale(
    suppressions: Sequence[Suppression],
    used: Collection[Suppression],
    enabled: Mapping[str, Rule],
    today: date,
    *,
    is_live: bool,
) -> Iterator[Finding]:
    """Findings about suppressions: invalid, expired and unused ones.

    used: the suppressions that cover a finding. enabled: the rules that ran, by code. is_live: whether live stores
    were read.
    """
    by_code = _rules_by_code(suppressions) if suppressions else {}
    for suppression in suppressions:
        code = suppression.ignore.code
        if code not in by_code:
            problem = f'"{code}" is ignored, and no rule has this code'
            yield _finding(by_code["SUP004"], suppression, problem, did_you_mean(code, by_code, "keywright rules"))
        elif not by_code[code].is_suppressible:
            problem = f'"{code}" is ignored, and this rule cannot be suppressed'
            yield _finding(by_code["SUP005"], suppression, problem, "correct the finding, and remove the line")
        elif not suppression.ignore.reason.strip():
            yield _finding(
                by_code["SUP001"],
                suppression,
                f'"{code}" is ignored without a reason',
                'write reason="..." with the reason',
            )
        elif code not in enabled or (is_live_only(enabled[code]) and not is_live):
            continue  # a rule for migrations or programs, or a disabled rule
        elif not suppression.counts(today):
            problem = f'"{suppression.ignore.code}" was ignored until {suppression.ignore.until}, and today is {today}'
            yield _finding(by_code["SUP002"], suppression, problem, "correct the finding, or set a later until=")
        elif suppression not in used:
            problem = f'"{suppression.ignore.code}" is ignored, and the rule reports nothing here'
            if is_live or enabled[code].finder("live") is None:
                yield _finding(by_code["SUP003"], suppression, problem, "remove the line")
                continue
            problem = f'"{suppression.ignore.code}" is ignored, and the rule reports nothing in the models'
            help = "run `keywright check --live`; if it does not report the finding either, remove the line"
            yield replace(_finding(by_code["SUP003"], suppression, problem, help), severity="info")


def _rules_by_code(suppressions: Iterable[Suppression]) -> dict[str, Rule]:
    """Every rule by its code, with those of other packages if a suppression has an unknown code."""
    from keywright.rules.catalogue import BY_CODE  # the rules of migrations import every engine

    by_code = {**BY_CODE, **{rule.code: rule for rule in rules()}}
    others = [suppression.ignore.code for suppression in suppressions if suppression.ignore.code not in by_code]
    return {**by_code, **{rule.code: rule for rule in rules_with(others)}} if others else by_code


def _finding(rule: Rule, suppression: Suppression, problem: str, help: str) -> Finding:
    object = ".".join(part for part in (suppression.subject.name, suppression.inside) if part)
    return Finding(
        rule=rule,
        severity=rule.severity,
        message=problem,
        help=help,
        object=f"{object} {suppression.ignore.code}",
        at=suppression.ignore.at,
    )
