"""GEN012: an engine is asked for what it is not made for."""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.flaws.asked import expected, planned_reads
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.holding import Question
from keywright.errors import quoted
from keywright.ir.pattern import Pattern

_QUESTIONS: dict[Question, str] = {
    "search": "words of a text",
    "near": "what is close to a place",
    "aggregate": "figures of groups",
}


def models(whole: Whole, *, memory_gb: int = 100, max_joins: int = 2, ad_hoc: int = 4) -> Iterator[Flaw]:
    """Every question that no structure of an engine answers, data that should not live in memory, and chains of joins.

    memory_gb: data of one server, in GB, that is worth its memory. max_joins: joins of a pattern. ad_hoc: reads of one
    entity that nothing serves, from which on it is asked ad hoc.
    """
    engines = {one.name: one.engine for one in whole.design.bindings}
    for plan in whole.plans:
        pattern, engine = plan.pattern, engines[plan.binding.name]
        question = _question(pattern)
        traits = whole.traits.get(engine)
        if question and traits and question not in traits.answers and not _is_answered(plan):
            others = sorted(name for name, one in whole.traits.items() if question in one.answers)
            yield _of(pattern, f"it asks for {_QUESTIONS[question]}, which nothing in {engine} answers", others)
        if len(pattern.joins) > max_joins:
            yield Flaw(
                problem=f"it joins {len(pattern.joins)} other entities, {max_joins} are a good bound",
                help="embed or copy what is read together, or ask a relational copy of the data",
                subject=pattern.name,
                at=pattern.at,
            )
    yield from _ad_hoc(whole, ad_hoc)
    yield from _too_large(whole, memory_gb)


def _is_answered(plan: Planned[Any]) -> bool:
    """Whether something serves it, or need not for a stated reason."""
    return plan.is_served or plan.pattern.unserved is not None


def _question(pattern: Pattern) -> Question | None:
    if pattern.search:
        return "search"
    if pattern.near:
        return "near"
    return "aggregate" if pattern.kind == "aggregate" else None


def _of(pattern: Pattern, problem: str, engines: list[str]) -> Flaw:
    return Flaw(
        problem=problem,
        help=f"keep a copy in {' or '.join(engines)}, by kw.bind(...), and ask that",
        subject=pattern.name,
        at=pattern.at,
    )


def _ad_hoc(whole: Whole, most: int) -> Iterator[Flaw]:
    """Entities that are asked by whatever they have, where each way of asking is a table or index of its own."""
    reads = planned_reads(whole.plans)
    for binding in whole.design.bindings:
        traits = whole.traits.get(binding.engine)
        found = [plan.pattern.name for plan in reads[binding.name] if not _is_answered(plan)]
        if traits and traits.is_clustered and len(found) >= most:
            others = " or ".join(sorted(name for name, one in whole.traits.items() if not one.is_clustered))
            yield Flaw(
                problem=f"nothing serves {len(found)} of its reads, and {binding.engine} needs an index or a table for "
                f"each: {quoted(found)}",
                help=f"keep what is asked ad hoc in {others}, by kw.bind(...)",
                subject=binding.name,
            )


def _too_large(whole: Whole, memory_gb: int) -> Iterator[Flaw]:
    for physical in whole.design.physicals:
        traits = whole.traits.get(physical.engine)
        if traits is None or not traits.is_in_memory:
            continue
        total = 0.0
        for binding in whole.design.bindings_in(physical):
            held, count = whole.holding(binding), expected(binding)
            if held and held.usual and count and not hasattr(binding.spec, "source_of_truth"):
                total += held.usual * count
        if total > memory_gb * 1e9:
            yield Flaw(
                problem=f"it is the only home of about {total / 1e9:.0f} GB, all of it in memory; {memory_gb} GB are "
                "a good bound",
                help="keep them in dynamodb or cassandra, and the busy ones here, by kw.RedisCache(...)",
                subject=physical.name,
            )
