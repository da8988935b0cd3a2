"""MDB022: an index has so few values that each of them matches a large part of the collection."""

from collections.abc import Iterator
from math import prod
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.access.selectivity import most_values_of
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.access.layout import IndexView, view
from keywright.errors import quoted
from keywright.ir.text import counted


def models(context: RuleContext, *, max_values: int = 10, min_documents: int = 10_000) -> Iterator[FindingDraft]:
    """Every full index with few values that serves a pattern, in a collection with many documents for each value.

    max_values: values of an index that are few. min_documents: documents for each value that are many.
    """
    reported: set[tuple[str, str]] = set()
    for plan in context.plans:
        index = _index(plan)
        count = plan.binding.spec.expected if index else None
        if index is None or count is None or (plan.binding.name, index.target.name) in reported:
            continue
        values = _values(plan, index)
        if values is None or values > max_values or count < values * min_documents:
            continue
        reported.add((plan.binding.name, index.target.name))
        fields = quoted([name for name, _ in index.keys])
        yield FindingDraft(
            problem=f"{fields} has {counted(values, 'value', spec='.0f')} for {counted(count, 'document', spec=',')}, "
            f"so that the index leaves {counted(count / values, 'document', spec=',.0f')} to examine for each",
            help="let the index begin with a field that selects more and end with the order of the read, or make it "
            "partial by where= on the rare value",
            subject=plan.binding.name,
            part=index.target.name,
        )


def _index(plan: Planned[Any]) -> IndexView | None:
    """The full index with no other purpose that serves a pattern; None if there is none."""
    path = plan.path
    if plan.binding.engine != "mongodb" or not isinstance(path, AccessPath) or path.by.kind != "index":
        return None
    if plan.pattern.kind == "count":  # the index alone answers
        return None
    layout = view(plan.target, plan.binding)
    indexes = layout.indexes if layout and layout.collection.series is None else ()
    index = next((index for index in indexes if index.by == path.by and index.kind == "fields"), None)
    if index is None or index.is_partial or index.is_multikey or index.target.is_unique:
        return None
    return None if index.target.expire_after_seconds is not None else index


def _values(plan: Planned[Any], index: IndexView) -> float | None:
    """The number of values of an index; None if unknown."""
    counts = [most_values_of(plan.binding.entity.attributes, name) for name, _ in index.keys]
    exact_counts = [count for count in counts if count is not None]
    return prod(exact_counts) if len(exact_counts) == len(counts) else None
