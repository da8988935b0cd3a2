"""GEN010: consistency does not match the use: a weak read before a change of money, or a strong read of a feed."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.read_before_write import decided_update, dependent_changes
from keywright.ir.pattern import Pattern

_FRESH = ("get", "read")
"""Kinds of read with a consistency."""
_WRITES = ("put", "update", "increment", "delete")


def models(
    context: RuleContext,
    *,
    strong: tuple[str, ...] = ("money", "stock"),
    eventual: tuple[str, ...] = ("feed", "analytics"),
) -> Iterator[FindingDraft]:
    """Report every pattern whose consistency does not match the kind of its entity.

    A get by a global index is not reported if another pattern reads the item by its key with strong consistency.

    strong: kinds that require strong writes, and strong reads before a change. eventual: kinds for which eventual reads
    are sufficient.
    """
    kinds = {binding.name: binding.spec.kind for binding in context.design.bindings}
    changes = dependent_changes(context.design)
    current = {plan.pattern.binding for plan in context.plans if _is_of_one_item(plan.pattern) and not _is_stale(plan)}
    for plan in context.plans:
        pattern, kind = plan.pattern, kinds.get(plan.pattern.binding)
        change = changes.get(pattern.binding) or decided_update(context.design, pattern)
        if _is_by_global_index(plan) and pattern.binding in current:
            change = None  # it finds the item, and the other read tells its state
        if kind in strong and _is_of_one_item(pattern) and change is not None and _is_stale(plan):
            problem = f'it may read stale {kind}, with consistency="eventual", before "{change}" changes the same item'
            yield _finding(pattern, problem, "strong", plan)
        elif kind in strong and pattern.kind in _WRITES and pattern.consistency == "eventual":
            yield _finding(pattern, f'its write of {kind} may be lost, with consistency="eventual"', "strong")
        elif kind in eventual and pattern.kind in _FRESH and pattern.consistency == "strong":
            yield _finding(pattern, f'it pays for consistency="strong" on data of kind "{kind}"', "eventual")


def _is_of_one_item(pattern: Pattern) -> bool:
    """Whether a pattern reads one item: a get, or a read of the only item."""
    return pattern.kind == "get" or (pattern.kind == "read" and pattern.limit == 1 and not pattern.order)


def _is_stale(plan: Planned[Any]) -> bool:
    """Whether it may read stale data: in some stores, every read is current."""
    is_eventual = plan.pattern.consistency == "eventual"
    return is_eventual and not (isinstance(plan.path, AccessPath) and plan.path.consistency != "eventual")


def _is_by_global_index(plan: Planned[Any] | None) -> bool:
    """Whether a global index of DynamoDB serves it, which has no strong reads."""
    return plan is not None and isinstance(plan.path, AccessPath) and plan.path.by.kind == "gsi"


def _finding(pattern: Pattern, problem: str, consistency: str, plan: Planned[Any] | None = None) -> FindingDraft:
    is_by_index = _is_by_global_index(plan)
    return FindingDraft(
        problem=problem,
        help="read it by the key of the table, because reads of a global index are eventual"
        if is_by_index
        else f'set consistency="{consistency}"',
        subject=pattern.name,
        at=pattern.at,
        fix=None if is_by_index else Fix((SetArgument("consistency", f'"{consistency}"'),)),
    )
