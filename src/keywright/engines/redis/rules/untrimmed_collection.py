"""RED033: lists or sorted sets receive elements, and nothing ever removes one."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second, span
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding

from ..access.layout import Layout
from ..access.memory import elements_of, keys_of
from ..declare.options import Structure
from ..findings.servers import HISTORY, entities, expires
from ..findings.times import has_period

_KINDS = ("list", "sorted set")


def models(context: RuleContext, *, max_elements: int = 10_000, max_pushes: int = 1_000) -> Iterator[FindingDraft]:
    """Lists and sorted sets under several keys without a bound, an expiry, or a pattern that takes or deletes elements.

    RED011 reports those with one key, and those with more expected elements; RED035 sorted sets that never expire.
    max_elements: elements of a key, or different members of a sorted set, that need no bound. max_pushes: pushes to a
    list within its time to live, from which it never expires.
    """
    for _, binding, layout in entities(context):
        if layout.kind not in _KINDS or layout.structure.kept is not None or binding.spec.keep_forever:
            continue
        elements, is_history = elements_of(layout, binding), binding.spec.kind in HISTORY
        # A list contains equal elements as often as they are pushed, so that expected= is no bound.
        is_known = elements is not None and layout.kind != "list" and not is_history
        is_large = elements is not None and elements > max_elements
        is_alone = keys_of(layout) == 1 and elements is None  # RED011 reports it
        if is_known or is_large or is_alone or _members(layout) <= max_elements:
            continue
        adding = next((plan.pattern for plan, _ in calls(context, binding, "put", "increment")), None)
        if adding is None or any(calls(context, binding, "take", *(() if is_history else ("delete",)))):
            continue
        if expires(layout.structure):
            pushes, ttl = _pushes(context, binding, layout), timedelta(seconds=layout.structure.ttl_seconds or 0)
            if pushes < max_pushes:
                continue
            why = f"renews its {span(ttl)}, in which {pushes:,.0f} more come: it never expires, and nothing trims it"
        elif any(calls(context, binding, "delete")):
            why = "no write trims it: what its owner does not delete stays for ever"
        else:
            why = "nothing removes any: they grow without end, and so does each read of all"
        yield FindingDraft(
            problem=f'"{adding.name.partition("[")[0]}" adds elements to each {layout.kind} "{layout.key.text}", and '
            f"{why}",
            help="say max_length=, such as max_length=1_000: each write then trims the rest"
            + ("" if expires(layout.structure) else "; or set ttl="),
            subject=binding.name,
        )


def _pushes(context: RuleContext, binding: Binding[Structure], layout: Layout) -> float:
    """Pushes to one list within its time to live; 0 if unknown, or if writes to it end."""
    keys, rate = keys_of(layout), items_per_second(context, binding, "put")
    if layout.kind != "list" or not keys or not rate or has_period(layout):
        return 0
    return rate * (layout.structure.ttl_seconds or 0) / keys


def _members(layout: Layout) -> float:
    """The most different members of a key, from the distinct values of their fields; infinite if unknown."""
    distinct = 1.0
    for placeholder in layout.member.placeholders if layout.member else ():
        attribute = layout.attribute(placeholder.path)
        kind = attribute.type if attribute is not None else None
        values = (kind.facts.distinct or len(kind.constants)) if isinstance(kind, Scalar) else 0
        distinct *= values or float("inf")
    return distinct if layout.member else float("inf")
