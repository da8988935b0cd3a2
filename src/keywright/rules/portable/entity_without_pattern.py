"""GEN001: no access pattern uses an entity, an index or a store."""

from collections.abc import Iterable, Iterator
from typing import Any

from keywright.access.path import AccessPath, By, NotServed
from keywright.access.search import Planned
from keywright.engines.findings.candidates import alternatives, is_related, without_redundant
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import READS, single
from keywright.ir.text import counted


def models(context: RuleContext, *, require_patterns: bool = True) -> Iterator[FindingDraft]:
    """Report every entity without a pattern, every index that serves none, and every store without entities.

    require_patterns: whether projects without any pattern are reported too.
    """
    design = context.design
    if not design.patterns and not require_patterns:
        return
    bindings = {pattern.binding for pattern in single(design)}
    joined = {join.entity for pattern in design.patterns for join in pattern.joins}
    for binding in design.bindings:
        if binding.name not in bindings | joined:
            yield FindingDraft(
                problem=f'no access pattern reads or writes "{binding.name}"',
                help=f"declare its reads and writes, such as kw.Get({binding.name}, rate=...), or delete it",
                subject=binding.name,
            )
    for physical in design.physicals:
        if not design.bindings_in(physical):
            yield FindingDraft(
                problem="no entity is stored in it",
                help="store an entity in it, or delete it",
                subject=physical.name,
                engine=physical.engine,
            )
    yield from _indexes(context, bindings, joined)


def _indexes(context: RuleContext, queried: set[str], joined: set[str]) -> Iterator[FindingDraft]:
    serving = {
        (plan.binding.physical.name, plan.binding.engine, by)
        for plan in _plans(context)
        if isinstance(plan.path, AccessPath)
        for by in (plan.path.by, *plan.path.also)
    }
    serving |= {
        (plan.binding.physical.name, plan.binding.engine, other.by)
        for plan in context.plans
        for other in alternatives(plan)
    }
    unserved = [plan for plan in context.plans if plan.pattern.kind in READS and isinstance(plan.path, NotServed)]
    reported: set[tuple[str, str, By]] = set()
    for binding in context.design.bindings:
        facts = context.storage_facts(binding) if binding.name in queried - joined else None
        purposes = [plan for plan in unserved if plan.binding.name == binding.name]  # of an index that is idle
        for by in facts.read_indexes if facts else ():
            shared = by.kind in ("gsi", "lsi")
            subject = binding.physical.name if shared else binding.name
            is_idle = (binding.physical.name, binding.engine, by) not in serving
            is_idle = is_idle and not any(is_related(plan, by) for plan in purposes)
            if is_idle and (binding.engine, subject, by) not in reported:
                reported.add((binding.engine, subject, by))
                yield FindingDraft(
                    problem=f'{by.kind} "{by.name}" serves no access pattern, but adds cost to every write',
                    help="declare the access pattern that needs it, or drop it",
                    subject=subject,
                    engine=binding.engine,
                    part=by.name,
                )


def _plans(context: RuleContext) -> Iterator[Planned[Any]]:
    """Every plan, including writes in transactions, and the plans without the indexes that are redundant."""
    for plan in (planned for transaction in context.plans for planned in (transaction, *transaction.parts)):
        yield from (plan, without_redundant(context, plan))


def live(live_target: LiveTarget, *, unused_days: int = 7) -> Iterator[FindingDraft]:
    """Report every index without a use in this time, and without another purpose.

    unused_days: days for which the server has counted no use.
    """
    needed = {
        (place, name)
        for place, names in live_target.observation.places.items()
        for name in _needed(live_target.context, names)
    }
    for index in live_target.observation.indexes:
        is_needed = index.is_needed or (index.table, index.name) in needed
        if index.uses == 0 and index.days >= unused_days and not is_needed:
            yield FindingDraft(
                problem=f'index "{index.name}" has had no use since the server began to count '
                f"{counted(index.days, 'day', spec='.0f')} ago, but adds cost to every write",
                help="drop it, unless another member of the cluster reports uses of it",
                subject=live_target.subject(index.table),
                part=index.name,
            )


def _needed(context: RuleContext, names: Iterable[str]) -> Iterator[str]:
    """Names of the indexes of some entities that have another purpose than reads."""
    for binding in context.design.bindings:
        facts = context.storage_facts(binding) if binding.name in names else None
        yield from (by.name for by in facts.needed) if facts else ()
