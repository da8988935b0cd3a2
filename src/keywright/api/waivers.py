"""What models accept of flaws: `ignore(...)` on the declaration that they are about, for a reason and until a day."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from keywright.compiler import Compiled
from keywright.declare.fields import class_of
from keywright.declare.judgement import Ignore
from keywright.engines.flaws.context import Flaw
from keywright.engines.registry import engine_named
from keywright.errors import did_you_mean
from keywright.ir.binding import Binding
from keywright.ir.physical import Physical
from keywright.project.policies import rules
from keywright.rules.rule import Finding, Rule
from keywright.rules.seen import is_live_only


@dataclass(frozen=True, slots=True, eq=False)
class Waiver:
    """One rule, accepted somewhere."""

    subject: str
    """Name of the entity's binding, of the physical thing or of the pattern."""
    inside: str
    """Name of the field or of the index in it; empty for all of it."""
    said: Ignore
    """The declaration."""

    def counts(self, today: date) -> bool:
        """Whether it has a reason, and its day has not passed."""
        return bool(self.said.reason.strip()) and (self.said.until is None or self.said.until >= today)

    def is_about(self, code: str, flaw: Flaw) -> bool:
        """Whether it accepts a flaw."""
        return (
            self.said.code == code
            and self.subject == flaw.subject
            and self.inside in ("", flaw.part, flaw.field)
        )  # fmt: skip


def waivers_of(compiled: Compiled) -> tuple[Waiver, ...]:
    """Everything that is accepted anywhere."""
    return tuple(_waivers(compiled))


def _waivers(compiled: Compiled) -> Iterator[Waiver]:
    design = compiled.project.design
    declared: list[tuple[str, object]] = [(one.name, one.spec) for one in design.bindings]
    declared += [(one.name, one.spec) for one in design.physicals]
    declared += [(name, pattern) for (_, name), pattern in compiled.project.patterns.items()]
    for name, spec in declared:
        yield from (Waiver(name, "", one) for one in getattr(spec, "ignores", ()))
    owners: tuple[Binding | Physical, ...] = (*design.bindings, *design.physicals)
    for owner in owners:
        for part in engine_named(owner.engine).listed(owner):
            yield from (Waiver(owner.name, part.name, one) for one in getattr(part.spec, "ignores", ()))
    for binding in design.bindings:
        model: Any = class_of(compiled.project.models[binding.name])  # type: ignore[arg-type]  # of a binding
        for name, field in model.model_fields.items():
            yield from (Waiver(binding.name, name, fact) for fact in field.metadata if isinstance(fact, Ignore))


def stale(
    waivers: Sequence[Waiver], used: Collection[Waiver], asked: Mapping[str, Rule], today: date, *, is_live: bool
) -> Iterator[Finding]:
    """What is wrong with accepting: a day that has passed, and what accepts nothing.

    used: the waivers that have accepted something. asked: the rules that were asked, by code. is_live: whether live
    stores were looked at.
    """
    known = _known() if waivers else {}
    for one in waivers:
        code = one.said.code
        if code not in known:
            problem = f'"{code}" is ignored, and no rule has that code'
            yield _finding(known["SUP004"], one, problem, did_you_mean(code, known))
        elif not known[code].is_suppressible:
            problem = f'"{code}" is ignored, which may not be'
            yield _finding(known["SUP005"], one, problem, "put right what it finds, and take the line away")
        elif not one.said.reason.strip():
            yield _finding(
                known["SUP001"], one, f'"{code}" is ignored for no reason', "say why it is right here, by reason="
            )
        elif code not in asked or (is_live_only(asked[code]) and not is_live):
            continue  # it is about a migration or a program, or is not asked
        elif not one.counts(today):
            problem = f'"{one.said.code}" was ignored until {one.said.until}, and today is {today}'
            yield _finding(known["SUP002"], one, problem, "put it right, or say a later day")
        elif one not in used:
            problem = f'"{one.said.code}" is ignored, and nothing of that kind is found'
            if is_live or asked[code].finder("live") is None:
                yield _finding(known["SUP003"], one, problem, "take the line away")
                continue
            help = "see whether `keywright check --live` finds it; if not, take the line away"
            yield replace(_finding(known["SUP003"], one, f"{problem} in the models", help), severity="info")


def _known() -> dict[str, Rule]:
    """Every rule by its code."""
    from keywright.rules.catalogue import BY_CODE  # those of migrations import every engine

    return {**BY_CODE, **{rule.code: rule for rule in rules()}}


def _finding(rule: Rule, one: Waiver, problem: str, help: str) -> Finding:
    object = ".".join(part for part in (one.subject, one.inside) if part)
    return Finding(
        rule=rule,
        severity=rule.severity,
        message=problem,
        help=help,
        object=f"{object} {one.said.code}",
        at=one.said.at,
    )
