"""GEN010: money and stock are read stale or written weakly, or what may be stale is read strongly."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.ir.pattern import Pattern

_FRESH = ("get", "read")
"""Kinds of pattern that say how fresh they have to be."""
_WRITES = ("put", "update", "increment", "delete")


def models(
    whole: Whole, *, strong: tuple[str, ...] = ("money", "stock"), eventual: tuple[str, ...] = ("feed", "analytics")
) -> Iterator[Flaw]:
    """Every pattern whose consistency does not suit the kind of its entity.

    strong: kinds that have to be read and written strongly. eventual: kinds for which that is too much.
    """
    kinds = {one.name: getattr(one.spec, "kind", "record") for one in whole.design.bindings}
    for plan in whole.plans:
        pattern, kind = plan.pattern, kinds.get(plan.pattern.binding)
        if kind in strong and pattern.kind in _FRESH and _is_stale(plan):
            yield _flaw(pattern, f'it reads {kind} that may be stale, by consistency="eventual"', "strong")
        elif kind in strong and pattern.kind in _WRITES and pattern.consistency == "eventual":
            yield _flaw(pattern, f'it writes {kind} that may be lost, by consistency="eventual"', "strong")
        elif kind in eventual and pattern.kind in _FRESH and pattern.consistency == "strong":
            yield _flaw(pattern, f'it pays for consistency="strong" of what is of kind "{kind}"', "eventual")


def _is_stale(plan: Planned[Any]) -> bool:
    """Whether it may read what is old: there are stores whose reads are always fresh."""
    said = plan.pattern.consistency == "eventual"
    return said and not (isinstance(plan.path, AccessPath) and plan.path.consistency != "eventual")


def _flaw(pattern: Pattern, problem: str, wanted: str) -> Flaw:
    return Flaw(
        problem=problem,
        help=f'say consistency="{wanted}"',
        subject=pattern.name,
        at=pattern.at,
        fix=Fix((SetArgument("consistency", f'"{wanted}"'),)),
    )
