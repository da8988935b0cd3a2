"""MDB027: a frequent read transfers whole large documents.

https://www.mongodb.com/docs/manual/tutorial/optimize-query-performance-with-indexes-and-projections/ (2026-11-23)
contains no number; the defaults are ours.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import identity
from keywright.engines.mongodb.access.cost import cost
from keywright.engines.mongodb.schema.capabilities import DOCUMENT_BYTES
from keywright.errors import quoted
from keywright.ir.text import counted

_MB = 1_000_000
_RARER = 100
_FEW = 1
"""Fields beyond the key of documents that are read for their one large field."""
_REPORTED_SHARE = 4
"""GEN011 reports documents from this part of the limit on: their size is the cause."""


def models(
    context: RuleContext, *, min_rate: float = 100, max_mb: float = 10, max_list_mb: float = 1, big_bytes: int = 4_096
) -> Iterator[FindingDraft]:
    """Every frequent read without `fields=` that transfers more, except answers that callers keep.

    min_rate: calls per second of a frequent read. max_mb: megabytes per second that a read of single documents may
    transfer. max_list_mb: the same for a list, which shows a summary of each. big_bytes: bytes of a large document.
    """
    for plan in context.plans:
        pattern, rate = plan.pattern, plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or pattern.kind not in ("get", "read") or pattern.fields:
            continue
        if rate is None or rate < min_rate or pattern.cache_ttl_seconds is not None:
            continue
        facts = context.storage_facts(plan.binding)
        if facts is None or facts.usual is None or not isinstance(plan.path, AccessPath):
            continue
        if facts.usual * _REPORTED_SHARE > DOCUMENT_BYTES.value:
            continue
        if len(facts.fields) <= _FEW + len(identity(plan.binding)):
            continue
        count = cost(plan).returned.expected
        size = facts.usual * (count or 0) * rate / _MB
        sizes = {name: band.expected or 0 for name, band in facts.fields.items()}
        largest = max(sizes, key=lambda name: sizes[name])
        is_single = pattern.kind == "get" and not _is_read_apart(context, plan, largest)
        most = max_mb if is_single else max_list_mb
        if facts.usual >= big_bytes and size > most:
            yield FindingDraft(
                problem=f"it transfers whole documents of {counted(facts.usual, 'byte', spec=',.0f')}, most of it "
                f"{quoted([largest])}: {size:,.0f} MB a second, {counted(most, 'is recommended', 'are recommended')}",
                help="name what the caller uses by fields=; if all of it is needed, move "
                f"{quoted([largest])} to a separate entity or cache the answer",
                subject=pattern.name,
                at=pattern.at,
            )


def _is_read_apart(context: RuleContext, plan: Planned[Any], name: str) -> bool:
    """Whether another read, a hundred times as rare, is about the largest field, which the others hardly need."""
    rate = plan.pattern.load.per_second or 0
    return any(
        name in other.pattern.fields and (other.pattern.load.per_second or rate) * _RARER <= rate
        for other in context.plans_of(plan.binding)
    )
