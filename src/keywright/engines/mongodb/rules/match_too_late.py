"""MDB019: an aggregate unwinds all documents, because no index selects them first.

https://www.mongodb.com/docs/manual/core/aggregation-pipeline-optimization/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.access.path import NotServed
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.access.what_if import served_by
from keywright.record import replace


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every aggregate that is unserved because no index selects its documents."""
    for plan in context.plans:
        pattern = plan.pattern
        if plan.binding.engine != "mongodb" or pattern.kind != "aggregate" or pattern.unserved:
            continue
        if not isinstance(plan.path, NotServed):
            continue
        as_count = replace(pattern, kind="count", joins=())
        if any(served_by(plan.target, plan.binding, as_count)):
            continue  # an index selects the documents: another part of the aggregate is unserved
        yield FindingDraft(
            problem=f"all documents of {plan.binding.name} go through it, since no index finds those that are meant",
            help="choose first, such as by range= over a time, and index that; or keep the figures up to date",
            subject=pattern.name,
            at=pattern.at,
        )
