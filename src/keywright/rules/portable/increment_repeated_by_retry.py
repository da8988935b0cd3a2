"""GEN024: an increment of money has no condition or record of its request, so a retry repeats it."""

from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.findings.amounts import bounded_below, increments, is_amount
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.pattern import Pattern


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money",)) -> Iterator[FindingDraft]:
    """Report every such increment; amounts of other kinds of entities are inferred from type and name.

    kinds: kinds of entities whose numbers are amounts.
    """
    for increment in increments(context):
        pattern, binding = increment.pattern, increment.binding
        field = pattern.field or ""
        is_declared = binding.spec.kind in kinds
        if field in names(getattr(binding.spec, "counters", None)) or not (is_declared or is_amount(binding, field)):
            continue  # a rule of the engine reports counters, which no condition protects
        if _is_compared(pattern) or any(map(_is_once, increment.caller.parts)):
            continue
        lack = "under a condition that holds again, without" if pattern.where else "without a condition or"
        yield FindingDraft(
            problem=f'it adds {pattern.by:,} to "{field}" {lack} a record of the request, so that a '
            "retry after a time-out adds it twice",
            help="put it into one kw.Transact([...]) with a kw.Put(..., if_absent=True) of an entry whose key "
            "identifies the request",
            subject=increment.caller.name,
            at=increment.caller.at,
            severity=None if is_declared else "warning",
        )


def _is_compared(increment: Pattern) -> bool:
    """Whether a condition compares the number itself, so that it may fail once the number has changed."""
    return (increment.by < 0 and bounded_below(increment)) or any(
        condition.field == increment.field and condition.test in ("equals", "one_of") for condition in increment.where
    )


def _is_once(part: Pattern) -> bool:
    """Whether a write of a transaction fails if the transaction was applied before."""
    return part.if_absent or (part.kind in ("update", "delete") and bool(part.where))
