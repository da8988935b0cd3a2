"""Rates at which rows are added and deleted, from the declared rates of patterns."""

from keywright.access.path import AccessPath
from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.binding import Binding
from keywright.ir.pattern import PatternKind

from ..access.calls_write import DeleteRows
from ..declare.options import CqlTable


def deleted(context: RuleContext, binding: Binding[CqlTable], *because: str) -> float | None:
    """Rows of an entity that are deleted one by one per second. A deletion of a whole partition leaves one tombstone.

    because: the reasons that count; all if empty.
    """
    rates = [
        rate * max(1, plan.pattern.batch)
        for plan, rate in calls(context, binding, "delete")
        if rate is not None and plan.pattern.because in (because or ("request", "expiry"))
        and isinstance(plan.path, AccessPath) and isinstance(call := plan.path.call, DeleteRows)
        and len(call.key) > call.partition
    ]  # fmt: skip
    return sum(rates) if rates else None


def at_peak(context: RuleContext, binding: Binding[CqlTable], *kinds: PatternKind) -> float:
    """Items that patterns of some kinds read or write per second, at the peak of each that declares one."""
    return sum(
        (plan.pattern.load.peak_per_second or rate or 0) * max(1, plan.pattern.batch)
        for plan, rate in calls(context, binding, *kinds)
    )


def added(context: RuleContext, binding: Binding[CqlTable]) -> float | None:
    """Rows per second by which an entity grows; None if the rate of writes is unknown."""
    written = items_per_second(context, binding, "put")
    return None if written is None else max(0.0, written - (deleted(context, binding) or 0))
