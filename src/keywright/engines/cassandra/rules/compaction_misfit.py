"""CAS008: the declared compaction strategy does not fit the ratio of reads and writes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.binding import Binding
from keywright.ir.pattern import PatternKind
from keywright.ir.text import counted

from ..access.growth import moment
from ..access.layout import Layout
from ..declare.options import CqlTable
from ..findings.changes import changing, overwritten
from ..findings.tables import entities
from ..schema.table_options import options_map

_READS: tuple[PatternKind, ...] = ("get", "read", "count")
_WRITES: tuple[PatternKind, ...] = ("put", "update", "increment", "delete")


def models(context: RuleContext, *, heavy: float = 4.0, least: float = 1.0) -> Iterator[FindingDraft]:
    """Every leveled table that is mainly written, and every size-tiered table that is mainly read. If the version chose
    size tiers, rows must also be rewritten.

    heavy: the ratio of reads and writes from which a table is reported. least: writes per second up to which any
    strategy suits.
    """
    for target, binding, layout in entities(context):
        read, written = items_per_second(context, binding, *_READS), items_per_second(context, binding, *_WRITES)
        if read is None and not any(calls(context, binding, *_READS)):
            read = 0.0
        compaction = dict(options_map(dict(layout.target.options).get("compaction")))
        if read is None or not written or target.environment.flavour == "keyspaces":
            continue
        rates = f"{counted(read, 'read', spec=',.0f')} and {counted(written, 'write', spec=',.0f')} a second"
        strategy = compaction.get("class", "").removesuffix("CompactionStrategy")
        scaling = compaction.get("scaling_parameters", "")
        is_leveled = _is_declared(binding) and (strategy == "Leveled" or scaling.startswith("L"))
        if is_leveled and written > max(heavy * read, least):
            name = f'kw.Unified(scaling="{scaling}")' if scaling else "kw.Leveled()"
            yield FindingDraft(
                problem=f"{rates} on {name}, which writes each row again and again to keep reads short",
                help="leave out compaction= for what the version advises, or say kw.SizeTiered()",
                subject=binding.name,
            )
        elif strategy == "SizeTiered" and read > heavy * written and not _is_series(layout):
            if not _is_declared(binding) and (written < least or not _is_rewritten(context, binding, layout)):
                continue
            yield FindingDraft(
                problem=f"{rates} on kw.SizeTiered(), which spreads a row over many files to keep writes short",
                help="say compaction=kw.Leveled(), or kw.Unified() from Cassandra 5.0 on",
                subject=binding.name,
            )


def _is_declared(binding: Binding[CqlTable]) -> bool:
    """Whether the model chooses the strategy, and not the environment."""
    return binding.spec.compaction is not None or "compaction" in binding.spec.settings


def _is_rewritten(context: RuleContext, binding: Binding[CqlTable], layout: Layout) -> bool:
    """Whether patterns write rows again, whose versions then lie in several files."""
    return bool(changing(context, binding) or overwritten(context, binding, layout))


def _is_series(layout: Layout) -> bool:
    """Whether rows expire in the order of time, which CAS006 reports."""
    return (layout.is_expiring or layout.ttl is not None) and moment(layout) is not None
