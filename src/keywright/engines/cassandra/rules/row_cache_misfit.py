"""CAS025: the row cache keeps wide partitions, or rows that writes discard all the time."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.ir.text import counted

from ..access.growth import YEAR, rows
from ..findings.tables import entities
from ..findings.turnover import added
from ..schema.table_options import options_map


def models(
    context: RuleContext, *, max_rows: int = 1_000, share: float = 0.1, years: int = 3
) -> Iterator[FindingDraft]:
    """Every table with a row cache that keeps too many rows of a partition, or that is written too often.

    max_rows: most rows of a partition that are kept as a whole. share: writes allowed for each read. years: time over
    which a partition that never stops growing is estimated.
    """
    for target, binding, layout in entities(context):
        caching = options_map(dict(layout.target.options).get("caching"))
        kept = dict(caching).get("rows_per_partition", "NONE")
        if target.environment.flavour == "keyspaces" or kept == "NONE":
            continue
        row_count = rows(layout, binding, added(context, binding), years * YEAR) or 0
        written = items_per_second(context, binding, "put", "update", "increment", "delete") or 0
        read = items_per_second(context, binding, "get", "read") or 0
        reasons = list[str]()
        if kept == "ALL" and row_count > max_rows:
            reasons.append(f"whole partitions of {counted(row_count, 'row', spec=',.0f')}")
        if written > share * read:
            reasons.append(
                f"partitions that {counted(written, 'write', spec=',.3g')} a second discard, for "
                f"{counted(read, 'read', spec=',.3g')}"
            )
        if reasons:
            yield FindingDraft(
                problem=f"the row cache keeps {', and '.join(reasons)}: it fills the memory and seldom answers",
                help="remove caching=: by default a node keeps only the places of partitions",
                subject=binding.name,
            )
