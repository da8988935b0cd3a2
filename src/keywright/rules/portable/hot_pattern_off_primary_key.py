"""GEN003: the busiest read of an entity goes by an index, where the primary key would cost less."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.flaws.asked import changed, planned_reads, single
from keywright.engines.flaws.context import Flaw, Whole
from keywright.errors import quoted
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern


def models(whole: Whole, *, critical_per_second: int = 100) -> Iterator[Flaw]:
    """Every such read; what changes cannot be in a key, so that it is asked of an index rightly.

    critical_per_second: calls a second from which on it matters.
    """
    reads = planned_reads(whole.plans)
    for binding in whole.design.bindings:
        traits = whole.traits.get(binding.engine)
        found = [plan for plan in reads[binding.name] if plan.pattern.kind in ("get", "read")]
        if traits is None or not traits.is_clustered or not found:
            continue
        top = max(found, key=_rate)
        beaten = all(_rate(one) < _rate(top) for one in found if one is not top and not _is_indexed(one))
        is_critical = beaten and _rate(top) >= critical_per_second and _is_indexed(top)
        if is_critical and not _moves(whole, binding, top.pattern):
            assert isinstance(top.path, AccessPath)
            fields = (*top.pattern.eq, *top.pattern.one_of)
            yield Flaw(
                problem=f'it is the busiest read of "{binding.name}", with {_rate(top):g} calls a second, and goes by '
                f'{top.path.by.kind} "{top.path.by.name}"',
                help=f"make {quoted(fields) or 'what it asks by'} the primary key, and find the rest by an index",
                subject=top.pattern.name,
                at=top.pattern.at,
            )


def _rate(plan: Planned[Any]) -> float:
    return plan.pattern.load.per_second or 0


def _is_indexed(plan: Planned[Any]) -> bool:
    return isinstance(plan.path, AccessPath) and plan.path.by.kind in ("gsi", "index")


def _moves(whole: Whole, binding: Binding, pattern: Pattern) -> bool:
    """Whether something changes what a pattern asks by."""
    asked = {*pattern.eq, *pattern.one_of, pattern.range, *(name.removeprefix("-") for name in pattern.order)}
    asked |= {one.field for one in pattern.where}
    writes = (one for one in single(whole.design) if one.binding == binding.name)
    return any(path in asked for one in writes for path in changed(one))
