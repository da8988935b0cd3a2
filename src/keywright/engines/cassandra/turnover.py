"""Rows that come and go, by the declared rates of patterns."""

from keywright.access.path import AccessPath
from keywright.engines.flaws.context import Whole
from keywright.engines.flaws.rates import calls, items_per_second
from keywright.ir.binding import Binding

from .access.calls_write import Delete


def deleted(whole: Whole, binding: Binding, *because: str) -> float | None:
    """Rows of an entity that are deleted one by one per second; a partition that goes as a whole leaves one tombstone.

    because: the reasons that count; all if none is named.
    """
    found = [
        rate * max(1, plan.pattern.batch)
        for plan, rate in calls(whole, binding, "delete")
        if rate is not None and plan.pattern.because in (because or ("request", "expiry"))
        and isinstance(plan.path, AccessPath) and isinstance(call := plan.path.call, Delete)
        and len(call.key) > call.partition
    ]  # fmt: skip
    return sum(found) if found else None


def added(whole: Whole, binding: Binding) -> float | None:
    """Rows per second by which an entity grows; None where nothing says how many are written."""
    written = items_per_second(whole, binding, "put")
    return None if written is None else max(0.0, written - (deleted(whole, binding) or 0))
