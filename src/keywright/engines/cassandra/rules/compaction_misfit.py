"""CAS008: the declared compaction strategy does not fit the ratio of reads and writes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.ir.pattern import PatternKind
from keywright.ir.text import counted

from ..declare.storage import Leveled, SizeTiered
from ..findings.tables import entities

_READS: tuple[PatternKind, ...] = ("get", "read", "count")
_WRITES: tuple[PatternKind, ...] = ("put", "update", "increment", "delete")


def models(context: RuleContext, *, heavy: float = 4.0) -> Iterator[FindingDraft]:
    """Every leveled table that is mainly written, and every size-tiered table that is mainly read.

    heavy: the ratio of reads and writes from which a table is reported.
    """
    for target, binding, _ in entities(context):
        read, written = items_per_second(context, binding, *_READS), items_per_second(context, binding, *_WRITES)
        compaction = binding.spec.compaction
        if not read or not written or target.environment.flavour == "keyspaces":
            continue
        rates = f"{counted(read, 'read', spec=',.0f')} and {counted(written, 'write', spec=',.0f')} a second"
        if isinstance(compaction, Leveled) and written > heavy * read:
            yield FindingDraft(
                problem=f"{rates} on kw.Leveled(), which writes each row again and again to keep reads short",
                help="leave out compaction= for what the version advises, or say kw.SizeTiered()",
                subject=binding.name,
            )
        elif isinstance(compaction, SizeTiered) and read > heavy * written:
            yield FindingDraft(
                problem=f"{rates} on kw.SizeTiered(), which spreads a row over many files to keep writes short",
                help="leave out compaction= for what the version advises, or say kw.Leveled()",
                subject=binding.name,
            )
