"""CAS038: a count reads every row of a large partition."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted

from ..access.calls import Select
from ..access.growth import YEAR, rows, value_count
from ..findings.tables import entities
from ..findings.turnover import added


def models(context: RuleContext, *, max_rows: int = 10_000, years: int = 3) -> Iterator[FindingDraft]:
    """Every count of a partition or table, or of its rows with an indexed value, with too many rows.

    max_rows: most rows of a count. years: time over which a partition that never stops growing is estimated.
    """
    for _, binding, layout in entities(context):
        row_count = rows(layout, binding, added(context, binding), years * YEAR)
        for plan, rate in calls(context, binding, "count"):
            call = plan.path.call if isinstance(plan.path, AccessPath) else None
            if not isinstance(call, Select) or call.clustering or call.bounds:
                continue
            count = expected(binding) if call.keys else row_count
            for match in call.matches:
                values = value_count(layout, match.cell.field)
                count = count / values if count is not None and values else None
            if count is None or count <= max_rows:
                continue
            often = f", {counted(rate, 'time', spec=',.3g')} a second" if rate else ""
            yield FindingDraft(
                problem=f"one call reads about {counted(count, 'row', spec=',.0f')} to count them{often}; "
                f"{counted(max_rows, 'is allowed', 'are allowed', spec=',')}",
                help="keep the number in a CqlTable with counters=, or count in a report from another system",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
