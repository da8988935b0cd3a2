"""CAS008: the declared strategy is made for the other kind of work."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.rates import items_per_second
from keywright.ir.pattern import PatternKind

from ..columns import table_of
from ..storage import Leveled, SizeTiered
from ..tables import entities

_READS: tuple[PatternKind, ...] = ("get", "read", "count")
_WRITES: tuple[PatternKind, ...] = ("put", "update", "increment", "delete")


def models(whole: Whole, *, heavy: float = 4.0) -> Iterator[Flaw]:
    """Every table that is written far more than read and leveled, or the other way round and in tiers of size.

    heavy: how many times as many make the difference.
    """
    for target, binding, _ in entities(whole):
        read, written = items_per_second(whole, binding, *_READS), items_per_second(whole, binding, *_WRITES)
        compaction = table_of(binding).compaction
        if not read or not written or target.environment.flavour == "keyspaces":
            continue
        told = f"{read:,.0f} reads and {written:,.0f} writes a second"
        if isinstance(compaction, Leveled) and written > heavy * read:
            yield Flaw(
                problem=f"{told} on kw.Leveled(), which writes each row again and again to keep reads short",
                help="leave out compaction= for what the version advises, or say kw.SizeTiered()",
                subject=binding.name,
            )
        elif isinstance(compaction, SizeTiered) and read > heavy * written:
            yield Flaw(
                problem=f"{told} on kw.SizeTiered(), which spreads a row over many files to keep writes short",
                help="leave out compaction= for what the version advises, or say kw.Leveled()",
                subject=binding.name,
            )
