"""CAS040: the value that a conditional write compares is read from one replica, which may not have it yet."""

from collections.abc import Iterator
from math import inf

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls

from ..access.calls import Select
from ..access.calls_write import DeleteRows, UpdateRow
from ..findings.tables import entities
from ..schema.target import KeyspaceTarget


def models(context: RuleContext, *, reads_per_write: float = 5) -> Iterator[FindingDraft]:
    """Every eventual read of one row by its key that returns a column which a write of the row has as condition.

    reads_per_write: reads for each write up to which a read precedes a write whose condition has constants; more of
    them only show the row, at the peak of both. A caller that passes the value to compare has read it.
    """
    for _, binding, layout in entities(context):
        guarded: dict[str, tuple[str, float]] = {}
        for plan, rate in calls(context, binding, "update", "delete"):
            call = plan.path.call if isinstance(plan.path, AccessPath) else None
            most = _peak(plan, rate) * reads_per_write
            for guard in call.guards if isinstance(call, (UpdateRow, DeleteRows)) else ():
                if guard.condition is not None and guard.cell.field not in layout.identity:
                    guarded[guard.cell.field] = plan.pattern.name, inf if guard.condition.constants is None else most
            if call is None:  # other code makes the write that no path serves
                guarded |= {condition.field: (plan.pattern.name, most) for condition in plan.pattern.where}
        for plan, rate in calls(context, binding, "get", "read"):
            pattern = plan.pattern
            call = plan.path.call if isinstance(plan.path, AccessPath) else None
            compared = sorted(
                field
                for field, (_, most) in guarded.items()
                if (not pattern.fields or field in pattern.fields) and _peak(plan, rate) <= most
            )
            if isinstance(call, Select) and call.is_row and call.level == "LOCAL_ONE" and compared:
                yield FindingDraft(
                    problem=f'"{guarded[compared[0]][0]}" compares "{compared[0]}", and this read asks one replica for '
                    "it: a decision is made on the former value, and the write fails or repeats",
                    help='set consistency="strong"',
                    subject=pattern.name,
                    at=pattern.at,
                    fix=Fix((SetArgument("consistency", '"strong"'),), is_safe=True),
                )


def _peak(plan: Planned[KeyspaceTarget], rate: float | None) -> float:
    """Calls per second when the writers of a row race."""
    return plan.pattern.load.peak_per_second or rate or 0
