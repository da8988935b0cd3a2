"""Facts in `Annotated[...]` into the representation's own."""

from collections.abc import Iterable, Iterator

from keywright.declare.declared import Declared
from keywright.declare.facts import Cardinality, CopiedFrom, Overflow, Pii, Ref, RenamedFrom, Size, Ttl
from keywright.ir import attribute as ir


def name_of(model: object) -> str:
    """The name of an entity that a fact refers to, given as a class or as a quoted name."""
    return model if isinstance(model, str) else str(getattr(model, "__name__", model))


def facts_of(metadata: Iterable[object]) -> ir.Facts:
    """What is known of a value; the last fact of a kind counts."""
    known: dict[str, object] = {}
    for fact in _complete(metadata):
        match fact:
            case Size(avg=average, max=most):
                known.update(average_bytes=average, max_bytes=most)
            case Cardinality(distinct=distinct):
                known.update(distinct=distinct)
            case Pii():
                known.update(is_personal=True)
            case Ref():
                known.update(
                    reference=ir.Reference(name_of(fact.target), fact.on_missing, fact.max_referrers, fact.two_way)
                )
            case _:
                pass
    return ir.Facts(**known) if known else ir.NO_FACTS  # type: ignore[arg-type]


def field_facts_of(metadata: Iterable[object]) -> dict[str, object]:
    """What is known of a field as a whole, as fields of `ir.Attribute`."""
    known: dict[str, object] = {}
    for fact in _complete(metadata):
        match fact:
            case Ttl(after=after):
                known.update(ttl_after_seconds=int(after.total_seconds()))
            case CopiedFrom():
                known.update(copied_from=ir.CopiedFrom(name_of(fact.model), fact.field_name, fact.sync))
            case Overflow():
                known.update(overflow=ir.Overflow(name_of(fact.into), fact.flag))
            case RenamedFrom(name=name):
                known.update(renamed_from=name)
            case _:
                pass
    return known


def _complete(metadata: Iterable[object]) -> Iterator[object]:
    """The metadata without facts that were refused, which may lack what they should have."""
    for fact in metadata:
        if not (isinstance(fact, Declared) and fact.is_incomplete):
            yield fact
