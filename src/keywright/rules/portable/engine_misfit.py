"""GEN012: an engine serves queries or data sizes for which it is not suited."""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.contract.storage_facts import FactQuestion
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected, planned_reads
from keywright.engines.findings.rates import items_per_second
from keywright.errors import quoted
from keywright.ir.attribute import is_vector
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

_QUESTIONS: dict[FactQuestion, str] = {
    "search": "words of a text",
    "near": "distance from a place",
    "nearest": "similarity with a vector",
    "aggregate": "aggregates of groups",
}
_HOUR = 3600
"""Seconds of an hour."""


def models(
    context: RuleContext, *, memory_gb: int = 100, max_joins: int = 2, ad_hoc: int = 4
) -> Iterator[FindingDraft]:
    """Report queries that no structure of an engine serves, data that is too large for memory, and chains of joins.

    memory_gb: allowed data of an in-memory server, in GB. max_joins: allowed joins of a pattern. ad_hoc: number of
    unserved reads of one entity that are reported as ad-hoc queries.
    """
    engines = {binding.name: binding.engine for binding in context.design.bindings}
    for plan in context.plans:
        pattern, engine = plan.pattern, engines[plan.binding.name]
        question = _question(plan)
        traits = context.traits.get(engine)
        if question and traits and question not in traits.answers and not _is_answered(plan):
            others = sorted(name for name, trait in context.traits.items() if question in trait.answers)
            yield _of(pattern, f"it queries {_QUESTIONS[question]}, which no structure of {engine} serves", others)
        if len(pattern.joins) > max_joins:
            yield FindingDraft(
                problem=f"it joins {counted(len(pattern.joins), 'other entity', 'other entities')}, "
                f"{counted(max_joins, 'is recommended', 'are recommended')}",
                help="embed or copy the joined fields, or query a relational copy of the data",
                subject=pattern.name,
                at=pattern.at,
            )
    yield from _ad_hoc(context, ad_hoc)
    yield from _too_large(context, memory_gb)


def _is_answered(plan: Planned[Any]) -> bool:
    """Whether it is served, or declares a reason for not being served."""
    return plan.is_served or plan.pattern.unserved is not None


def _question(plan: Planned[Any]) -> FactQuestion | None:
    if plan.pattern.search:
        return "search"
    if near := plan.pattern.near:
        attribute = plan.binding.entity.attribute(near)
        return "nearest" if attribute and is_vector(attribute.type) else "near"
    return "aggregate" if plan.pattern.kind == "aggregate" else None


def _of(pattern: Pattern, problem: str, engines: list[str]) -> FindingDraft:
    return FindingDraft(
        problem=problem,
        help=f"keep a copy in {' or '.join(engines)}, by kw.bind(...), and query the copy",
        subject=pattern.name,
        at=pattern.at,
    )


def _ad_hoc(context: RuleContext, most: int) -> Iterator[FindingDraft]:
    """Findings about entities with ad-hoc queries, in engines where each query needs a separate table or index."""
    reads = planned_reads(context.plans)
    for binding in context.design.bindings:
        traits = context.traits.get(binding.engine)
        names = [plan.pattern.name for plan in reads[binding.name] if not _is_answered(plan)]
        if traits and traits.is_clustered and len(names) >= most:
            others = " or ".join(sorted(name for name, trait in context.traits.items() if not trait.is_clustered))
            yield FindingDraft(
                problem=f"{len(names)} of its reads are not served, and {binding.engine} needs an index or a table for "
                f"each: {quoted(names)}",
                help=f"store the data of ad-hoc queries in {others}, by kw.bind(...)",
                subject=binding.name,
            )


def _is_busy(context: RuleContext, binding: Binding[Any], count: int) -> bool:
    """Whether each item is read or written within the hour on average, so that no disk would serve it as well."""
    rate = items_per_second(context, binding, "get", "put", "update", "increment") or 0
    return rate * _HOUR >= count


def _too_large(context: RuleContext, memory_gb: int) -> Iterator[FindingDraft]:
    for physical in context.design.physicals:
        traits = context.traits.get(physical.engine)
        if traits is None or not traits.is_in_memory:
            continue
        total = 0.0
        for binding in context.design.bindings_in(physical):
            facts, count = context.storage_facts(binding), expected(binding)
            is_copy = hasattr(binding.spec, "source_of_truth")
            if facts and facts.usual and count and not is_copy and not _is_busy(context, binding, count):
                total += facts.usual * count
        if total > memory_gb * 1e9:
            others = [name for name, other in context.traits.items() if other.is_clustered and not other.is_in_memory]
            by_cache = f", by {traits.cache}" if traits.cache else ""
            yield FindingDraft(
                problem=f"it is the only store of about {total / 1e9:.0f} GB, all of it in memory; {memory_gb} GB are "
                "recommended",
                help=f"store them in {' or '.join(others)}, and cache the busy ones here{by_cache}",
                subject=physical.name,
                engine=physical.engine,
            )
