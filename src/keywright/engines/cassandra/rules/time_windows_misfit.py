"""CAS028: rows in time windows are changed or deleted later, so that windows overlap and are not dropped."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.ir.text import counted, figure

from ..findings.changes import changing
from ..findings.tables import TIME_WINDOW, entities
from ..findings.turnover import deleted
from ..schema.capabilities import FLAVOURS
from ..schema.table_options import options_map


def models(context: RuleContext, *, share: float = 0.05) -> Iterator[FindingDraft]:
    """Every such table with expiring rows.

    share: deletions allowed for each put.
    """
    for target, binding, layout in entities(context):
        compaction = dict(options_map(dict(layout.target.options).get("compaction")))
        if compaction.get("class") != TIME_WINDOW or not (layout.is_expiring or layout.ttl):
            continue
        patterns = sorted({*changing(context, binding).values()})
        deletions, puts = deleted(context, binding, "request") or 0, items_per_second(context, binding, "put") or 0
        if patterns:
            cause = f'"{patterns[0]}" changes rows of older windows'
        elif puts and deletions > share * puts:
            cause = f"{counted(deletions, 'row', spec=figure)} a second are deleted, and {figure(puts)} put"
        else:
            continue
        environment = target.environment
        has_unified = FLAVOURS[environment.flavour].has("UnifiedCompactionStrategy", environment.version)
        yield FindingDraft(
            problem=f"it has time windows, and {cause}: files of several windows hold a row, so that none is dropped "
            "when it has expired",
            help=f"say compaction=kw.{'Unified' if has_unified else 'SizeTiered'}(); windows are for rows that are "
            "written once",
            subject=binding.name,
        )
