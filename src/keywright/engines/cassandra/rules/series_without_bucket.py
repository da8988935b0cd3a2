"""CAS003: a series is kept in one partition for ever, which no bucket of time cuts."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from ..access.growth import LONGEST, YEAR, is_cut, moment, rows, ttl_seconds
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
        time = moment(known)
        if time is None or is_cut(known) or known.ttl is not None:
            continue
        if (ttl_seconds(known) or float("inf")) <= LONGEST.get(bucket, 0):
            continue
        found = rows(known, binding, added(whole, binding), years * YEAR)
        if found is None and getattr(binding.spec, "kind", "") not in kinds:
            continue
        if found is not None and found <= max_rows:
            continue
        path = time.template.placeholders[0].path if time.template else time.cell.field
        keys = ", ".join(f'"{part.cell.field}"' for part in known.table.partition)
        yield Flaw(
            problem=f'its rows are kept by "{path}", and its partition key, {keys}, never ends a partition',
            help=f'add a bucket of time: computed={{"{_word(bucket)}": "{{{path}:{bucket}}}"}}, '
            f'partition=[{keys}, "{_word(bucket)}"]; or say how few there are, by rates and kw.Cardinality',
            subject=binding.name,
        )


def _word(bucket: str) -> str:
    return "day" if bucket == "date" else bucket
