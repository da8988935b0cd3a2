"""MDB018: a read that must see the latest write follows writes that only one server acknowledges.

https://www.mongodb.com/docs/manual/core/causal-consistency-read-write-concerns/ (2026-11-22)
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.pattern import Pattern

_WRITES = ("put", "update", "increment", "delete")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every such write to documents with strong reads, or with a read in the same session."""
    plans = [plan for plan in context.plans if plan.binding.engine == "mongodb"]
    readers: dict[str, list[Pattern]] = {}
    for plan in plans:
        if plan.pattern.kind in ("get", "read") and plan.pattern.consistency != "eventual":
            readers.setdefault(plan.binding.name, []).append(plan.pattern)
    for plan in plans:
        for name in _weak(plan):
            reader = next(
                (pattern.name for pattern in readers.get(name, ()) if _must_see(pattern, plan.pattern.name)), None
            )
            if reader is not None:
                yield FindingDraft(
                    problem=f'one server alone has acknowledged what it writes to {name}, and "{reader}" must see it: '
                    "a failover may take it back",
                    help='leave out consistency="eventual", so that a majority has it; or let the read be "eventual"',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                    fix=None if plan.parts else Fix((SetArgument("consistency", '"strong"'),)),
                )


def _weak(plan: Planned[Any]) -> Iterator[str]:
    """Names of the bindings to which a pattern writes without waiting for a majority."""
    parts = [part for part in plan.parts or (plan,) if part.pattern.kind in _WRITES]
    if all(part.pattern.consistency == "eventual" for part in parts):
        yield from dict.fromkeys(part.binding.name for part in parts)


def _must_see(reader: Pattern, write: str) -> bool:
    return reader.consistency == "strong" or write in reader.reads_back
