"""GEN016: fields that must change together are written separately."""

from collections.abc import Iterator
from itertools import permutations

from keywright.engines.findings.amounts import BALANCES, changes_of_balances, increments, increments_of_balances
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.copies import Copy, copies, is_stored_beside
from keywright.engines.findings.pattern_facts import changed, refers
from keywright.engines.findings.rates import is_as_frequent
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

_NOUNS = {"increment": "the increment", "update": "the update"}


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every write of a field with copies by `sync="transaction"` whose transaction does not write the copy, and
    every change of a balance apart from its entry or its counterpart.
    """
    yield from _split_copies(context)
    yield from _split_entries(context)
    yield from _split_transfers(context)
    yield from _split_pairs(context)


def _split_copies(context: RuleContext) -> Iterator[FindingDraft]:
    entities = {binding.name: binding.entity.name for binding in context.design.bindings}
    for copy in copies(context.design):
        if copy.declared is None or copy.declared.sync != "transaction":
            continue
        for pattern in context.design.patterns:
            parts = pattern.parts if pattern.kind == "transact" else (pattern,)
            written = {entities.get(part.binding) for part in parts}
            is_changed = any(_changes(part, entities, copy) for part in parts)
            if (is_changed or is_stored_beside(context.design, pattern, copy)) and copy.entity.name not in written:
                yield FindingDraft(
                    problem=f'it {"changes" if is_changed else "stores"} "{copy.source}.{copy.attribute}" without '
                    f'"{copy.entity.name}.{copy.path}", '
                    "which must change in the same transaction",
                    help=f"put both into one kw.Transact([...]), or update {copy.path} by a stream",
                    subject=pattern.name,
                    at=pattern.at,
                )


def _changes(pattern: Pattern, entities: dict[str, str], copy: Copy) -> bool:
    return entities.get(pattern.binding) == copy.source and copy.attribute in changed(pattern)


def _split_entries(context: RuleContext) -> Iterator[FindingDraft]:
    """Changes of a balance or of stock beside a put that refers to it."""
    bindings = {binding.name: binding for binding in context.design.bindings}
    puts = [pattern for pattern in context.design.patterns if pattern.kind == "put"]
    for change, binding, field in changes_of_balances(context):
        rate = change.load.per_second
        for put in sorted(puts, key=lambda put: put.load.per_second != rate):  # first what happens as often
            entry = bindings.get(put.binding)
            if entry is None or not refers(entry, binding) or not _belongs(put, entry, change):
                continue
            yield FindingDraft(
                problem=f'it changes "{field}" apart from "{put.name}", which stores the entry in '
                f'"{entry.name}": a failure between them leaves one without the other',
                help=f"put {_NOUNS[change.kind]} and the put of {entry.name} into one kw.Transact([...])",
                subject=change.name,
                at=change.at,
            )
            break


def _belongs(put: Pattern, entry: Binding, change: Pattern) -> bool:
    """Whether a put stores the entry of a change: both are of money or stock and similarly frequent, or as frequent."""
    rate, other = put.load.per_second, change.load.per_second
    if entry.spec.kind in BALANCES and change.kind == "increment":
        return is_as_frequent(rate, other)
    return entry.spec.kind in (*BALANCES, "record", "event") and rate is not None and rate == other


def _split_transfers(context: RuleContext) -> Iterator[FindingDraft]:
    """Decrements beside an increment of the same step and rate: the two halves of a transfer."""
    alone = [increment for increment in increments_of_balances(context) if increment.binding.spec.kind == "money"]
    for debit in alone:
        rate = debit.pattern.load.per_second
        credit = next((other for other in alone if other.pattern.by == -debit.pattern.by), None)
        if debit.pattern.by < 0 and credit is not None and rate and credit.pattern.load.per_second == rate:
            yield FindingDraft(
                problem=f'it takes {credit.pattern.by:,}, and "{credit.pattern.name}" adds as much at the same rate: a '
                "failure between them loses the amount",
                help="if they are one transfer, put both and its entry into one kw.Transact([...])",
                subject=debit.pattern.name,
                at=debit.pattern.at,
                severity="warning",  # the halves of a transfer are inferred
            )


def _split_pairs(context: RuleContext) -> Iterator[FindingDraft]:
    """Puts of an entry of money or stock and of what it belongs to, in its table if that is a record, at one rate."""
    accounts = {increment.binding.name for increment in increments(context)}  # which others change on their own
    bindings = {binding.name: binding for binding in context.design.bindings}
    puts = [pattern for pattern in context.design.patterns if pattern.kind == "put" and pattern.binding in bindings]
    for first, second in permutations(puts, 2):
        entry, counterpart = bindings[first.binding], bindings[second.binding]
        is_booked = counterpart.name not in accounts and entry.physical.spec is counterpart.physical.spec
        kinds = (*BALANCES, "record") if is_booked else BALANCES
        is_balance = entry.spec.kind in kinds and counterpart.spec.kind in BALANCES
        rate = first.load.per_second
        is_together = is_balance and entry.engine == counterpart.engine and rate and rate == second.load.per_second
        if is_together and refers(counterpart, entry, max_referrers=1):
            yield FindingDraft(
                problem=f'it stores {counterpart.name} apart from the {entry.name} of "{first.name}", to which '
                "exactly one belongs: a failure between them leaves one without the other",
                help=f'put both into one kw.Transact([...]), instead of "{first.name}" and "{second.name}"',
                subject=second.name,
                at=second.at,
            )
