"""MDB006: a pattern selects documents by an element of an array without an index.

https://www.mongodb.com/docs/manual/core/indexes/index-types/index-multikey/ (2026-11-22)
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import NotServed
from keywright.access.query import Condition, request
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.access.layout import Layout, view

_SELECTING = ("get", "read", "count", "delete")
"""Kinds of pattern whose documents an index can select; MDB019 reports aggregates."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every unserved pattern with a condition on elements of such an array."""
    for plan in context.plans:
        if plan.binding.engine != "mongodb" or not isinstance(plan.path, NotServed) or plan.pattern.unserved:
            continue
        if condition := _unindexed(plan):
            yield FindingDraft(
                problem=f'"{condition.field}" is an array, and no index holds its elements: every document is read',
                help=f'add kw.Index("{condition.field}") to {plan.binding.name}, which holds each element',
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _unindexed(plan: Planned[Any]) -> Condition | None:
    """The first condition on an array, if no index names the field."""
    layout = view(plan.target, plan.binding)
    if layout is None or plan.pattern.kind not in _SELECTING:
        return None
    for condition in request(plan.pattern, layout.key_fields).conditions:
        if condition.kind not in ("search", "near", "not", "present") and layout.array(condition.field):
            return None if _is_indexed(layout, condition.field) else condition
    return None


def _is_indexed(layout: Layout, field: str) -> bool:
    return any(field == name for index in layout.indexes for name, _ in index.keys)
