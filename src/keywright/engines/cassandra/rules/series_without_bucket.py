"""CAS003: a series is kept in one partition for ever, which no bucket of time cuts."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from ..access.growth import LONGEST, YEAR, fitting, is_cut, rows, time_path, ttl_seconds
from ..tables import entities
from ..turnover import added

_SERIES = ("event", "reading", "feed")


def models(
    whole: Whole, *, bucket: str = "month", kinds: tuple[str, ...] = _SERIES, max_rows: int = 100_000, years: int = 3
) -> Iterator[Flaw]:
    """Every table in the order of time whose partitions have no end.

    bucket: the form of time that is proposed: hour, date, week or month; what expires sooner needs none. kinds: what
    entities are that make a series even where nobody says how many there will be. max_rows: rows that a partition may
    have without a bucket. years: how long it is looked at.
    """
    for _, binding, known in entities(whole):
        path = time_path(known)
        if not path or is_cut(known) or known.ttl is not None:
            continue
        if (ttl_seconds(known) or float("inf")) <= LONGEST.get(bucket, 0):
            continue
        written = added(whole, binding)
        found = rows(known, binding, written, years * YEAR)
        if found is None and getattr(binding.spec, "kind", "") not in kinds:
            continue
        if found is not None and found <= max_rows:
            continue
        form = _shorter(bucket, fitting(known, written, max_rows))
        word = "day" if form == "date" else form
        keys = ", ".join(f'"{part.cell.field}"' for part in known.table.partition)
        yield Flaw(
            problem=f'its rows are kept by "{path}", and its partition key, {keys}, never ends a partition',
            help=f'add a bucket of time: computed={{"{word}": "{{{path}:{form}}}"}}, partition=[{keys}, "{word}"]; or '
            "say how few there are, by rates and kw.Cardinality",
            subject=binding.name,
        )


def _shorter(bucket: str, fits: str | None) -> str:
    return min((bucket, fits), key=lambda form: LONGEST.get(form, 0)) if fits else bucket
