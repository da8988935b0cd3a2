"""CAS027: a table with a strict latency target asks no second replica, or one only after the target."""

from collections.abc import Iterator
from math import inf

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.text import exact

from ..findings.tables import entities


def models(context: RuleContext, *, p99_ms: float = 100) -> Iterator[FindingDraft]:
    """Every table that a pattern reads with such a target, without it or with a longer fixed delay.

    p99_ms: milliseconds up to which a latency target is strict.
    """
    for _, binding, layout in entities(context):
        delay = _delay_ms(str(layout.options.get("speculative_retry", "")))
        if delay is None:
            continue
        targets = [
            (plan.pattern.load.p99_ms, plan.pattern.name)
            for plan, _ in calls(context, binding, "get", "read")
            if plan.pattern.load.p99_ms is not None and plan.pattern.load.p99_ms <= p99_ms
        ]
        if targets and min(targets)[0] <= delay:
            limit, name = min(targets)
            value = "NEVER" if delay == inf else f"{exact(delay)} ms"
            yield FindingDraft(
                problem=f'speculative_retry is {value}, and "{name}" must finish in {exact(limit)} ms: one slow '
                "replica delays every read that asks it",
                help='remove speculative_retry from settings= for the default, "99p"',
                subject=binding.name,
            )


def _delay_ms(option: str) -> float | None:
    """Milliseconds until a second replica is asked; None if recent latencies decide it."""
    name = option.upper()
    if name in ("NEVER", "NONE"):
        return inf
    digits = name.removesuffix("MS")
    return float(digits) if digits != name and digits.replace(".", "", 1).isdigit() else None
