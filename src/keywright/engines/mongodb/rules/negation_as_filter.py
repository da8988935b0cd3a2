"""MDB050: a frequent query selects by what a field is not.

https://www.mongodb.com/docs/manual/core/query-optimization/#query-selectivity (2026-11-23) contains no number; the
defaults are ours.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.query import Condition, request
from keywright.access.search import Planned
from keywright.access.selectivity import group_size
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, min_rate: float = 1, max_documents: int = 1_000) -> Iterator[FindingDraft]:
    """Every such query of a text or state, if no partial index leaves the excluded documents out.

    min_rate: calls per second of a frequent query. max_documents: documents that its other conditions may select.
    """
    for plan in context.plans:
        rate = plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or plan.pattern.kind not in ("get", "read", "count") or rate is None:
            continue
        if rate < min_rate or plan.pattern.unserved or not isinstance(plan.path, AccessPath):
            continue
        negation = next((condition for condition in plan.path.residual if _is_of_state(plan, condition)), None)
        equal = [condition.field for condition in request(plan.pattern).conditions if condition.kind == "equals"]
        count = group_size(plan.binding.entity.attributes, plan.binding.spec.expected, equal)
        if negation is not None and count is not None and count > max_documents:
            yield FindingDraft(
                problem=f'it selects by what "{negation.field}" is not, {counted(rate, "time", spec=figure)} a second: '
                f"of {counted(count, 'document', spec=',.0f')}, those that it excludes are read and skipped",
                help=f'name the values by where={{"{negation.field}": kw.OneOf([...])}}, also in the index',
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _is_of_state(plan: Planned[Any], condition: Condition) -> bool:
    """Whether a condition excludes a value of a text: flags mostly mark few documents."""
    attributes = resolve(plan.binding.entity.attributes, condition.field)
    kind = attributes[-1].type if attributes else None
    is_text = isinstance(kind, Scalar) and kind.kind == "string"
    return condition.kind == "not" and is_text and condition.constants not in (None, (None,))
