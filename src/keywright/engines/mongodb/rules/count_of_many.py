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
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.findings.rates import items_per_second
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve
from keywright.ir.text import counted, figure

_SELECTING = {"equals", "one_of", "not", "contains", "present", "between"}
"""Comparisons whose selectivity is known, with the span of a range."""


def models(context: RuleContext, *, min_rate: float = 1, max_entries: int = 10_000) -> Iterator[FindingDraft]:
    """Every served count at this rate or more over more documents, as far as conditions of equality and the
    span of a time tell.

    min_rate: counts per second that are frequent. max_entries: documents that a frequent count may be over.
    """
    for plan in context.plans:
        pattern, rate = plan.pattern, plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or pattern.kind != "count" or pattern.unserved or pattern.cache_ttl_seconds:
            continue
        if rate is None or rate < min_rate or not isinstance(plan.path, AccessPath):
            continue
        count = _documents(context, plan)
        if count is not None and count > max_entries:
            yield FindingDraft(
                problem=f"each count reads about {counted(count, 'index entry', 'index entries', spec=',.0f')}, "
                f"{counted(rate, 'time', spec=figure)} a second; "
                f"{counted(max_entries, 'is recommended', 'are recommended', spec=',')}",
                help="store the number in a document, by kw.Increment(...) with each write, or count up to a limit by "
                "kw.Read",
                subject=pattern.name,
                at=pattern.at,
            )


def _documents(context: RuleContext, plan: Planned[Any]) -> float | None:
    """Documents that a count is over; None if unknown, or if a text selects them."""
    pattern, attributes = plan.pattern, plan.binding.entity.attributes
    count: int | None = plan.binding.spec.expected
    conditions = request(pattern).conditions
    if count is None or not {condition.kind for condition in conditions} <= _SELECTING:
        return None
    in_span = _share_of_span(context, plan, count) if pattern.range is not None else 1.0
    if in_span is None:
        return None
    equal = [condition for condition in conditions if condition.kind not in ("present", "between")]
    share = share_of(attributes, equal) if equal else 1.0
    if share is not None:
        return max(1.0, count * share * in_span)
    referrers: list[int] = []
    for name in pattern.eq:
        attribute = (resolve(attributes, name) or (None,))[-1]
        reference = attribute.type.facts.reference if attribute and isinstance(attribute.type, Scalar) else None
        if reference is not None and reference.max_referrers is not None:
            referrers.append(reference.max_referrers)
    return min(referrers) * in_span if referrers else None


def _share_of_span(context: RuleContext, plan: Planned[Any], count: int) -> float | None:
    """The share of documents whose time is in the span of a range: of those that are kept, or by the rate of puts."""
    span, attribute = plan.pattern.span_seconds, plan.binding.entity.attribute(plan.pattern.range or "")
    if span is None or attribute is None:
        return None
    added = items_per_second(context, plan.binding, "put")
    expiries = expiring_fields(plan.binding, with_partial=False)
    series = getattr(plan.binding.spec, "ttl", None)
    kept = series.total_seconds() if series is not None else expiries.get(attribute.name)
    if kept:
        return min(1.0, span / kept)
    return min(1.0, added * span / count) if added else None
