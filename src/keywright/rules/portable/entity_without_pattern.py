"""GEN001: no access pattern reaches an entity, an index, or what entities would be in."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By
from keywright.engines.flaws.asked import READS, single
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen


def models(whole: Whole, *, require_patterns: bool = True) -> Iterator[Flaw]:
    """Every entity without a pattern, every index that serves none, and every physical thing without entities.

    require_patterns: whether a project that declares no pattern at all is told, too.
    """
    design = whole.design
    if not design.patterns and not require_patterns:
        return
    asked = {one.binding for one in single(design)}
    joined = {join.entity for one in design.patterns for join in one.joins}
    for binding in design.bindings:
        if binding.name not in asked | joined:
            yield Flaw(
                problem=f'no access pattern reads or writes "{binding.name}"',
                help=f"declare how it is read and written, as in kw.Get({binding.name}, rate=...), or delete it",
                subject=binding.name,
            )
    for physical in design.physicals:
        if not design.bindings_in(physical):
            yield Flaw(problem="no entity is stored in it", help="store one in it, or delete it", subject=physical.name)
    yield from _indexes(whole, asked, joined)


def _indexes(whole: Whole, asked: set[str], joined: set[str]) -> Iterator[Flaw]:
    serving = {
        (plan.binding.physical.name, plan.binding.engine, plan.path.by)
        for plan in whole.plans
        if isinstance(plan.path, AccessPath)
    }
    unserved = {plan.binding.name for plan in whole.plans if plan.pattern.kind in READS and not plan.is_served}
    told: set[tuple[str, By]] = set()
    for binding in whole.design.bindings:
        # What is not served may be what an index is meant for, and a join looks up what it needs.
        held = whole.holding(binding) if binding.name in asked - joined - unserved else None
        for by in held.ways if held else ():
            shared = by.kind in ("gsi", "lsi")
            subject = binding.physical.name if shared else binding.name
            if (binding.physical.name, binding.engine, by) not in serving and (subject, by) not in told:
                told.add((subject, by))
                yield Flaw(
                    problem=f'{by.kind} "{by.name}" serves no access pattern, and every write pays for it',
                    help="declare what it is for, or drop it",
                    subject=subject,
                    part=by.name,
                )


def live(seen: Seen, *, unused_days: int = 7) -> Iterator[Flaw]:
    """Every index that nobody has asked for so long, and that does nothing beside.

    unused_days: days that a server has counted without a use.
    """
    for way in seen.found.ways:
        if way.uses == 0 and way.days >= unused_days and not way.is_needed:
            yield Flaw(
                problem=f'index "{way.name}" has not been used since the server began to count, {way.days:.0f} days '
                "ago, and every write pays for it",
                help="drop it; or ask each member of the cluster, if others serve the reads that it is for",
                subject=seen.subject(way.table),
                part=way.name,
            )
