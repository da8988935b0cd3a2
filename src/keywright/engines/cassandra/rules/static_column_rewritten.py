"""CAS032: each new row of a busy partition writes the static columns of the partition again."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.errors import quoted
from keywright.ir.text import counted

from ..access.growth import partitions
from ..findings.changes import changing
from ..findings.tables import entities


def models(context: RuleContext, *, per_second: float = 10) -> Iterator[FindingDraft]:
    """Every table with static columns that a pattern writes too often in one partition.

    per_second: most writes of a static column in a partition, by hot_key= or by the number of partitions.
    """
    for _, binding, layout in entities(context):
        fields = [part.cell.field for part in layout.parts.values() if part.name in layout.statics]
        if not fields:
            continue
        groups, changed = partitions(layout), {*changing(context, binding)}
        busiest = 0.0
        for plan, rate in calls(context, binding, "put", "update"):
            if plan.pattern.kind == "put" or not changed.isdisjoint(fields):
                average = (rate or 0) * max(1, plan.pattern.batch) / groups if groups else 0
                busiest = max(busiest, plan.pattern.load.hot_key_per_second or average)
        if busiest > per_second:
            yield FindingDraft(
                problem=f"{quoted(fields)} of a partition {'is' if len(fields) == 1 else 'are'} written with each row, "
                f"{counted(busiest, 'time', spec=',.0f')} a second: all writers change one cell, whose versions every "
                "read merges",
                help="keep it in a CqlTable of its own with the same partition=, and write it when it changes",
                subject=binding.name,
            )
