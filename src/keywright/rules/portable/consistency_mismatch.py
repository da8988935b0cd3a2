"""GEN010: consistency does not match the use: a weak read before a change of money, or a strong read of a feed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.amounts import is_number
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.pattern_facts import single
from keywright.ir.binding import Binding
from keywright.ir.design import Design
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

    strong: kinds that require strong writes, and strong reads before a change. eventual: kinds for which eventual reads
    are sufficient.
    """
    kinds = {binding.name: binding.spec.kind for binding in context.design.bindings}
    changes = _dependent_changes(context.design)
    for plan in context.plans:
        pattern, kind = plan.pattern, kinds.get(plan.pattern.binding)
        change = changes.get(pattern.binding) or _decision(context.design, pattern)
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


def _dependent_changes(design: Design) -> Mapping[str, str]:
    """The first change of each binding that depends on a read of the same item, by the binding.

    Changes of a balance do: callers see it before they add to it. Updates do that set a number, or have no condition,
    which the store checks itself, unless they leave alone the fields that others add to or test; an increase of stock
    depends on nothing.
    """
    decisive = defaultdict[str, set[str]](set)
    for pattern in single(design):
        if pattern.kind in ("update", "increment"):
            decisive[pattern.binding] |= {condition.field for condition in pattern.where}
            decisive[pattern.binding] |= {pattern.field} if pattern.field else set()
    bindings = {binding.name: binding for binding in design.bindings}
    changes: dict[str, str] = {}
    for caller in design.patterns:
        for pattern in caller.parts if caller.kind == "transact" else (caller,):
            binding = bindings.get(pattern.binding)
            fields = decisive[pattern.binding]
            is_other = pattern.kind == "update" and not pattern.where and fields and fields.isdisjoint(pattern.sets)
            if binding is not None and not is_other and _depends_on_read(pattern, binding):
                changes.setdefault(pattern.binding, caller.name)
    return changes


def _depends_on_read(pattern: Pattern, binding: Binding[Any]) -> bool:
    """Whether a write changes what its caller has read, and no condition of the write tests it."""
    if pattern.kind == "increment":
        return binding.spec.kind == "money" or (pattern.by < 0 and not pattern.where)
    if pattern.kind != "update":
        return False
    tested = {condition.field for condition in pattern.where}
    numbers = [name for name in pattern.sets if is_number(binding.entity.attribute(name))]
    return not tested or any(name not in tested for name in numbers)


def _decision(design: Design, pattern: Pattern) -> str | None:
    """The conditional update of what a read of a few fields asks for, so that callers decide before they try."""
    return next(
        (
            caller.name
            for caller in design.patterns
            for part in (caller.parts if caller.kind == "transact" else (caller,))
            if part.kind == "update"
            and part.binding == pattern.binding
            and pattern.fields
            and {*pattern.fields} - {*pattern.eq} <= {condition.field for condition in part.where}
        ),
        None,
    )


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
