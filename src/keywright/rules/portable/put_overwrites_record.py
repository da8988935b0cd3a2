"""GEN030: a put of a record of money, or of an item with guarded states, replaces one that exists."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import single
from keywright.engines.registry import engine_named

_RECORD = re.compile(
    r"(?:Payment|Booking|Reservation|Claim|Invoice|Refund|Payout|Receipt|Transfer|Charge|Deposit|Withdrawal|Donation|"
    r"Appointment|Ballot)$"
)
"""Names of entities whose items are created once."""


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money",)) -> Iterator[FindingDraft]:
    """Report every such put without `if_absent=True`, in engines whose puts replace an item; bookings, claims and
    others by name are warnings.

    kinds: kinds of entities whose items are created once.
    """
    bindings = {binding.name: binding for binding in context.design.bindings}
    guards, free = _guards(context)
    for caller in context.design.patterns:
        for pattern in caller.parts if caller.kind == "transact" else (caller,):
            binding = bindings.get(pattern.binding)
            if binding is None or pattern.kind != "put" or pattern.if_absent:
                continue
            if not engine_named(binding.engine).traits.replaces_items or hasattr(binding.spec, "source_of_truth"):
                continue
            guard = next((name for name in guards[binding.name] if name not in free[binding.name]), None)
            is_declared = binding.spec.kind in kinds
            is_named = binding.spec.kind == "record" and _RECORD.search(binding.entity.name) is not None
            if is_declared or (is_named and not guard):
                problem = "a second request with the same key replaces the first record without an error"
            elif guard:
                problem = f'it replaces "{guard}" of an item that exists, which updates change only under a condition'
            else:
                continue
            yield FindingDraft(
                problem=f"it puts {binding.name} whether or not the key exists: {problem}",
                help="add if_absent=True, and change an existing item by kw.Update(..., where=...)",
                subject=caller.name,
                at=caller.at,
                severity="warning" if is_named else None,
            )


def _guards(context: RuleContext) -> tuple[Mapping[str, list[str]], Mapping[str, set[str]]]:
    """By binding: fields that updates change under a condition on their former value, and those set without one."""
    guards, free = defaultdict[str, list[str]](list), defaultdict[str, set[str]](set)
    for part in single(context.design):
        if part.kind == "update":
            tested = [condition.field for condition in part.where if condition.test in ("equals", "one_of")]
            guards[part.binding] += [field for field in tested if field in part.sets]
            free[part.binding] |= {*part.sets} - {*tested}
    return guards, free
