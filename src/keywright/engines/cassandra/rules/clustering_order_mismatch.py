"""CAS013: the clustering order is the reverse of the order most reads use, so that each page is read backwards."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.declare.names import names
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls

from ..access.calls import Select
from ..access.layout import Layout
from ..findings.tables import entities


def models(context: RuleContext, *, per_second: float = 1) -> Iterator[FindingDraft]:
    """Every table whose clustering order is the reverse of most ordered reads, by their declared rates.

    per_second: reads a second against the order up to which they cost too little.
    """
    for _, binding, layout in entities(context):
        reads = [(plan, rate, _direction(layout, plan)) for plan, rate in calls(context, binding, "read")]
        reversed_reads = [(plan, rate) for plan, rate, direction in reads if direction == "latest first"]
        stored_rates = [rate for _, rate, direction in reads if direction == "as kept"]
        if not reversed_reads or (
            stored_rates and sum(rate or 0 for rate in stored_rates) >= sum(rate or 0 for _, rate in reversed_reads)
        ):
            continue
        if (
            None not in (rates := [rate for _, rate in reversed_reads])
            and sum(rate or 0 for rate in rates) <= per_second
        ):
            continue
        plan = max(reversed_reads, key=lambda read: read[1] or 0)[0]
        turned = [name[1:] if name.startswith("-") else f"-{name}" for name in names(binding.spec.clustering)]
        clustering = "[" + ", ".join(f'"{name}"' for name in turned) + "]"
        field = plan.pattern.order[0].removeprefix("-")
        yield FindingDraft(
            problem=f'"{plan.pattern.name}" reads the latest first, and rows are kept by "{field}" oldest first: each '
            "page is read backwards",
            help=f"say clustering={clustering}; a table that is there already needs a new generation",
            subject=binding.name,
            fix=Fix((SetArgument("clustering", clustering),)),
        )


def _direction(layout: Layout, plan: Any) -> str:
    """The direction of a read: as rows are stored, latest first against that, or neither."""
    call = plan.path.call if isinstance(plan.path, AccessPath) else None
    if not isinstance(call, Select) or call.relation != layout.table.name or not call.orders or not call.open:
        return ""
    stored = {part.name: part.is_descending for part in layout.table.clustering}
    first = call.open[0]
    if stored[first.cell.name] == first.is_descending:
        return "as kept"
    return "latest first" if first.is_descending else ""
