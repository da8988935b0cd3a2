"""MDB020: a `$lookup` scans the other collection for each document, or runs too often.

https://www.mongodb.com/docs/manual/reference/operator/aggregation/lookup/ (2026-11-22) recommends an index;
the rate is ours.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.mongodb.access.evidence import JOIN_SCANS
from keywright.engines.mongodb.access.layout import Layout, collection_of, shape_of, view
from keywright.engines.mongodb.access.paths.joins import lookups
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, lookup_rate: float = 10.0) -> Iterator[FindingDraft]:
    """Every join that no index serves, that precedes grouping, or that is called more often.

    lookup_rate: calls per second of a pattern that joins.
    """
    for plan in context.plans:
        pattern = plan.pattern
        if plan.binding.engine != "mongodb" or not pattern.joins or pattern.unserved:
            continue
        layout = view(plan.target, plan.binding)
        problem = _problem(layout, plan, lookup_rate) if layout else ""
        if problem:
            fields = ", ".join(f'"{field}"' for join in pattern.joins for field in join.fields)
            yield FindingDraft(
                problem=problem,
                help=f"copy {fields} into {plan.binding.name} with CopiedFrom(...), or join what is read seldom, "
                "by an index of the other",
                subject=pattern.name,
                at=pattern.at,
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Every join for which the server scans the other collection."""
    plans = {plan.pattern.name: plan for plan in live_target.plans()}
    for name, explanation in live_target.observation.explained.items():
        if JOIN_SCANS in explanation.stages and name in plans:
            names = ", ".join(join.entity for join in plans[name].pattern.joins)
            yield FindingDraft(
                problem=f"the server reads all of {names} for each document that it joins, in place of an index",
                help="`keywright drift` shows whether the index of the other collection is as it should be",
                subject=name,
                at=plans[name].pattern.at,
            )


def _problem(layout: Layout, plan: Planned[Any], lookup_rate: float) -> str:
    """The problem of a pattern's joins; empty if there is none."""
    pattern = plan.pattern
    names = ", ".join(join.entity for join in pattern.joins)
    if pattern.kind == "aggregate":
        return f"it looks up {names} for each document before it is grouped"
    if not all(_is_here(layout, join.entity) for join in pattern.joins):
        return ""
    joins = lookups(layout, pattern)
    if isinstance(joins, str):
        return joins
    rate = pattern.load.per_second
    if plan.is_served and rate is not None and rate > lookup_rate:
        return (
            f"it looks up {names} for each document, {counted(rate, 'time', spec=figure)} a second, "
            f"{counted(lookup_rate, 'is recommended', 'are recommended', spec=figure)}"
        )
    return ""


def _is_here(layout: Layout, entity: str) -> bool:
    """Whether an entity is in the same database, where `$lookup` is possible."""
    shape = shape_of(layout.database, entity)
    return shape is not None and collection_of(layout.database, shape) is not None
