"""CAS002: a partition grows to too many rows, bytes or cells."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.growth import YEAR, bucket_seconds, fitting, moment, rows, time_path, ttl_seconds, typical_row
from ..access.layout import Layout
from ..access.size import cells, head_bytes, key_band, part_bytes
from ..declare.options import CqlTable
from ..findings.tables import entities
from ..findings.turnover import added
from ..schema.capabilities import PARTITION_BYTES, PARTITION_CELLS


def models(
    context: RuleContext,
    *,
    max_rows: int = 100_000,
    max_mb: int = PARTITION_BYTES.value // 2**20,
    min_mb: int = 15,
    years: int = 3,
) -> Iterator[FindingDraft]:
    """Every table whose partitions become too wide, by the declared rates and numbers of values.

    max_rows: most rows of a partition. max_mb: most megabytes of a partition. min_mb: megabytes up to which the number
    of rows does not matter. years: time over which a partition that never stops growing is estimated.
    """
    for _, binding, layout in entities(context):
        written = added(context, binding)
        row_count = rows(layout, binding, written, years * YEAR)
        if row_count is None:
            continue
        if too_wide := _excess(layout, binding, row_count, max_rows, max_mb, min_mb):
            excess, allowed = too_wide
            most = min(max_rows, int(max_mb * 2**20 / max(1, typical_row(layout, binding.entity.name))))
            yield FindingDraft(
                problem=f"a partition comes to hold {excess}{_when(layout, years)}, {allowed}",
                help=_help(layout, written, most),
                subject=binding.name,
            )


def live(live_target: LiveTarget, *, max_mb: int = PARTITION_BYTES.value // 2**20) -> Iterator[FindingDraft]:
    """Every table with a partition that is too wide, by the statistics of the sampled node."""
    for table, figures in live_target.observation.tables.items():
        largest = figures.get("partition_mb_most", 0)
        if isinstance(largest, (int, float)) and largest > max_mb:
            yield FindingDraft(
                problem=f"the largest partition of {table} has {largest:,.0f} MiB, "
                f"{counted(max_mb, 'is allowed', 'are allowed')}",
                help="cut the partition by time or by a shard, in partition=; it is a new table beside this one",
                subject=live_target.subject(table),
            )


def _excess(
    layout: Layout, binding: Binding[CqlTable], row_count: float, max_rows: int, max_mb: int, min_mb: int
) -> tuple[str, str] | None:
    """(excessive figure, allowed figure) of a partition; None if it is within the limits."""
    name, columns = binding.entity.name, len(layout.table.columns)
    cell_count = cells(row_count, columns, len(layout.keys), len(layout.statics))
    if cell_count > PARTITION_CELLS.value:
        return counted(cell_count, "cell", spec=",.0f"), f"{PARTITION_CELLS.value:,} are possible"
    usual = (part_bytes(layout, part, name).expected or 0 for part in layout.parts.values())
    large = sum(size for size in usual if size >= 2**20)  # CAS034 reports these columns
    size = row_count * (typical_row(layout, name) - large) + head_bytes(int(key_band(layout, name).low))
    if row_count > max_rows and size > min_mb * 2**20:
        return counted(row_count, "row", spec=",.0f"), counted(max_rows, "is allowed", "are allowed", spec=",")
    return (f"{size / 2**20:,.0f} MiB", counted(max_mb, "is allowed", "are allowed")) if size > max_mb * 2**20 else None


def _when(layout: Layout, years: int) -> str:
    if bucket_seconds(layout) is not None:
        return " in one bucket of time"
    is_counted = layout.binding.spec.expected is not None and moment(layout) is None
    return "" if ttl_seconds(layout) is not None or is_counted else f" in {counted(years, 'year')}"


def _help(layout: Layout, written: float | None, max_rows: int) -> str:
    """The help line, with the longest time bucket that is short enough."""
    path, form = time_path(layout), fitting(layout, written, max_rows)
    if not path or not written:
        return "add what tells the rows of a partition apart to partition=, or a shard of it"
    computed = f'"bucket": "{{{path}:{form or "hour"}}}"' + ("" if form else ', "shard": "{:shard(8)}"')
    return f"cut the partition by time, with computed={{{computed}}} in partition="
