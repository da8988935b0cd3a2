"""MDB046: a collection with far more writes than reads has many indexes.

https://www.mongodb.com/docs/manual/core/data-model-operations/ (2026-11-23) contains no number; the defaults are ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import READS
from keywright.engines.findings.rates import items_per_second
from keywright.ir.text import counted, figure


def models(
    context: RuleContext, *, max_indexes: int = 3, min_writes: float = 100, writes_per_read: float = 10
) -> Iterator[FindingDraft]:
    """Every such collection; indexes that serve no pattern are reported by GEN001.

    max_indexes: indexes beside that on `_id`. min_writes: inserts and deletes per second of a busy collection.
    writes_per_read: inserts and deletes for each read from which on indexes cost more than they save.
    """
    for binding in context.bindings("mongodb"):
        indexes = len(binding.spec.indexes)
        writes = items_per_second(context, binding, "put", "delete") or 0
        plans = (plan for plan in context.plans_of(binding) if plan.pattern.kind in READS)
        reads = sum(plan.pattern.load.per_second or 0 for plan in plans)
        if indexes > max_indexes and writes >= min_writes and writes >= reads * writes_per_read:
            yield FindingDraft(
                problem=f"each of its {counted(writes, 'write', spec=figure)} a second updates "
                f"{counted(indexes, 'index', 'indexes')}, "
                f"{counted(max_indexes, 'is recommended', 'are recommended')} with only "
                f"{counted(reads, 'read', spec=figure)} a second",
                help="keep the indexes of its frequent reads, and serve the others from a copy, such as a daily report",
                subject=binding.name,
            )
