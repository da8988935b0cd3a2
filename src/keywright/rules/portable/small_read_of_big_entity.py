"""GEN018: most reads of a large entity need only a few of its fields, but load the whole item."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.contract.storage_facts import StorageFacts
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import planned_reads
from keywright.errors import quoted
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted


def models(
    context: RuleContext, *, min_share: int = 20, big_bytes: int = 4096, kb_per_second: float = 500
) -> Iterator[FindingDraft]:
    """Report every such pattern that is called more often than all patterns that need a larger part of the entity.

    min_share: percent of the bytes that a read should need. big_bytes: typical bytes of a large entity.
    kb_per_second: kilobytes that all calls read in vain in a second, up to which they cost too little.
    """
    reads_of = planned_reads(context.plans)
    for binding in context.design.bindings:
        traits = context.traits.get(binding.engine)
        if traits is None or not traits.keeps_documents:
            continue  # the server reads single columns and fields
        plans = [plan for plan in reads_of[binding.name] if plan.pattern.kind in ("get", "read")]
        patterns = [plan.pattern for plan in plans if not _is_by_projection(plan)]
        facts = context.storage_facts(binding) if any(pattern.fields for pattern in patterns) else None
        if facts is None or facts.reads_fields_alone or facts.item.expected is None or facts.item.expected < big_bytes:
            continue
        small = [
            pattern for pattern in patterns if (share := _share(facts, pattern)) is not None and share * 100 < min_share
        ]
        others = sum(pattern.load.per_second or 0 for pattern in patterns if pattern not in small)
        for pattern in small:
            idle = facts.item.expected * (1 - (_share(facts, pattern) or 0)) * (pattern.load.per_second or 0)
            if (pattern.load.per_second or 0) > others and idle > kb_per_second * 1_000:
                yield FindingDraft(
                    problem=f"it needs {_share(facts, pattern) or 0:.0%} of the "
                    f"{counted(facts.item.expected, 'byte', spec='.0f')} of a "
                    f'{facts.noun} of "{binding.name}", like most of its reads; {min_share} % are recommended',
                    help=f"move {quoted(pattern.fields)}, or the other fields, to a separate entity",
                    subject=pattern.name,
                    at=pattern.at,
                )


def _is_by_projection(plan: Planned[Any]) -> bool:
    """Whether an index of DynamoDB serves it, whose rules say what the index has to contain."""
    return isinstance(plan.path, AccessPath) and plan.path.by.kind in ("gsi", "lsi")


def _share(facts: StorageFacts, pattern: Pattern) -> float | None:
    """The share of an item that a pattern needs; None if it needs the whole item, or if sizes are unknown."""
    names = {path.partition(".")[0] for path in pattern.fields}
    sizes = [facts.fields[name].expected if name in facts.fields else None for name in names]
    known_sizes = [size for size in sizes if size is not None]
    if not names or len(known_sizes) < len(sizes) or not facts.item.expected:
        return None
    return sum(known_sizes) / facts.item.expected
