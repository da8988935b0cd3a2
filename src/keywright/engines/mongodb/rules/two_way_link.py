"""MDB005: two entities refer to each other, so that each link is written twice, and nobody said why.

https://www.mongodb.com/docs/manual/data-modeling/concepts/embedding-vs-references/ (2026-11-22)
"""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.engines.flaws.observation import Seen
from keywright.ir.attribute import Attribute, Many, Reference, Scalar
from keywright.ir.binding import Binding


@dataclass(frozen=True, slots=True)
class _Link:
    binding: Binding
    path: str
    reference: Reference
    is_list: bool

    @property
    def is_single(self) -> bool:
        """Whether one refers to one."""
        return not self.is_list and self.reference.max_referrers == 1


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pair of links without a reason, of which one is a list, or both are from one to one; told of the list."""
    seen: dict[tuple[str, str, str], list[_Link]] = {}
    for one in (link for binding in whole.bindings("mongodb") for link in _links(binding)):
        here, there, store = one.binding.entity.name, one.reference.entity, one.binding.physical.name
        for other in seen.get((there, here, store), ()):
            if one.reference.two_way or other.reference.two_way:
                continue
            back, forth = (one, other) if one.is_list or not other.is_list else (other, one)
            if back.is_list or (back.is_single and forth.is_single):
                yield Flaw(
                    problem=f'"{back.path}" refers to {forth.binding.name}, whose "{forth.path}" refers back: '
                    "each link is written twice",
                    help='keep the one that is read by, with an index; or say why both, by Ref(..., two_way="...")',
                    subject=back.binding.name,
                    field=back.path.partition(".")[0],
                )
        seen.setdefault((here, there, store), []).append(one)


def _links(binding: Binding) -> Iterator[_Link]:
    for path, attribute in fields(binding.entity.attributes):
        reference = _reference(attribute)
        if reference is not None:
            yield _Link(binding, path, reference, isinstance(attribute.type, Many))


def _reference(attribute: Attribute) -> Reference | None:
    kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
    return kind.facts.reference if isinstance(kind, Scalar) else None


def live(seen: Seen) -> Iterator[Flaw]:
    """Every link that is kept both ways for a reason, and leads nowhere in some sampled document."""
    for binding, items in seen.items():
        for one in _links(binding):
            missing, looked = items.orphans.get(one.path, (0, 0))
            if missing and one.reference.two_way and one.reference.on_missing != "fail":
                yield Flaw(
                    problem=f'"{one.path}" leads nowhere for {missing:,} of {looked:,} values looked up, '
                    f"{items.sample}: one of the two writes of a link is missing",
                    help="write both in one kw.Transact, and put right what is there by a backfill",
                    subject=binding.name,
                    field=one.path.partition(".")[0],
                )
