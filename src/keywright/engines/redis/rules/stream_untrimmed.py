"""RED010: a stream grows without bound."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import items_per_second
from keywright.ir.text import counted

from ..access.wire import item_bytes
from ..findings.load import design_share
from ..findings.servers import entities

_SLACK = 2
"""The multiple of its bound that a stream may reach: trimming by `~` removes whole nodes only."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Streams that keep all entries, or more than their server has memory for; an entry remains after all groups have
    read it.
    """
    for server, binding, layout in entities(context):
        if layout.kind != "stream":
            continue
        kept, seconds, room = layout.structure.kept, layout.structure.kept_seconds, server.maxmemory
        rate = items_per_second(context, binding, "put")
        if seconds is not None and rate:
            kept = round(seconds * rate * design_share(server))
        size = item_bytes(layout)
        held = (kept or 0) * (size.low if size.expected is None else size.expected)
        if kept is not None and room and held > room:
            yield FindingDraft(
                problem=f"{counted(kept, 'entry is', 'entries are', spec=',')} kept, {held / 2**30:,.0f} GiB without "
                f'their overhead, and data of server "{server.name}" may take {room / 2**30:,.0f}: memory is full '
                "before the first is trimmed",
                help="say a lower keep=, such as timedelta(hours=12); archive older entries in another store",
                subject=binding.name,
            )
        elif kept is None and seconds is None:
            yield FindingDraft(
                problem="every entry is kept for ever, those too that all groups have taken",
                help="say keep=1_000_000, or keep=timedelta(days=7): each append then trims the rest",
                subject=binding.name,
            )


def live(live_target: LiveTarget, *, max_pending: int = 10_000) -> Iterator[FindingDraft]:
    """Streams that exceed their bound, and streams with a group that does not acknowledge.

    max_pending: unacknowledged entries that a group may have.
    """
    structures = {structure.entity: structure for structure in live_target.target.placed.structures}
    for binding, items in live_target.items():
        structure = structures[binding.name]
        max_length = max(items.lengths, default=0)
        if structure.kind == "stream" and structure.kept is not None and max_length > structure.kept * _SLACK:
            yield FindingDraft(
                problem=f"the longest {items.sample} has {counted(max_length, 'entry', 'entries', spec=',')}, and "
                f"{counted(structure.kept, 'is', 'are', spec=',')} to be kept",
                help="find out who appends without MAXLEN; `XTRIM ... MAXLEN ~` takes the rest away",
                subject=binding.name,
            )
        elif max(items.pending, default=0) > max_pending:
            yield FindingDraft(
                problem=f"a group has taken {counted(max(items.pending), 'entry', 'entries', spec=',')} and not "
                f"acknowledged them, {counted(max_pending, 'is recommended', 'are recommended', spec=',')}",
                help="see XPENDING for whose they are; have others claim them by XAUTOCLAIM, and acknowledge them",
                subject=binding.name,
            )
