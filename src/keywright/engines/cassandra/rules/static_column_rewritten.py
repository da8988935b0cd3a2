"""CAS032: each new row of a busy partition writes the static columns of the partition again."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.errors import quoted
from keywright.ir.text import counted

from ..access.growth import partitions
from ..findings.changes import changing, is_value
from ..findings.tables import entities


def models(context: RuleContext, *, per_second: float = 5, in_table: float = 1_000) -> Iterator[FindingDraft]:
    """Every table with static columns that a pattern writes too often in one partition, or in all together if the
    columns change.

    per_second: most writes of a static column in a partition, by hot_key= or by the number of partitions. in_table:
    most writes of it in all partitions, unless hot_key= says how they spread.
    """
    for _, binding, layout in entities(context):
        fields = [part.cell.field for part in layout.parts.values() if part.name in layout.statics]
        if not fields:
            continue
        groups, changed = partitions(layout), {*changing(context, binding)}
        busiest, total = 0.0, 0.0
        for plan, rate in calls(context, binding, "put", "update"):
            if plan.pattern.kind == "put" or not changed.isdisjoint(fields):
                written = (rate or 0) * max(1, plan.pattern.batch)
                busiest = max(busiest, plan.pattern.load.hot_key_per_second or (written / groups if groups else 0))
                total += 0 if plan.pattern.load.hot_key_per_second else written
        is_changing = any(attribute.name in fields and is_value(attribute) for attribute in binding.entity.attributes)
        if busiest > per_second or (total > in_table and is_changing):
            rate_text = counted(max(busiest, total), "time", spec=",.0f")
            where = " in all partitions" if total > busiest else ""
            yield FindingDraft(
                problem=f"{quoted(fields)} of a partition {'is' if len(fields) == 1 else 'are'} written with each row, "
                f"{rate_text} a second{where}: all writers change one cell, whose versions every read merges",
                help="keep it in a CqlTable of its own with the same partition=, and write it when it changes",
                subject=binding.name,
            )
