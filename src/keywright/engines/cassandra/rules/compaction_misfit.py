"""CAS008: the declared compaction strategy does not fit the ratio of reads and writes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.binding import Binding
from keywright.ir.pattern import PatternKind
from keywright.ir.text import counted

from ..declare.options import CqlTable
from ..findings.tables import entities
from ..schema.table_options import options_map

_READS: tuple[PatternKind, ...] = ("get", "read", "count")
_WRITES: tuple[PatternKind, ...] = ("put", "update", "increment", "delete")


def models(context: RuleContext, *, heavy: float = 4.0, least: float = 1.0) -> Iterator[FindingDraft]:
    """Every leveled table that is mainly written, and every size-tiered table that is mainly read.

    heavy: the ratio of reads and writes from which a table is reported. least: writes per second up to which any
    strategy suits.
    """
    for target, binding, layout in entities(context):
        read, written = items_per_second(context, binding, *_READS), items_per_second(context, binding, *_WRITES)
        if read is None and not any(calls(context, binding, *_READS)):
            read = 0.0
        compaction = dict(options_map(dict(layout.target.options).get("compaction")))
        if read is None or not written or target.environment.flavour == "keyspaces" or not _is_declared(binding):
            continue
        rates = f"{counted(read, 'read', spec=',.0f')} and {counted(written, 'write', spec=',.0f')} a second"
        strategy = compaction.get("class", "").removesuffix("CompactionStrategy")
        scaling = compaction.get("scaling_parameters", "")
        if (strategy == "Leveled" or scaling.startswith("L")) and written > max(heavy * read, least):
            name = f'kw.Unified(scaling="{scaling}")' if scaling else "kw.Leveled()"
            yield FindingDraft(
                problem=f"{rates} on {name}, which writes each row again and again to keep reads short",
                help="leave out compaction= for what the version advises, or say kw.SizeTiered()",
                subject=binding.name,
            )
        elif strategy == "SizeTiered" and read > heavy * written:
            yield FindingDraft(
                problem=f"{rates} on kw.SizeTiered(), which spreads a row over many files to keep writes short",
                help="leave out compaction= for what the version advises, or say kw.Leveled()",
                subject=binding.name,
            )


def _is_declared(binding: Binding[CqlTable]) -> bool:
    """Whether the model chooses the strategy, and not the environment."""
    return binding.spec.compaction is not None or "compaction" in binding.spec.settings
