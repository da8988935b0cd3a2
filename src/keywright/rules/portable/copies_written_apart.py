"""GEN028: the same data is written to two stores or tables by separate writes of the caller."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import callers, identity
from keywright.engines.findings.streams import streams
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import Entity
from keywright.ir.pattern import Pattern

_COPIES = 2
"""An original and its copy."""


def models(context: RuleContext, *, min_percent: int = 80, min_fields: int = 4) -> Iterator[FindingDraft]:
    """Report every second put of the same entity, or of one with the same fields, at the same rate.

    min_percent: share of the fields of two entities that both have, from which they count as copies. min_fields: least
    number of these fields.
    """
    fed = {binding.name for store in streams(context.design) for binding in store.bindings}
    puts = _lone_puts(context)
    bindings = [
        binding
        for binding in context.design.bindings
        if binding.name in puts and not hasattr(binding.spec, "source_of_truth") and binding.spec.cut_over is None
    ]
    for first, second in combinations(bindings, 2):
        original, copy = puts[first.name], puts[second.name]
        if first.name in fed or second.name in fed or _is_worked_off(first) or _is_worked_off(second):
            continue
        is_as_often = original.load.per_second == copy.load.per_second
        if first.entity is second.entity:
            if not is_as_often:
                continue  # items of one kind, divided among stores
            problem = f'it writes {first.entity.name} to a second store beside "{original.name}", without a stream'
            help = "add stream=kw.Stream(consumers=[...]) to the store of "
            help += f"{first.name}, and let a consumer write the copy"
        elif _is_copy(first, second, min_percent, min_fields) or _is_same_by_other_key(first, second):
            if original.load.per_second is None or not is_as_often:
                continue
            if _is_newest(first, second) or _is_newest(second, first):
                continue
            if sum(_fields(binding.entity) == _fields(first.entity) for binding in bindings) > _COPIES:
                continue  # items of one kind in several stores, by period or customer
            problem = f'it writes the fields of {first.name} to "{second.name}" beside "{original.name}"'
            help = "put both writes into one kw.Transact([...])"
            if first.engine != second.engine:
                help = f"add stream=kw.Stream(consumers=[...]) to the store of {first.name}, and let a consumer write "
                help += second.name
        else:
            continue
        yield FindingDraft(
            problem=f"{problem}: a failure between the two writes leaves them different for good",
            help=help,
            subject=copy.name,
            at=copy.at,
        )


def _is_worked_off(binding: Binding[Any]) -> bool:
    """Whether a group of consumers takes the items, and may write what the other store has."""
    return bool(getattr(binding.spec, "groups", ()))


def _is_newest(copy: Binding[Any], original: Binding[Any]) -> bool:
    """Whether one entity has only the newest item of each source of the other: the next write replaces what is missing.

    Its key has not all fields of the other's key, and what it lacks is a time.
    """
    keys, others = identity(copy), identity(original)
    lacking = [attribute for attribute in original.entity.attributes if attribute.name in others - keys]
    kinds = {attribute.type.kind for attribute in lacking if isinstance(attribute.type, Scalar)}
    return bool(keys) and keys < others and bool(kinds & {"datetime", "date"})


def _lone_puts(context: RuleContext) -> Mapping[str, Pattern]:
    """The first put outside of a transaction, by binding."""
    puts: dict[str, Pattern] = {}
    for pattern in callers(context.design):
        if pattern.kind == "put":
            puts.setdefault(pattern.binding, pattern)
    return puts


def _is_copy(first: Binding[Any], second: Binding[Any], min_percent: int, min_fields: int) -> bool:
    """Whether two entities have most fields in common, and none is declared as a copy."""
    fields, others = _fields(first.entity), _fields(second.entity)
    shared = len(fields & others)
    is_declared = any(attribute.copied_from for attribute in (*first.entity.attributes, *second.entity.attributes))
    return shared >= min_fields and shared * 100 >= len(fields | others) * min_percent and not is_declared


def _is_same_by_other_key(first: Binding[Any], second: Binding[Any]) -> bool:
    """Whether two tables of one engine have the same fields, three at least, in partitions of different fields."""
    partitions = [getattr(binding.spec, "partition", None) for binding in (first, second)]
    fields = _fields(first.entity)
    is_other = None not in partitions and partitions[0] != partitions[1]
    is_declared = any(attribute.copied_from for attribute in (*first.entity.attributes, *second.entity.attributes))
    return is_other and len(fields) > _COPIES and fields == _fields(second.entity) and not is_declared


def _fields(entity: Entity) -> set[tuple[str, str]]:
    return {
        (attribute.name, attribute.type.kind if isinstance(attribute.type, Scalar) else type(attribute.type).__name__)
        for attribute in entity.attributes
    }
