"""How often things are done to an entity, as its patterns declare it."""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.ir.binding import Binding
from keywright.ir.pattern import PatternKind

from .context import Whole


def calls(whole: Whole, binding: Binding, *kinds: PatternKind) -> Iterator[tuple[Planned[Any], float | None]]:
    """(plan, calls per second) of the patterns of some kinds on an entity; a part of a transaction is called as often
    as the whole.
    """
    for plan in whole.plans:
        rate = plan.pattern.load.per_second
        yield from (
            (part, rate)
            for part in plan.parts or (plan,)
            if part.binding.name == binding.name and part.pattern.kind in kinds
        )


def items_per_second(whole: Whole, binding: Binding, *kinds: PatternKind) -> float | None:
    """Items that patterns of some kinds write, or calls that they make; None where none of them says how often."""
    rates = [rate * max(1, part.pattern.batch) for part, rate in calls(whole, binding, *kinds) if rate is not None]
    return sum(rates) if rates else None
