"""GEN029: a number is read, changed by the caller and written back without a condition."""

import re
from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.amounts import is_number, is_tally
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.counts import is_count
from keywright.engines.findings.pattern_facts import identity, reads, single
from keywright.engines.registry import engine_named
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern

_FEW = 2
"""Fields of an update that sets a count, and perhaps a time."""
_BALANCE = re.compile(r"(?:^|_)(?:balance|points|miles|credits|left|remaining|available|in_stock|on_hand)(?:$|_)")
"""Words in names of numbers that are what is left of something."""


def models(
    context: RuleContext, *, kinds: tuple[str, ...] = ("money", "stock"), per_second: float = 0.01
) -> Iterator[FindingDraft]:
    """Report every such write of an entity that a pattern also reads.

    kinds: kinds of entities whose balances are reported at any rate. per_second: updates a second from which counts of
    other entities are reported.
    """
    readers = reads(context.design)
    parts = single(context.design)
    incremented = {(part.binding, part.field) for part in parts if part.kind == "increment"}
    bindings = {binding.name: binding for binding in context.design.bindings}
    for pattern in context.design.patterns:
        binding = bindings.get(pattern.binding)
        if binding is None or pattern.binding not in readers:
            continue
        is_declared = binding.spec.kind in kinds
        for name in _numbers(pattern, binding):
            is_balance = is_declared and (
                binding.spec.kind == "money" or _BALANCE.search(name) or is_tally(binding, name)
            )
            counts = is_count(binding, name) and _is_count_alone(pattern, binding, per_second)
            if (binding.name, name) not in incremented and (is_balance or counts):
                is_alone = is_balance or len(pattern.sets) == 1  # a device may report its count beside other news
                asks = "" if is_alone else "; can two callers set it at once?"
                yield FindingDraft(
                    problem=f'it sets "{name}" to a value that the caller computes, without a condition: of two '
                    f"concurrent changes, one is lost{asks}",
                    help=_help(pattern, binding, name),
                    subject=pattern.name,
                    at=pattern.at,
                    severity=None if is_declared else "warning" if is_alone else "question",
                )
                break


def _is_count_alone(pattern: Pattern, binding: Binding[Any], per_second: float) -> bool:
    """Whether an update changes little but a count, so that the count is not computed from the other fields."""
    is_record = binding.spec.kind in ("record", "money", "stock")
    is_frequent = (pattern.load.per_second or 0) >= per_second
    return pattern.kind == "update" and len(pattern.sets) <= _FEW and not pattern.pushes and is_record and is_frequent


def _help(pattern: Pattern, binding: Binding[Any], name: str) -> str:
    """The way out: an increment, or a condition where a counter cannot be beside other columns."""
    if engine_named(binding.engine).traits.replaces_items:
        return f'use kw.Increment({binding.name}, "{name}", ...), which adds in the store, or add a condition by where='
    return "store each change as a row whose key identifies the request, or add a condition by where="


def _numbers(pattern: Pattern, binding: Binding[Any]) -> Iterator[str]:
    """Numbers that a write sets without a condition: by an update, or by a put of a whole row that may exist.

    A put counts in engines whose puts merge with the stored item, and for entities without an order in their key: rows
    of a ledger are written once.
    """
    if pattern.kind == "update" and not pattern.where:
        names = pattern.sets
    elif (
        pattern.kind == "put"
        and not pattern.if_absent
        and binding.spec.kind == "money"
        and not engine_named(binding.engine).traits.replaces_items
        and not getattr(binding.spec, "clustering", ())
    ):
        names = tuple(attribute.name for attribute in binding.entity.attributes)
    else:
        return
    for name in names:
        attributes = resolve(binding.entity.attributes, name)
        if name not in identity(binding) and attributes and is_number(attributes[-1]):
            yield name
