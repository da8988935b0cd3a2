"""Writes that depend on what their caller has read before."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.pattern import Pattern

from .amounts import is_number
from .pattern_facts import single


def dependent_changes(design: Design) -> Mapping[str, str]:
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


def decided_update(design: Design, pattern: Pattern) -> str | None:
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
