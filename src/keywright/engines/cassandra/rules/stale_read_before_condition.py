"""CAS040: the value that a conditional write compares is read from one replica, which may not have it yet."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls

from ..access.calls import Select
from ..access.calls_write import DeleteRows, UpdateRow
from ..findings.tables import entities


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every eventual read of one row by its key that returns a column which a write of the row has as condition."""
    for _, binding, _ in entities(context):
        guarded: dict[str, str] = {}
        for plan, _ in calls(context, binding, "update", "delete"):
            call = plan.path.call if isinstance(plan.path, AccessPath) else None
            if isinstance(call, (UpdateRow, DeleteRows)):
                guarded.update(
                    (guard.cell.field, plan.pattern.name) for guard in call.guards if guard.condition is not None
                )
        for plan, _ in calls(context, binding, "get"):
            pattern = plan.pattern
            call = plan.path.call if isinstance(plan.path, AccessPath) else None
            compared = sorted(field for field in guarded if not pattern.fields or field in pattern.fields)
            if isinstance(call, Select) and call.is_row and call.level == "LOCAL_ONE" and compared:
                yield FindingDraft(
                    problem=f'"{guarded[compared[0]]}" compares "{compared[0]}", and this read asks one replica for '
                    "it: a decision is made on the former value, and the write fails or repeats",
                    help='set consistency="strong"',
                    subject=pattern.name,
                    at=pattern.at,
                    fix=Fix((SetArgument("consistency", '"strong"'),), is_safe=True),
                )
