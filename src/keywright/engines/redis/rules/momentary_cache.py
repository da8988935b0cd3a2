"""RED064: a cache expires far more often than its source changes."""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected
from keywright.engines.findings.rates import calls, span
from keywright.ir.binding import Binding
from keywright.ir.pattern import PatternKind
from keywright.ir.text import counted, figure

from ..declare.options import RedisCache, RedisHash, RedisJson, RedisString
from ..findings.copies import copied, is_copy

_WRITES: tuple[PatternKind, ...] = ("put", "update", "increment", "delete")


def models(
    context: RuleContext, *, momentary_seconds: float = 5, refills_per_change: int = 100, min_refills: float = 10
) -> Iterator[FindingDraft]:
    """Report every cache whose short time to live sends reads to a source that has not changed.

    momentary_seconds: longest time to live that is reported. refills_per_change: reads of the source for each change of
    it from which the time is too short. min_refills: reads of the source a second that are worth saving.
    """
    for binding in context.bindings("redis"):
        ttl = binding.spec.ttl if isinstance(binding.spec, (RedisCache, RedisString, RedisHash, RedisJson)) else None
        if ttl is None or not is_copy(binding) or ttl.total_seconds() > momentary_seconds:
            continue
        reads, changes = _reads(context, binding), _changes(context, binding)
        items = expected(binding) or expected(_source(context, binding) or binding)
        refills = min(reads, items / ttl.total_seconds()) if items else reads
        if changes is not None and refills > max(changes * refills_per_change, min_refills):
            yield FindingDraft(
                problem=f"it expires after {span(ttl)}, which sends up to {figure(refills)} reads a second to "
                f"its source, although that changes {counted(changes * 86_400, 'time', spec=figure)} a day",
                help="set a longer ttl=, such as minutes or hours, and delete the copy when the source changes",
                subject=binding.name,
            )


def _source(context: RuleContext, cache: Binding[Any]) -> Binding[Any] | None:
    """The binding elsewhere of the same entity, or of the one that is copied."""
    spec = cache.spec
    declared = spec.source_of_truth if isinstance(spec, RedisCache) else None
    names = {cache.entity.name, copied(cache), getattr(declared, "__name__", "")}
    others = (binding for binding in context.design.bindings if binding.entity.name in names)
    return next((binding for binding in others if binding is not cache and not _is_redis_copy(binding)), None)


def _is_redis_copy(binding: Binding[Any]) -> bool:
    return binding.engine == "redis" and is_copy(binding)


def _reads(context: RuleContext, cache: Binding[Any]) -> float:
    return sum(rate or 0 for _, rate in calls(context, cache, "get", "read"))


def _changes(context: RuleContext, cache: Binding[Any]) -> float | None:
    """Changes of the source per second; None if a write has no declared rate, or none is declared."""
    source = _source(context, cache)
    writes: list[tuple[Planned[Any], float | None]] = list(calls(context, source, *_WRITES)) if source else []
    rates = [rate * max(1, plan.pattern.batch) for plan, rate in writes if rate is not None]
    return sum(rates) if rates and len(rates) == len(writes) else None
