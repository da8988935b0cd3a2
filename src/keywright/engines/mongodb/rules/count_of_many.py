"""MDB040: a frequent count reads an index entry for each of many documents.

https://jira.mongodb.org/browse/SERVER-80800 (2026-11-23) contains no number; the defaults are ours.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.access.search import Planned
from keywright.access.selectivity import share_of
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve
from keywright.ir.text import counted, figure

_SELECTING = {"equals", "one_of", "not", "contains", "present"}
"""Comparisons whose selectivity is known."""


def models(context: RuleContext, *, min_rate: float = 1, max_entries: int = 10_000) -> Iterator[FindingDraft]:
    """Every served count at this rate or more over more documents, as far as conditions of equality tell.

    min_rate: counts per second that are frequent. max_entries: documents that a frequent count may be over.
    """
    for plan in context.plans:
        pattern, rate = plan.pattern, plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or pattern.kind != "count" or pattern.unserved:
            continue
        if rate is None or rate < min_rate or not isinstance(plan.path, AccessPath):
            continue
        count = _documents(plan)
        if count is not None and count > max_entries:
            yield FindingDraft(
                problem=f"each count reads about {counted(count, 'index entry', 'index entries', spec=',.0f')}, "
                f"{counted(rate, 'time', spec=figure)} a second; "
                f"{counted(max_entries, 'is a good bound', 'are a good bound', spec=',')}",
                help="store the number in a document, by kw.Increment(...) with each write, or count up to a limit by "
                "kw.Read",
                subject=pattern.name,
                at=pattern.at,
            )


def _documents(plan: Planned[Any]) -> float | None:
    """Documents that a count is over; None if unknown, or if a range or text selects them."""
    pattern, attributes = plan.pattern, plan.binding.entity.attributes
    count: int | None = plan.binding.spec.expected
    conditions = request(pattern).conditions
    if count is None or not {condition.kind for condition in conditions} <= _SELECTING:
        return None
    share = share_of(attributes, (condition for condition in conditions if condition.kind != "present"))
    if share is not None:
        return max(1.0, count * share)
    referrers: list[int] = []
    for name in pattern.eq:
        attribute = (resolve(attributes, name) or (None,))[-1]
        reference = attribute.type.facts.reference if attribute and isinstance(attribute.type, Scalar) else None
        if reference is not None and reference.max_referrers is not None:
            referrers.append(reference.max_referrers)
    return min(referrers) if referrers else None
