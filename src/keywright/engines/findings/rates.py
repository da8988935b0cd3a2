"""Rates of reads and writes of an entity, from its declared patterns, and durations in messages."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from keywright.access.search import Planned
from keywright.ir.binding import Binding
from keywright.ir.pattern import PatternKind
from keywright.ir.text import counted

from .context import RuleContext

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def calls(context: RuleContext, binding: Binding, *kinds: PatternKind) -> Iterator[tuple[Planned[Any], float | None]]:
    """(plan, calls per second) of the patterns of some kinds on an entity; a part of a transaction has the rate of the
    transaction.
    """
    for plan in context.plans_of(binding):
        rate = plan.pattern.load.per_second
        yield from (
            (part, rate)
            for part in plan.parts or (plan,)
            if part.binding.name == binding.name and part.pattern.kind in kinds
        )


def items_per_second(context: RuleContext, binding: Binding, *kinds: PatternKind) -> float | None:
    """Items that patterns of some kinds write, or calls that they make, per second; None without a declared rate."""
    rates = [rate * max(1, part.pattern.batch) for part, rate in calls(context, binding, *kinds) if rate is not None]
    return sum(rates) if rates else None


def is_as_frequent(first: float | None, second: float | None, times: float = 3) -> bool:
    """Whether two writes may be halves of one change: their rates are similar, or one is unknown."""
    return not first or not second or max(first, second) <= times * min(first, second)


def span(time: timedelta) -> str:
    """A duration as a whole number of the largest possible unit, such as `30 days`."""
    seconds = int(time.total_seconds())
    noun, unit = next((noun, unit) for noun, unit in _UNITS if seconds % unit == 0)
    return counted(seconds // unit, noun)
