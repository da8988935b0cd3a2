"""MDB048: a new document and the change of another one that belongs to it are written separately.

https://www.mongodb.com/docs/manual/core/data-model-operations/ (2026-11-23)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.mongodb.findings.hot_documents import MOST_CONFLICTING, changes_of_one
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.record import replace

_OF_GEN016 = ("money", "stock")
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
        if binding.spec.kind in _OF_GEN016 or changes_of_one(binding, pattern.load, pattern.batch) > MOST_CONFLICTING:
            continue  # transactions would conflict on a hot document
        verb = "stores" if pattern.kind == "put" else "changes"
        for put in puts:
            child = bindings[put.binding]
            if put.kind == "update" and (pattern.kind != "update" or child is binding or pattern.name > put.name):
                continue
            other = "stores" if put.kind == "put" else "changes"
            if pattern.kind == "put" and (child is binding or not _refers(child, binding, "fail")):
                continue
            is_as_often = put.load.per_second == rate and put.batch == pattern.batch
            is_linked = _refers(child, binding) or _refers(binding, child)
            if put.kind == "update":
                is_linked = _sets_link(pattern, binding, child) or _sets_link(put, child, binding)
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


def _sets_link(pattern: Pattern, binding: Binding, other: Binding) -> bool:
    """Whether an update sets the reference to another entity of the same database."""
    kinds = ((path, attribute.type) for path, attribute in fields(binding.entity.attributes) if path in pattern.sets)
    return binding.physical is other.physical and any(
        isinstance(kind, Scalar)
        and kind.facts.reference is not None
        and kind.facts.reference.entity == other.entity.name
        for _, kind in kinds
    )


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


def _refers(child: Binding, parent: Binding, on_missing: str = "") -> bool:
    """Whether a required field of an entity refers to another entity of the same database.

    on_missing: the reaction to a missing one; empty for any.
    """
    return child.physical is parent.physical and any(
        isinstance(attribute.type, Scalar)
        and attribute.type.facts.reference is not None
        and attribute.type.facts.reference.entity == parent.entity.name
        and on_missing in ("", attribute.type.facts.reference.on_missing)
        and not attribute.is_nullable
        for _, attribute in fields(child.entity.attributes)
    )


def _binding(context: RuleContext, pattern: Pattern) -> Binding:
    return next(binding for binding in context.bindings("mongodb") if binding.name == pattern.binding)


def _are_as_many(pattern: Pattern, first: Binding, second: Binding) -> bool:
    """Whether as many documents of two entities are expected, unless a pattern changes one of the first."""
    counts = [binding.spec.expected for binding in (first, second) if binding.spec.expected is not None]
    return pattern.kind != "put" or len(counts) < _PAIR or max(counts) <= _ALIKE * min(counts)
