"""MDB005: two entities refer to each other without a declared reason, so that each link is written twice.

https://www.mongodb.com/docs/manual/data-modeling/concepts/embedding-vs-references/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.attribute import Attribute, Many, Reference, Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.record import Record

from ..declare.options import AnyCollection


class _Link(Record):
    binding: Binding[AnyCollection]
    path: str
    reference: Reference
    is_list: bool

    @property
    def is_single(self) -> bool:
        """Whether it links one document to one document."""
        return not self.is_list and self.reference.max_referrers == 1


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every pair of links without a reason, if one is a list or both are one-to-one; the list has the finding."""
    links: dict[tuple[str, str, str], list[_Link]] = {}
    for link in (link for binding in context.bindings("mongodb") for link in _links(binding)):
        source, target, store = link.binding.entity.name, link.reference.entity, link.binding.physical.name
        for other in links.get((target, source, store), ()):
            if link.reference.two_way or other.reference.two_way:
                continue
            back, forth = (link, other) if link.is_list or not other.is_list else (other, link)
            if back.is_list or (back.is_single and forth.is_single):
                yield FindingDraft(
                    problem=f'"{back.path}" refers to {forth.binding.name}, whose "{forth.path}" refers back: '
                    "each link is written twice",
                    help='keep the one that is read by, with an index; or say why both, by Ref(..., two_way="...")',
                    subject=back.binding.name,
                    field=back.path.partition(".")[0],
                )
        links.setdefault((source, target, store), []).append(link)


def _links(binding: Binding[AnyCollection]) -> Iterator[_Link]:
    for path, attribute in fields(binding.entity.attributes):
        reference = _reference(attribute)
        if reference is not None:
            yield _Link(binding, path, reference, isinstance(attribute.type, Many))


def _reference(attribute: Attribute) -> Reference | None:
    kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
    return kind.facts.reference if isinstance(kind, Scalar) else None


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Every declared two-way link without a target in some sampled document."""
    for binding, items in live_target.items():
        for link in _links(binding):
            missing, checked = items.orphans.get(link.path, (0, 0))
            if missing and link.reference.two_way and link.reference.on_missing != "fail":
                yield FindingDraft(
                    problem=f'"{link.path}" leads nowhere for {missing:,} of '
                    f"{counted(checked, 'value', spec=',')} looked up, "
                    f"{items.sample}: one of the two writes of a link is missing",
                    help="write both in one kw.Transact, and put right what is there by a backfill",
                    subject=binding.name,
                    field=link.path.partition(".")[0],
                )
