"""CAS013: what is asked for latest first is kept oldest first, so that each page is read backwards."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.declare.names import names
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.flaws.rates import calls

from ..access.calls import Select
from ..access.layout import Layout
from ..tables import entities


def models(whole: Whole) -> Iterator[Flaw]:
    """Every table of which most ordered reads go against its order; one that is asked more often as it is is right."""
    for _, binding, known in entities(whole):
        found = [(plan, rate, _way(known, plan)) for plan, rate in calls(whole, binding, "read")]
        against = [(plan, rate) for plan, rate, way in found if way == "latest first"]
        along = [rate for _, rate, way in found if way == "as kept"]
        if not against or (along and sum(one or 0 for one in along) >= sum(rate or 0 for _, rate in against)):
            continue
        plan = max(against, key=lambda one: one[1] or 0)[0]
        spec: Any = binding.spec
        turned = [name[1:] if name.startswith("-") else f"-{name}" for name in names(spec.clustering)]
        said = "[" + ", ".join(f'"{name}"' for name in turned) + "]"
        field = plan.pattern.order[0].removeprefix("-")
        yield Flaw(
            problem=f'"{plan.pattern.name}" reads the latest first, and rows are kept by "{field}" oldest first',
            help=f"say clustering={said}; a table that is there already needs a new generation",
            subject=binding.name,
            fix=Fix((SetArgument("clustering", said),)),
        )


def _way(known: Layout, plan: Any) -> str:
    """How a read goes over its table: as rows are kept, latest first against that, or neither."""
    call = plan.path.call if isinstance(plan.path, AccessPath) else None
    if not isinstance(call, Select) or call.relation != known.table.name or not call.orders or not call.open:
        return ""
    kept = {part.name: part.is_descending for part in known.table.clustering}
    first = call.open[0]
    if kept[first.cell.name] == first.is_descending:
        return "as kept"
    return "latest first" if first.is_descending else ""
