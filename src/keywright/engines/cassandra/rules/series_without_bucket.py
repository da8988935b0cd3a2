"""CAS003: a series stays in one partition, because the partition key has no time bucket."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.growth import LONGEST, YEAR, fitting, is_cut, rows, time_path, ttl_seconds
from ..findings.tables import entities
from ..findings.turnover import added

_SERIES = ("event", "reading", "feed")


def models(
    context: RuleContext,
    *,
    bucket: str = "month",
    kinds: tuple[str, ...] = _SERIES,
    max_rows: int = 100_000,
    years: int = 3,
) -> Iterator[FindingDraft]:
    """Every table ordered by time whose partitions never stop growing; a question if the rows of one are unknown.

    bucket: the proposed form of time: hour, date, week or month; rows that expire sooner need none. kinds: kinds of
    entities that are a series even if their number is not declared. max_rows: most rows of a partition without a
    bucket. years: time over which a partition is estimated.
    """
    for _, binding, layout in entities(context):
        path = time_path(layout)
        if not path or is_cut(layout) or layout.ttl is not None or layout.has_lifetimes:
            continue
        if (ttl_seconds(layout) or float("inf")) <= LONGEST.get(bucket, 0):
            continue
        written = added(context, binding)
        row_count = rows(layout, binding, written, years * YEAR)
        if row_count is None and (binding.spec.kind not in kinds or ttl_seconds(layout) is not None):
            continue  # how many rows a key gets until they expire is not declared
        if row_count is not None and row_count <= max_rows:
            continue
        form = _shorter(bucket, fitting(layout, written, max_rows))
        word = "day" if form == "date" else form
        keys = ", ".join(f'"{part.cell.field}"' for part in layout.table.partition)
        problem = f'its rows are kept by "{path}", and its partition key, {keys}, never ends a partition'
        asks = "" if row_count is not None else f": does one stay below {counted(max_rows, 'row', spec=',')}?"
        yield FindingDraft(
            problem=problem + asks,
            help=f'add a bucket of time: computed={{"{word}": "{{{path}:{form}}}"}}, partition=[{keys}, "{word}"]; or '
            "say how few there are, by rates and kw.Cardinality",
            subject=binding.name,
            severity="question" if asks else None,
        )


def _shorter(bucket: str, fitting_form: str | None) -> str:
    return min((bucket, fitting_form), key=lambda form: LONGEST.get(form, 0)) if fitting_form else bucket
