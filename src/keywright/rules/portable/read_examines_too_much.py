"""GEN022: a read examines many more items than it returns."""

from collections.abc import Iterator
from math import prod
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.access.selectivity import values_of
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.engines.registry import engine_named
from keywright.ir.text import counted, exact

_READS = ("get", "read")


def models(
    context: RuleContext, *, most: float = 10, few: float = 3, discarded: float = 1_000, least: float = 10
) -> Iterator[FindingDraft]:
    """Report every served read whose residual filter discards most of the examined items.

    most: allowed number of examined items for each returned item. few: the same for a read whose calls together discard
    that many items a second. discarded: number of these items. least: discarded items a second up to which a
    read is not reported, if a call discards no more than `discarded`.
    """
    for plan in context.plans:
        path, pattern = plan.path, plan.pattern
        if pattern.kind not in _READS or pattern.scans or not isinstance(path, AccessPath) or not path.residual:
            continue
        cost = engine_named(plan.binding.engine).cost(plan)
        examined, returned = cost.examined.expected, cost.returned.expected
        if examined is None or returned is None:
            continue
        lost = (pattern.load.per_second or 0) * (examined - returned)
        if pattern.load.per_second is not None and lost <= least and examined - returned <= discarded:
            continue
        allowed = few if lost >= discarded and not _is_scarce(context, plan, examined) else most
        if examined <= allowed * max(returned, 1):
            continue
        fields = ", ".join(dict.fromkeys(condition.field for condition in path.residual))
        filters = " and ".join(str(condition) for condition in path.residual)
        yield FindingDraft(
            problem=f"one call examines about {counted(examined, 'item', spec=',.0f')} to return "
            f"{returned:,.0f}, because {filters} is a residual filter; {exact(allowed)} for each are recommended",
            help=f"add {fields} to a key or an index that serves the read; a strong read needs the key of the table",
            subject=pattern.name,
            at=pattern.at,
        )


def _is_scarce(context: RuleContext, plan: Planned[Any], examined: float) -> bool:
    """Whether fewer items than a full page examines are written in the span of the read, so that it ends before."""
    pattern, attributes = plan.pattern, plan.binding.entity.attributes
    values = [values_of(attributes, name) for name in pattern.eq]
    rate = items_per_second(context, plan.binding, "put")
    if not pattern.span_seconds or None in values or rate is None:
        return False
    written = rate * pattern.span_seconds
    return written / prod(value or 1 for value in values) < examined
