"""GEN030: a put of a record of money, or of an item with guarded states, replaces one that exists."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import identity, single
from keywright.engines.findings.shapes import is_generated_text
from keywright.engines.registry import engine_named
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding

_RECORD = re.compile(
    r"(?:Payment|Booking|Reservation|Claim|Invoice|Refund|Payout|Receipt|Purchase|Transfer|Charge|Deposit|Withdrawal|"
    r"Donation|Appointment|Ballot)$"
)
"""Names of entities whose items are created once."""
_REPLACED = "token", "session"
"""Kinds of items of which a new one is meant to replace the former one."""
_IDENTIFIER = re.compile(r"(?:^|_)(?:id|uuid|ulid|number|no|key|code|ref)$")
"""Names of keys that nobody chooses."""


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
            if hasattr(binding.spec, "source_of_truth") or binding.spec.kind in _REPLACED:
                continue
            name = _chosen_name(binding)
            if not engine_named(binding.engine).traits.replaces_items and name is None:
                continue
            guard = next((name for name in guards[binding.name] if name not in free[binding.name]), None)
            is_declared = binding.spec.kind in kinds
            is_named = binding.spec.kind == "record" and _RECORD.search(binding.entity.name) is not None
            if name is not None:
                problem = f'who takes "{name}" second replaces the first holder without an error'
            elif is_declared or (is_named and not guard):
                problem = "a second request with the same key replaces the first record without an error"
            elif guard and pattern.batch == 1:  # a batch of puts takes no condition
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


def _chosen_name(binding: Binding) -> str | None:
    """The key of an entity that belongs to one other item, if its values are chosen and not generated."""
    keys = identity(binding)
    attribute = binding.entity.attribute(next(iter(keys))) if len(keys) == 1 else None
    kind = attribute.type if attribute else None
    if attribute is None or not isinstance(kind, Scalar) or kind.kind != "string" or binding.spec.kind != "record":
        return None
    kinds = (other.type for other in binding.entity.attributes if other is not attribute)
    references = (other.facts.reference for other in kinds if isinstance(other, Scalar))
    is_owned = any(reference.max_referrers == 1 for reference in references if reference)
    is_in_memory = engine_named(binding.engine).traits.is_in_memory
    is_generated = kind.facts.reference is not None or is_generated_text(kind) or _is_number(attribute)
    return attribute.name if is_owned and not is_generated and not is_in_memory else None


def _is_number(attribute: Attribute) -> bool:
    """Whether a key of any form is a number or identifier by its name."""
    return getattr(attribute.type, "pattern", None) is None and _IDENTIFIER.search(attribute.name) is not None


def _guards(context: RuleContext) -> tuple[Mapping[str, list[str]], Mapping[str, set[str]]]:
    """By binding: fields that updates change under a condition on their former value, and those set without one."""
    guards, free = defaultdict[str, list[str]](list), defaultdict[str, set[str]](set)
    for part in single(context.design):
        if part.kind == "update":
            tested = [condition.field for condition in part.where if condition.test in ("equals", "one_of")]
            guards[part.binding] += [field for field in tested if field in part.sets]
            free[part.binding] |= {*part.sets} - {*tested}
    return guards, free
