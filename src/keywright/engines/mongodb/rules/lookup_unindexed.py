"""MDB020: a `$lookup` scans the other collection for each document, or runs all the time.

https://www.mongodb.com/docs/manual/reference/operator/aggregation/lookup/ (2026-11-22) says that it wants an index;
the rate is ours.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.engines.mongodb.access.judge import JOIN_SCANS
from keywright.engines.mongodb.access.lookups import lookups
from keywright.engines.mongodb.access.view import View, collection_of, shape_of, view


def models(whole: Whole, *, lookup_rate: float = 10.0) -> Iterator[Flaw]:
    """Every join that no index serves, that comes before grouping, or that is called more often.

    lookup_rate: calls per second that may join.
    """
    for plan in whole.plans:
        pattern = plan.pattern
        if plan.binding.engine != "mongodb" or not pattern.joins or pattern.unserved:
            continue
        found = view(plan.target, plan.binding)
        problem = _problem(found, plan, lookup_rate) if found else ""
        if problem:
            fields = ", ".join(f'"{field}"' for join in pattern.joins for field in join.fields)
            yield Flaw(
                problem=problem,
                help=f"copy {fields} into {plan.binding.name} with CopiedFrom(...), or join what is read seldom, "
                "by an index of the other",
                subject=pattern.name,
                at=pattern.at,
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every join for which the server reads the other collection from end to end."""
    plans = {plan.pattern.name: plan for plan in seen.plans()}
    for name, asked in seen.found.asked.items():
        if JOIN_SCANS in asked.stages and name in plans:
            others = ", ".join(join.entity for join in plans[name].pattern.joins)
            yield Flaw(
                problem=f"the server reads all of {others} for each document that it joins, in place of an index",
                help="`keywright drift` shows whether the index of the other collection is as it should be",
                subject=name,
                at=plans[name].pattern.at,
            )


def _problem(found: View, plan: Planned[Any], lookup_rate: float) -> str:
    """What is wrong with the joins of a pattern; empty if nothing is."""
    pattern = plan.pattern
    names = ", ".join(join.entity for join in pattern.joins)
    if pattern.kind == "aggregate":
        return f"it looks up {names} for each document before it is grouped"
    if not all(_is_here(found, join.entity) for join in pattern.joins):
        return ""
    made = lookups(found, pattern)
    if isinstance(made, str):
        return made
    rate = pattern.load.per_second
    if plan.is_served and rate is not None and rate > lookup_rate:
        return f"it looks up {names} for each document, {rate:g} times a second, {lookup_rate:g} are a good bound"
    return ""


def _is_here(found: View, entity: str) -> bool:
    """Whether an entity is in the same database, where `$lookup` can be."""
    shape = shape_of(found.database, entity)
    return shape is not None and collection_of(found.database, shape) is not None
