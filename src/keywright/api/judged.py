"""Models judged in an environment: what compiles, and hurts in production."""

from collections.abc import Iterator, Mapping
from datetime import date

from keywright.compiler import Compiled, place_of, plan_access
from keywright.declare.judgement import Ignore
from keywright.engines.flaws.context import Flaw, Stored, Whole
from keywright.errors import NOWHERE, Place
from keywright.rules.models import flaws, severity
from keywright.rules.rule import Accepted, Finding, Report, Rule


def judge_models(compiled: Compiled, today: date) -> Report:
    """What is to be said of the models, without what they accept for a reason; places are absolute.

    today: the day by which that expires.
    """
    found: list[Finding] = []
    accepted: list[Accepted] = []
    waivers = _waivers(compiled)
    for rule, flaw in flaws(_whole(compiled)):
        finding = _finding(compiled, rule, flaw)
        waiver = next((one for one in _of(flaw, waivers) if one.code == rule.code and _counts(one, today)), None)
        if waiver is None:
            found.append(finding)
        else:
            until = None if waiver.until is None else waiver.until.isoformat()
            accepted.append(Accepted(finding, waiver.reason, until))
    ranks = {"error": 0, "warning": 1, "info": 2}
    found.sort(key=lambda one: (ranks[one.severity], one.at.file, one.at.line, one.code, one.object))
    return Report(tuple(found), tuple(accepted))


def _whole(compiled: Compiled) -> Whole:
    environment = compiled.environment
    targets: list[Stored] = []
    for one in compiled.targets:
        part = environment.of(one.engine.name)
        assert part is not None, "it would not have compiled"
        targets.append(Stored(one.engine.name, one.declared, one.placed, part))
    plans = tuple(row.planned for row in plan_access(compiled).rows)
    return Whole(design=compiled.project.design, targets=tuple(targets), plans=plans, stack=environment.at)


def _finding(compiled: Compiled, rule: Rule, flaw: Flaw) -> Finding:
    binding = next((one for one in compiled.project.design.bindings if one.name == flaw.subject), None)
    object = ".".join(part for part in (flaw.subject, flaw.part, flaw.field) if part)
    return Finding(
        rule=rule,
        severity=severity(rule, follows_models=compiled.environment.mode == "dev"),
        message=flaw.problem,
        help=flaw.help,
        store=binding.engine if binding else "",
        object=object,
        at=_at(compiled, flaw),
    )


def _at(compiled: Compiled, flaw: Flaw) -> Place:
    return flaw.at if flaw.at != NOWHERE else place_of(compiled.project, flaw.subject, flaw.part, flaw.field)


_Waivers = Mapping[str, tuple[Ignore, ...]]


def _waivers(compiled: Compiled) -> _Waivers:
    """What is accepted on patterns, on stores of entities, and on tables, databases, keyspaces and servers."""
    design = compiled.project.design
    found: dict[str, tuple[Ignore, ...]] = {}
    declared = [(one.name, one.spec) for one in design.bindings] + [(one.name, one.spec) for one in design.physicals]
    for name, spec in declared:
        found[name] = (*found.get(name, ()), *getattr(spec, "ignores", ()))
    for (_, name), pattern in compiled.project.patterns.items():
        found[name] = (*found.get(name, ()), *getattr(pattern, "ignores", ()))
    return found


def _of(flaw: Flaw, waivers: _Waivers) -> Iterator[Ignore]:
    yield from waivers.get(flaw.subject, ())


def _counts(waiver: Ignore, today: date) -> bool:
    return waiver.until is None or waiver.until >= today
