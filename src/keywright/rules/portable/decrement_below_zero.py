"""GEN025: a decrement of stock has no condition on what is left."""

import re
from collections.abc import Iterator

from keywright.engines.findings.amounts import bounded_below, increments, is_number
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.registry import engine_named
from keywright.ir.attribute import Scalar

_LEFT = re.compile(
    r"(?:^|_)(?:left|remaining|available|in_stock|on_hand|quota|free|vacan\w*|unsold|unused|allowance|spare)(?:$|_)"
)
"""Words in names of numbers that count what is left."""


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("stock",)) -> Iterator[FindingDraft]:
    """Report every such decrement, unless the engine enforces a declared minimum of the field.

    kinds: kinds of entities whose numbers must not fall below zero.
    """
    raised = {(other.binding.name, other.pattern.field) for other in increments(context) if other.pattern.by > 0}
    for increment in increments(context):
        pattern, binding = increment.pattern, increment.binding
        attribute = binding.entity.attribute(pattern.field or "")
        kind = attribute.type if attribute else None
        if pattern.by >= 0 or attribute is None or not is_number(attribute) or bounded_below(pattern):
            continue
        has_minimum = isinstance(kind, Scalar) and kind.minimum is not None
        if has_minimum and engine_named(binding.engine).traits.bounds_increments:
            continue
        is_declared = binding.spec.kind in kinds
        is_used_up = isinstance(kind, Scalar) and kind.minimum == 0 and (binding.name, pattern.field) not in raised
        if is_declared or is_used_up or _LEFT.search(attribute.name):
            yield FindingDraft(
                problem=f'it takes {-pattern.by:,} from "{attribute.name}" whatever is left: concurrent callers reduce '
                "it below zero, and more is sold than exists",
                help=f'add where={{"{attribute.name}": kw.AtLeast({-pattern.by})}}',
                subject=increment.caller.name,
                at=increment.caller.at,
                severity=None if is_declared else "warning",
            )
