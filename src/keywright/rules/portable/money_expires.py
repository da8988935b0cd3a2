"""GEN031: records of money expire before the law allows."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from keywright.declare.names import names
from keywright.engines.findings.amounts import is_amount
from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.findings.pattern_facts import identity
from keywright.engines.findings.rates import items_per_second, span
from keywright.engines.findings.streams import streams
from keywright.engines.registry import engine_named
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.text import counted

_RECORD = re.compile(
    r"(?:Invoice|Payment|Ledger|LedgerEntry|JournalEntry|Receipt|Refund|Payout|CreditNote|Settlement|Posting|Remittance"
    r"|BankTransaction|Payslip)$"
)
"""Names of entities that are accounting records if they have amounts."""
_DAY = 86_400
"""Seconds in a day."""
_SIDES = {"debit", "credit"}
"""Fields of a posting."""
_REPEATED = 75
"""Percent of its fields that an item has from a record, from which it only repeats the record."""


def models(
    context: RuleContext, *, kinds: tuple[str, ...] = ("money",), min_days: int = 1_826
) -> Iterator[FindingDraft]:
    """Report every such entity in a database that is not in memory; invoices and others by name are warnings.

    Items that repeat a record which is kept elsewhere may expire.

    kinds: kinds of entities that are accounting records. min_days: least number of days for which they are kept.
    """
    for binding in context.design.bindings:
        is_declared = binding.spec.kind in kinds
        own = {attribute.name for attribute in binding.entity.attributes}
        is_named = binding.spec.kind in ("record", "event") and (_RECORD.search(binding.entity.name) or own >= _SIDES)
        if engine_named(binding.engine).traits.is_in_memory or not (is_declared or (is_named and _has_amount(binding))):
            continue
        time, ends = _lifetime(binding), expiring_fields(binding, with_partial=False)
        if time is not None and time < timedelta(days=min_days):
            problem = f"it expires after {span(time)}"
        elif time is None and ends and is_declared and not _is_kept(context, binding, min_days):
            problem = f'it expires at "{next(iter(ends))}", without a declared time'
        else:
            continue
        asks = time is None
        if any(_repeats(binding, other) and _is_lasting(other, min_days) for other in context.design.bindings):
            continue
        yield FindingDraft(
            problem=f"{problem}, and is a record of money, which accounting law requires for "
            f"{counted(min_days // 365, 'year')} or more{': is that time later?' if asks else ''}",
            help="remove the expiry, and give the reason by keep_forever=; or keep it at least "
            f"{counted(min_days, 'day', spec=',')}, such as by kw.Ttl(after=timedelta(days={min_days:_}))",
            subject=binding.name,
            severity="question" if asks else None if is_declared else "warning",
        )


def _lifetime(binding: Binding[Any]) -> timedelta | None:
    """The declared time for which an item is kept; None if no time is declared."""
    ttl = getattr(binding.spec, "ttl", None)
    if isinstance(ttl, timedelta):
        return ttl
    times = [seconds for seconds in expiring_fields(binding, with_partial=False).values() if seconds]
    return timedelta(seconds=min(times)) if times else None


def _is_kept(context: RuleContext, binding: Binding[Any], days: float) -> bool:
    """Whether the expected number of items is that of so many days, or a consumer gets every item without loss."""
    rate, expected = items_per_second(context, binding, "put"), binding.spec.expected
    is_kept = bool(rate and expected) and (expected or 0) >= (rate or 0) * _DAY * days
    own = {attribute.name for attribute in binding.entity.attributes}
    recognized = [
        {*names(consumer.idempotency)}
        for store in streams(context.design)
        if any(other is binding for other in store.bindings) and store.stream.images != "keys"
        for consumer in store.stream.consumers
        if consumer.on_failure == "queue"
    ]
    return is_kept or any(own >= by and by & identity(binding) for by in recognized)


def _repeats(binding: Binding[Any], other: Binding[Any]) -> bool:
    """Whether the items of a binding are those of another one, or have its key and most of their fields from it."""
    if other.entity.name == binding.entity.name:
        return other.name != binding.name
    key = [resolve(binding.entity.attributes, path) for path in identity(binding)]
    kinds = [attributes[-1].type for attributes in key if attributes]
    references = [kind.facts.reference for kind in kinds if isinstance(kind, Scalar) and kind.facts.reference]
    if not any(reference.entity == other.entity.name and reference.max_referrers == 1 for reference in references):
        return False
    names, attributes = {attribute.name for attribute in other.entity.attributes}, binding.entity.attributes
    repeated = [attribute for attribute in attributes if attribute.name in names or attribute.copied_from is not None]
    return len(repeated) * 100 >= len(attributes) * _REPEATED


def _is_lasting(binding: Binding[Any], min_days: int) -> bool:
    """Whether items are on disk, and never expire or late enough."""
    time = _lifetime(binding)
    is_late = not expiring_fields(binding, with_partial=False) if time is None else time >= timedelta(days=min_days)
    return is_late and not engine_named(binding.engine).traits.is_in_memory


def _has_amount(binding: Binding[Any]) -> bool:
    if any(is_amount(binding, attribute.name) for attribute in binding.entity.attributes):
        return True
    kinds = (attribute.type for _, attribute in fields(binding.entity.attributes))
    return any(isinstance(kind, Scalar) and kind.kind == "decimal" for kind in kinds)
