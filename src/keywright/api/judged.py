"""Models judged in an environment: what compiles, and hurts in production."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date

from keywright.compiler import Compiled, place_of, plan_access
from keywright.engines.flaws.context import Flaw, Stored, Whole
from keywright.engines.flaws.observation import Seen
from keywright.engines.holding import Holding, Traits
from keywright.engines.registry import NAMES, engine_named
from keywright.errors import NOWHERE, Place
from keywright.ir.binding import Binding
from keywright.rules.asking import flaws
from keywright.rules.models import MODELS
from keywright.rules.options import Options
from keywright.rules.rule import Accepted, Finding, Report, Rule, Severity

from .spots import spot_of
from .waivers import Waiver, stale, waivers_of

USUAL = Options()
"""Every rule as it is by itself."""


def judge_models(compiled: Compiled, today: date, options: Options = USUAL) -> Report:
    """What is to be said of the models, without what they accept for a reason; places are absolute.

    today: the day by which that expires. options: how rules are asked.
    """
    return _judged(compiled, today, options, None)


def judge_live(compiled: Compiled, seen: Iterable[Seen], today: date, options: Options = USUAL) -> Report:
    """The same, and what is to be said of live stores: each thing once.

    seen: what was seen of them.
    """
    return _judged(compiled, today, options, tuple(seen))


def _judged(compiled: Compiled, today: date, options: Options, seen: tuple[Seen, ...] | None) -> Report:
    follows_models = compiled.environment.mode == "dev"
    found: list[Finding] = []
    accepted: list[Accepted] = []
    used: set[Waiver] = set()
    waivers = waivers_of(compiled)
    for rule, severity, flaw in _flaws(compiled, options, seen):
        finding = _finding(compiled, rule, severity, flaw)
        waiver = next((one for one in waivers if one.is_about(rule.code, flaw) and one.counts(today)), None)
        if waiver is None:
            found.append(finding)
        else:
            used.add(waiver)
            until = None if waiver.said.until is None else waiver.said.until.isoformat()
            accepted.append(Accepted(finding, waiver.said.reason, until))
    meant = (rule for rule in MODELS if options.severity(rule, follows_models=follows_models))
    found += stale(waivers, used, {rule.code: rule for rule in meant}, today, is_live=seen is not None)
    ranks = {"error": 0, "warning": 1, "info": 2}
    found.sort(key=lambda one: (ranks[one.severity], one.at.file, one.at.line, one.code, one.object))
    return Report(tuple(found), tuple(accepted))


def _flaws(
    compiled: Compiled, options: Options, seen: tuple[Seen, ...] | None
) -> Iterator[tuple[Rule, Severity, Flaw]]:
    """All that is wrong; of live stores only what the models do not say already."""
    whole, follows_models = whole_of(compiled), compiled.environment.mode == "dev"
    if seen is None:
        yield from flaws(whole, options, follows_models=follows_models)
        return
    said = Counter(_about(*one) for one in flaws(whole, options, follows_models=follows_models))
    left = said.copy()
    for one in flaws(whole, options, follows_models=follows_models, seen=seen):
        about = _about(*one)
        left[about] -= 1
        if about not in said or left[about] >= 0:  # what models say comes first
            yield one


def _about(rule: Rule, severity: Severity, flaw: Flaw) -> tuple[str, str, str, str]:
    return rule.code, flaw.subject, flaw.part, flaw.field


def whole_of(compiled: Compiled) -> Whole:
    """A compiled project as rules are told of it."""
    environment = compiled.environment
    targets: list[Stored] = []
    for one in compiled.targets:
        part = environment.of(one.engine.name)
        assert part is not None, "it would not have compiled"
        targets.append(Stored(one.engine.name, one.declared, one.placed, part, environment.at))
    plans = tuple(row.planned for row in plan_access(compiled).rows)
    return Whole(
        design=compiled.project.design,
        targets=tuple(targets),
        plans=plans,
        stack=environment.at,
        holding=_holdings(compiled),
        traits=_Traits(),
    )


class _Traits(Mapping[str, Traits]):
    """What each engine can, learnt when a rule asks: it takes an import."""

    def __getitem__(self, engine: str) -> Traits:
        return engine_named(engine).traits

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


def _holdings(compiled: Compiled) -> Callable[[Binding], Holding | None]:
    """How entities are held, each worked out when the first rule asks."""
    targets = {(one.engine.name, one.declared.name): one for one in compiled.targets}
    known: dict[str, Holding | None] = {}

    def holding(binding: Binding) -> Holding | None:
        if binding.name not in known:
            one = targets[binding.engine, binding.physical.name]
            known[binding.name] = one.engine.holding(one.placed, binding)
        return known[binding.name]

    return holding


def _finding(compiled: Compiled, rule: Rule, severity: Severity, flaw: Flaw) -> Finding:
    binding = next((one for one in compiled.project.design.bindings if one.name == flaw.subject), None)
    object = ".".join(part for part in (flaw.subject, flaw.part, flaw.field) if part)
    return Finding(
        rule=rule,
        severity=severity,
        message=flaw.problem,
        help=flaw.help,
        store=binding.engine if binding else "",
        object=object,
        at=_at(compiled, flaw),
        fix=flaw.fix,
        spot=spot_of(compiled, flaw) if flaw.fix else None,
    )


def _at(compiled: Compiled, flaw: Flaw) -> Place:
    return flaw.at if flaw.at != NOWHERE else place_of(compiled.project, flaw.subject, flaw.part, flaw.field)
