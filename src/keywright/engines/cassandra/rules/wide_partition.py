"""CAS002: a partition comes to hold more rows, bytes or cells than one should."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.ir.binding import Binding

from ..access.growth import YEAR, bucket_seconds, fitting, moment, rows, time_path, ttl_seconds, typical_row
from ..access.layout import Layout
from ..access.size import cells, head_bytes, key_band
from ..capabilities import PARTITION_BYTES, PARTITION_CELLS
from ..tables import entities
from ..turnover import added


def models(
    whole: Whole, *, max_rows: int = 100_000, max_mb: int = PARTITION_BYTES.value // 2**20, years: int = 3
) -> Iterator[Flaw]:
    """Every table whose partitions become too wide, as far as rates and numbers of values are declared.

    max_rows: rows that a partition should have. max_mb: megabytes likewise. years: how long a partition is looked at
    that takes rows for ever.
    """
    for _, binding, known in entities(whole):
        written = added(whole, binding)
        found = rows(known, binding, written, years * YEAR)
        if found is None:
            continue
        if too_wide := _excess(known, binding, found, max_rows, max_mb):
            held, allowed = too_wide
            yield Flaw(
                problem=f"a partition comes to hold {held}{_when(known, years)}, {allowed}",
                help=_help(known, written, max_rows),
                subject=binding.name,
            )


def live(seen: Seen, *, max_mb: int = PARTITION_BYTES.value // 2**20) -> Iterator[Flaw]:
    """Every table with a partition that is too wide, as the node that was asked knows it."""
    for place, figures in seen.found.tables.items():
        largest = figures.get("partition_mb_most", 0)
        if isinstance(largest, (int, float)) and largest > max_mb:
            yield Flaw(
                problem=f"the largest partition of {place} has {largest:,.0f} MiB, {max_mb} are allowed",
                help="cut the partition by time or by a shard, in partition=; it is a new table beside this one",
                subject=seen.subject(place),
            )


def _excess(known: Layout, binding: Binding, found: float, max_rows: int, max_mb: int) -> tuple[str, str] | None:
    """What there is too much of, and how much is allowed; None where all is well."""
    name, columns = binding.entity.name, len(known.table.columns)
    held = cells(found, columns, len(known.keys), len(known.statics))
    if held > PARTITION_CELLS.value:
        return f"{held:,.0f} cells", f"{PARTITION_CELLS.value:,} are possible"
    if found > max_rows:
        return f"{found:,.0f} rows", f"{max_rows:,} are allowed"
    size = found * typical_row(known, name) + head_bytes(int(key_band(known, name).low))
    return (f"{size / 2**20:,.0f} MiB", f"{max_mb} are allowed") if size > max_mb * 2**20 else None


def _when(known: Layout, years: int) -> str:
    if bucket_seconds(known) is not None:
        return " in one bucket of time"
    return "" if ttl_seconds(known) is not None or moment(known) is None else f" in {years} years"


def _help(known: Layout, written: float | None, max_rows: int) -> str:
    """The longest bucket of time that is short enough."""
    path, form = time_path(known), fitting(known, written, max_rows)
    if not path or not written:
        return "add what tells the rows of a partition apart to partition=, or a shard of it"
    made = f'"bucket": "{{{path}:{form or "hour"}}}"' + ("" if form else ', "shard": "{:shard(8)}"')
    return f"cut the partition by time, with computed={{{made}}} in partition="
