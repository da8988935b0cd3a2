"""RED010: a stream grows for ever."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen

from ..kept import entities

_SLACK = 2
"""How many times its bound a stream may be: what trims by `~` leaves whole nodes standing."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Every stream that keeps all entries; groups that have taken an entry leave it where it is."""
    for _, binding, known in entities(whole):
        if known.kind == "stream" and known.structure.kept is None and known.structure.kept_seconds is None:
            yield Flaw(
                problem="every entry is kept for ever, those too that all groups have taken",
                help="say keep=1_000_000, or keep=timedelta(days=7): each append then trims the rest",
                subject=binding.name,
            )


def live(seen: Seen, *, max_pending: int = 10_000) -> Iterator[Flaw]:
    """Every stream that has outgrown its bound, and every one with a group that does not acknowledge.

    max_pending: entries that a group may have taken and not acknowledged.
    """
    structures = {one.entity: one for one in seen.target.placed.structures}
    for binding, items in seen.items():
        one = structures[binding.name]
        longest = max(items.lengths, default=0)
        if one.kind == "stream" and one.kept is not None and longest > one.kept * _SLACK:
            yield Flaw(
                problem=f"the longest {items.sample} has {longest:,} entries, and {one.kept:,} are to be kept",
                help="find out who appends without MAXLEN; `XTRIM ... MAXLEN ~` takes the rest away",
                subject=binding.name,
            )
        elif max(items.pending, default=0) > max_pending:
            yield Flaw(
                problem=f"a group has taken {max(items.pending):,} entries and not acknowledged them, {max_pending:,} "
                "are a good bound",
                help="see XPENDING for whose they are; have others claim them by XAUTOCLAIM, and acknowledge them",
                subject=binding.name,
            )
