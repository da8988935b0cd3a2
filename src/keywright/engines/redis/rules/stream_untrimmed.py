"""RED010: a stream grows for ever."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from ..kept import entities


def models(whole: Whole) -> Iterator[Flaw]:
    """Every stream that keeps all entries; groups that have taken an entry leave it where it is."""
    for _, binding, known in entities(whole):
        if known.kind == "stream" and known.structure.kept is None and known.structure.kept_seconds is None:
            yield Flaw(
                problem="every entry is kept for ever, those too that all groups have taken",
                help="say keep=1_000_000, or keep=timedelta(days=7): each append then trims the rest",
                subject=binding.name,
            )
