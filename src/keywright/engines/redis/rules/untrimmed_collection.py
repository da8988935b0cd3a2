"""RED033: lists or sorted sets receive elements, and nothing ever removes one."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.attribute import Scalar

from ..access.layout import Layout
from ..access.memory import elements_of, keys_of
from ..findings.servers import entities, expires

_KINDS = ("list", "sorted set")


def models(context: RuleContext, *, max_elements: int = 10_000) -> Iterator[FindingDraft]:
    """Lists and sorted sets under several keys without a bound, an expiry, or a pattern that takes or deletes elements.

    RED011 reports those with one key, and those with more expected elements. max_elements: elements of a key, or
    different members of a sorted set, that need no bound.
    """
    for _, binding, layout in entities(context):
        if layout.kind not in _KINDS or layout.structure.kept is not None or expires(layout.structure):
            continue
        # A list contains equal elements as often as they are pushed, so that expected= is no bound.
        elements = elements_of(layout, binding)
        is_known = elements is not None and (layout.kind != "list" or elements > max_elements)
        if is_known or keys_of(layout) == 1 or _members(layout) <= max_elements:
            continue
        adding = next((plan.pattern for plan, _ in calls(context, binding, "put", "increment")), None)
        if adding is None or any(calls(context, binding, "take", "delete")):
            continue
        yield FindingDraft(
            problem=f'"{adding.name.partition("[")[0]}" adds elements to each {layout.kind} "{layout.key.text}", and '
            "nothing removes any: they grow without end, and so does each read of all",
            help="say max_length=, such as max_length=1_000: each write then trims the rest; or set ttl=",
            subject=binding.name,
        )


def _members(layout: Layout) -> float:
    """The most different members of a key, from the distinct values of their fields; infinite if unknown."""
    distinct = 1.0
    for placeholder in layout.member.placeholders if layout.member else ():
        attribute = layout.attribute(placeholder.path)
        kind = attribute.type if attribute is not None else None
        values = (kind.facts.distinct or len(kind.constants)) if isinstance(kind, Scalar) else 0
        distinct *= values or float("inf")
    return distinct if layout.member else float("inf")
