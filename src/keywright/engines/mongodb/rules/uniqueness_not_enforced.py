"""MDB035: a field that identifies one document has an ordinary index.

https://www.mongodb.com/docs/manual/core/index-unique/ (2026-11-23)
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.access.layout import Layout, view
from keywright.errors import quoted
from keywright.ir.attribute import Scalar
from keywright.ir.entity import element, resolve
from keywright.ir.pattern import Pattern


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every index by which a `Get` finds its one document, if neither it nor another key keeps the fields unique."""
    reported: set[tuple[str, str]] = set()
    for plan in context.plans:
        layout = view(plan.target, plan.binding) if plan.binding.engine == "mongodb" else None
        if layout is None or layout.collection.series is not None or not _is_arbitrary(plan, layout):
            continue
        name = plan.access_path.by.name
        if (plan.binding.name, name) not in reported:
            reported.add((plan.binding.name, name))
            yield FindingDraft(
                problem=f'"{plan.pattern.name}" finds one document by {quoted(plan.pattern.eq)}, but no unique index '
                "keeps the values unique: two concurrent writes store both",
                help="set unique=True for the index, or use kw.Read with a limit= if several documents may match",
                subject=plan.binding.name,
                part=name,
            )


def _is_arbitrary(plan: Planned[Any], layout: Layout) -> bool:
    """Whether a `Get` by an index may find one of several documents, although no fact says that there are several."""
    pattern, path = plan.pattern, plan.path
    if not isinstance(path, AccessPath) or path.by.kind != "index" or pattern.order or not _finds_one(pattern):
        return False
    if any(layout.array(name) for name in pattern.eq):  # a unique index does not compare elements of one document
        return False
    fixed = {*pattern.eq, *(condition.field for condition in pattern.where if condition.test == "equals")}
    keys = [{*layout.key_fields}] if layout.key_fields else []
    keys += [{name for name, _ in index.keys} for index in layout.indexes if index.target.is_unique]
    return not any(key <= fixed for key in keys) and not any(
        _is_shared(layout, pattern, name) for name in pattern.eq[-1:]
    )


def _finds_one(pattern: Pattern) -> bool:
    """Whether a pattern is to find one document: a `Get`, or a read of one by given values."""
    is_ranged = pattern.range or pattern.prefix or pattern.contains
    return pattern.kind == "get" or (
        pattern.kind == "read" and pattern.limit == 1 and bool(pattern.eq) and not is_ranged
    )


def _is_shared(layout: Layout, pattern: Pattern, name: str) -> bool:
    """Whether a fact says that several documents have the same value.

    A pattern that finds one document among those of a state may do so by values that others repeat.
    """
    attributes = resolve(layout.attributes, name)
    kind = element(attributes[-1].type) if attributes else None
    if not isinstance(kind, Scalar):
        return True
    reference, values, count = kind.facts.reference, kind.facts.distinct, layout.binding.spec.expected
    if reference is not None:
        return reference.max_referrers != 1
    is_repeated = values is not None and count is not None and values < count and not pattern.where
    return bool(kind.constants) or kind.kind == "boolean" or is_repeated
