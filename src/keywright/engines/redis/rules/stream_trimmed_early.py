"""RED062: a stream is trimmed before its consumers are back from an outage."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.layout import Layout
from ..access.memory import keys_of
from ..declare.options import RedisStream, Structure
from ..findings.servers import entities

_SURELY = 0.25
"""Share of the outage within which every stream with consumers is to keep its entries."""
_ROUGH = 0.9
"""Share of the outage that a number of entries must cover, because declared rates have one or two digits."""


def models(context: RuleContext, *, outage_minutes: float = 60) -> Iterator[FindingDraft]:
    """Report every stream with a group that keeps less than what arrives during an outage; above a quarter, ask.

    outage_minutes: time for which all consumers of a group may be down.
    """
    for _, binding, layout in entities(context):
        if not isinstance(binding.spec, RedisStream) or not binding.spec.groups:
            continue
        least = outage_minutes
        rate, kept, seconds = _per_key(context, binding, layout), layout.structure.kept, outage_minutes * 60
        minutes = layout.structure.kept_seconds / 60 if layout.structure.kept_seconds is not None else None
        if kept is not None and rate:
            minutes, least = kept / rate / 60, outage_minutes * _ROUGH
        if minutes is None or minutes >= least:
            continue
        asks = minutes >= outage_minutes * _SURELY
        held = counted(kept, "entry is", "entries are", spec=",") if kept is not None else "entries are"
        kept_for = f"{held} kept for {counted(minutes, 'minute', spec=',.0f')}"
        remedy = (
            f"set keep= to at least {counted(seconds * rate, 'entry', 'entries', spec=',.0f')}"
            if kept is not None and rate
            else f"set keep=timedelta(minutes={outage_minutes:.0f}) or more"
        )
        yield FindingDraft(
            problem=f"{kept_for}: is an entry worthless when a consumer was down for longer?"
            if asks
            else f"{kept_for}: consumers that are down longer lose entries that they did not process",
            help=f"if it is not, {remedy}" if asks else remedy,
            subject=binding.name,
            severity="question" if asks else None,
        )


def _per_key(context: RuleContext, binding: Binding[Structure], layout: Layout) -> float | None:
    """Entries a second of the busiest stream, as far as it is declared: by hot_key=, else the same for each key."""
    hottest = max((plan.pattern.load.hot_key_per_second or 0 for plan, _ in calls(context, binding, "put")), default=0)
    rate, keys = items_per_second(context, binding, "put"), keys_of(layout)
    return hottest or (rate / keys if rate and keys else None if layout.key.placeholders else rate)
