"""GEN003: the busiest read of an entity uses an index, although the primary key would cost less."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.declare.names import names
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import changed, planned_reads, single
from keywright.engines.registry import engine_named
from keywright.errors import quoted
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, critical_per_second: int = 1_000) -> Iterator[FindingDraft]:
    """Report every such read, except by fields that change, which belong into an index and not into a key.

    critical_per_second: calls per second that make a read critical.
    """
    reads = planned_reads(context.plans)
    for binding in context.design.bindings:
        traits = context.traits.get(binding.engine)
        candidates = [plan for plan in reads[binding.name] if plan.pattern.kind in ("get", "read")]
        if traits is None or not traits.is_clustered or not candidates:
            continue
        top = max(candidates, key=_rate)
        is_busiest = all(
            _rate(planned) < _rate(top) for planned in candidates if planned is not top and not _is_indexed(planned)
        )
        is_costly = _is_indexed(top) and not _is_projected(top) and not _is_in_partition(top)
        is_critical = is_busiest and _rate(top) >= critical_per_second and is_costly
        if is_critical and not _moves(context, binding, top.pattern):
            fields = (*top.pattern.eq, *top.pattern.one_of)
            yield FindingDraft(
                problem=f'it is the busiest read of "{binding.name}", with '
                f"{counted(_rate(top), 'call', spec=figure)} per second, but uses "
                f'{top.access_path.by.kind} "{top.access_path.by.name}"',
                help=f"make {quoted(fields) or 'its conditions'} the primary key, and serve other reads by an index",
                subject=top.pattern.name,
                at=top.pattern.at,
            )


def _rate(plan: Planned[Any]) -> float:
    return plan.pattern.load.per_second or 0


def _is_indexed(plan: Planned[Any]) -> bool:
    return isinstance(plan.path, AccessPath) and plan.path.by.kind in ("gsi", "index")


def _is_projected(plan: Planned[Any]) -> bool:
    """Whether its index has a few fields of each item, so that it reads these only."""
    parts = engine_named(plan.binding.engine).listed(plan.binding.physical)
    return any(
        part.name == plan.access_path.by.name and getattr(part.spec, "project", None) not in (None, "all")
        for part in parts
    )


def _is_in_partition(plan: Planned[Any]) -> bool:
    """Whether the query names the partition, so that its index is read where the items are."""
    partition = names(getattr(plan.binding.spec, "partition", None))
    return bool(partition) and {*partition} <= {*plan.pattern.eq}


def _moves(context: RuleContext, binding: Binding, pattern: Pattern) -> bool:
    """Whether a write changes a field in the conditions of a pattern."""
    fields = {*pattern.eq, *pattern.one_of, pattern.range, *(name.removeprefix("-") for name in pattern.order)}
    fields |= {condition.field for condition in pattern.where}
    writes = (write for write in single(context.design) if write.binding == binding.name)
    return any(path in fields for write in writes for path in changed(write))
