"""MDB018: a read that must see the latest write follows writes that wait for one server only.

https://www.mongodb.com/docs/manual/core/causal-consistency-read-write-concerns/ (2026-11-22)
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.ir.pattern import Pattern

_WRITES = ("put", "update", "increment", "delete")


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such write: to documents that are read strongly, or that a read in a session has to see."""
    plans = [plan for plan in whole.plans if plan.binding.engine == "mongodb"]
    readers: dict[str, list[Pattern]] = {}
    for plan in plans:
        if plan.pattern.kind in ("get", "read") and plan.pattern.consistency != "eventual":
            readers.setdefault(plan.binding.name, []).append(plan.pattern)
    for plan in plans:
        for name in _weak(plan):
            reader = next((one.name for one in readers.get(name, ()) if _must_see(one, plan.pattern.name)), None)
            if reader is not None:
                yield Flaw(
                    problem=f'one server alone has acknowledged what it writes to {name}, and "{reader}" must see it: '
                    "a failover may take it back",
                    help='leave out consistency="eventual", so that a majority has it; or let the read be "eventual"',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                    fix=None if plan.parts else Fix((SetArgument("consistency", '"strong"'),)),
                )


def _weak(plan: Planned[Any]) -> Iterator[str]:
    """Names of the bindings that a pattern writes to without waiting for a majority."""
    parts = [one for one in plan.parts or (plan,) if one.pattern.kind in _WRITES]
    if all(one.pattern.consistency == "eventual" for one in parts):
        yield from dict.fromkeys(one.binding.name for one in parts)


def _must_see(reader: Pattern, write: str) -> bool:
    return reader.consistency == "strong" or write in reader.reads_back
