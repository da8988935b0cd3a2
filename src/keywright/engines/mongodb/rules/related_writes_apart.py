"""MDB048: a new document and the change of another one that belongs to it are written separately.

https://www.mongodb.com/docs/manual/core/data-model-operations/ (2026-11-23)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.mongodb.findings.hot_documents import MOST_CONFLICTING, changes_of_one
from keywright.engines.mongodb.findings.links import refers, sets_link, tells_of
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.record import replace

_LOOSE = ("money", "stock", "analytics")
"""Kinds that GEN016 reports, and figures that may differ a little from what they count."""
_PAIR = 2
_DAY = 86_400
_ALIKE = 1.5
"""Ratio of expected documents up to which each of one may belong to one of the other."""


def models(context: RuleContext, *, min_per_day: float = 100) -> Iterator[FindingDraft]:
    """Every increment beside a put of another entity at the same rate, if one refers to the other; such an update or
    put if no other write of the two has that rate; and two updates of which one sets the reference to the other.

    GEN016 reports money and stock.
    min_per_day: calls a day from which failures between two writes must be expected.
    """
    bindings = {binding.name: binding for binding in context.bindings("mongodb")}
    puts = [item for item in context.design.patterns if item.kind in ("put", "update") and item.binding in bindings]
    for pattern in context.design.patterns:
        binding, rate = bindings.get(pattern.binding), pattern.load.per_second
        if (
            pattern.kind not in ("put", "increment", "update")
            or binding is None
            or rate is None
            or rate * _DAY < min_per_day
        ):
            continue
        if binding.spec.kind in _LOOSE or changes_of_one(binding, pattern.load, pattern.batch) > MOST_CONFLICTING:
            continue  # transactions would conflict on a hot document
        verb = "stores" if pattern.kind == "put" else "changes"
        for put in puts:
            child = bindings[put.binding]
            if put.kind == "update" and (pattern.kind != "update" or child is binding or pattern.name > put.name):
                continue
            other = "stores" if put.kind == "put" else "changes"
            if pattern.kind == "put" and (child is binding or not refers(child, binding, "fail")):
                continue
            if (pattern.kind, put.kind) == ("update", "put") and not tells_of(pattern, binding, child):
                continue
            is_as_often = put.load.per_second == rate and put.batch == pattern.batch
            is_linked = refers(child, binding) or refers(binding, child)
            if put.kind == "update":
                is_linked = sets_link(pattern, binding, child) or sets_link(put, child, binding)
            if is_as_often and is_linked and _is_pair(context, pattern, put):
                yield FindingDraft(
                    problem=f'it {verb} {binding.name} as often as "{put.name}" {other} {child.name}, which belongs to '
                    "it, by a separate write: a failure between them leaves a contradiction",
                    help="if they belong together, put both into one kw.Transact([...]), or let a consumer of a "
                    f"kw.Stream of {child.name} make the change",
                    subject=pattern.name,
                    at=pattern.at,
                )
                break


def _is_pair(context: RuleContext, pattern: Pattern, put: Pattern) -> bool:
    """Whether an increment or an update happens together with a put, as far as their traffic shows it."""
    if pattern.kind == "increment":
        return True
    first, second = (_binding(context, entry) for entry in (pattern, put))
    if expiring_fields(second) or not _are_as_many(pattern, first, second):
        return False
    others = [
        other
        for other in context.design.patterns
        if other.binding in (pattern.binding, put.binding)
        and other.kind in ("put", "update", "increment", "delete")
        and other.load.per_second == put.load.per_second
    ]
    return len(others) == _PAIR and put.load == replace(pattern.load, p99_ms=put.load.p99_ms)


def _binding(context: RuleContext, pattern: Pattern) -> Binding:
    return next(binding for binding in context.bindings("mongodb") if binding.name == pattern.binding)


def _are_as_many(pattern: Pattern, first: Binding, second: Binding) -> bool:
    """Whether as many documents of two entities are declared, unless a pattern changes one of the first."""
    counts = [binding.spec.expected for binding in (first, second) if binding.spec.expected is not None]
    return pattern.kind != "put" or (len(counts) == _PAIR and max(counts) <= _ALIKE * min(counts))
