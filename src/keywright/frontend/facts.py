"""Translates facts in `Annotated[...]` into facts of the representation."""

from collections.abc import Iterable, Iterator

from keywright.declare.declared import Declared
from keywright.declare.facts import (
    Cardinality,
    CopiedFrom,
    Depth,
    Overflow,
    Pii,
    Precision,
    Ref,
    RenamedFrom,
    Size,
    Ttl,
    ValueType,
    Vector,
)
from keywright.ir import attribute as ir
from keywright.record import replace

from .no_logical_type import NoLogicalType


def name_of(model: object) -> str:
    """The name of an entity that a fact names by its class or by a quoted name."""
    return model if isinstance(model, str) else str(getattr(model, "__name__", model))


def facts_of(metadata: Iterable[object]) -> ir.Facts:
    """Facts of a value; of two facts of a kind, the last counts."""
    facts: dict[str, object] = {}
    for fact in _complete(metadata):
        match fact:
            case Size(avg=average, max=most):
                facts.update(average_bytes=average, max_bytes=most)
            case Cardinality(distinct=distinct):
                facts.update(distinct=distinct)
            case Pii():
                facts.update(is_personal=True)
            case ValueType(type=native):
                facts.update(natives=(*ir.Facts(**facts).natives, (type(fact).__name__, native)))  # type: ignore[arg-type]
            case Ref():
                facts.update(
                    reference=ir.Reference(name_of(fact.target), fact.on_missing, fact.max_referrers, fact.two_way)
                )
            case _:
                pass
    return ir.Facts(**facts) if facts else ir.NO_FACTS  # type: ignore[arg-type]


def vector_of(metadata: Iterable[object]) -> int | None:
    """The dimensions of a vector; None for any other value."""
    return next((fact.dimensions for fact in _complete(metadata) if isinstance(fact, Vector)), None)


def depth_of(metadata: Iterable[object]) -> int | None:
    """The levels of a model inside itself; None without `Depth`."""
    return next((fact.levels for fact in _complete(metadata) if isinstance(fact, Depth)), None)


def precise(type: ir.Type, metadata: Iterable[object]) -> ir.Type:
    """The type with the precision in its metadata; NoLogicalType for the precision of another value than a time."""
    precisions = [fact.unit for fact in _complete(metadata) if isinstance(fact, Precision)]
    if not precisions:
        return type
    if isinstance(type, ir.Scalar) and type.kind == "datetime":
        return replace(type, precision=precisions[-1])
    fact = f'kw.Precision("{precisions[-1]}")'
    help = f"remove it, or write it at the time itself, such as list[Annotated[datetime, {fact}]]"
    raise NoLogicalType(f"{fact} is of a datetime", help, "E0214")


def field_facts_of(metadata: Iterable[object]) -> dict[str, object]:
    """Facts of a field, as fields of `ir.Attribute`."""
    facts: dict[str, object] = {}
    for fact in _complete(metadata):
        match fact:
            case Ttl(after=after):
                facts.update(ttl_after_seconds=int(after.total_seconds()))
            case CopiedFrom():
                facts.update(copied_from=ir.CopiedFrom(name_of(fact.model), fact.field_name, fact.sync))
            case Overflow():
                facts.update(overflow=ir.Overflow(name_of(fact.into), fact.flag))
            case RenamedFrom(name=name):
                facts.update(renamed_from=name)
            case _:
                pass
    return facts


def _complete(metadata: Iterable[object]) -> Iterator[object]:
    """The metadata without rejected facts, whose fields may be missing."""
    for fact in metadata:
        if not (isinstance(fact, Declared) and fact.is_incomplete):
            yield fact
