"""RED035: each write renews the time to live of a key that many members share, so that old members never expire."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second, span
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.layout import Layout
from ..access.memory import keys_of
from ..declare.options import Structure
from ..findings.servers import entities
from ..findings.times import has_period

_KINDS = ("set", "sorted set", "geo")
_HISTORY = ("event", "reading", "analytics", "cache")
"""Kinds of entities of which old members may remain, if they are kept for days."""
_RENEWALS = 2
"""Writes to one key within its time to live below which it usually ends by itself."""
_DAY = 86_400
"""Seconds in a day."""


def models(context: RuleContext, *, min_writes: int = 10_000, max_repeats: float = 3) -> Iterator[FindingDraft]:
    """Sets whose members are expected to live for ttl=, and sets of which nothing is deleted and that never pause.

    If members are deleted too, sets that are seldom written usually end by themselves.

    min_writes: writes to one key within its time to live, from which it never ends. max_repeats: writes of a member
    within the time to live, up to which expected= counts members that should end by themselves.
    """
    for _, binding, layout in entities(context):
        ttl, kept = layout.structure.ttl_seconds, layout.structure.kept
        if layout.kind not in _KINDS or ttl is None or kept is not None:
            continue
        if binding.spec.kind in _HISTORY and ttl >= _DAY:
            continue
        rate = items_per_second(context, binding, "put")
        if rate is None:
            continue
        expected, keys = binding.spec.expected, keys_of(layout)
        is_deleted = any(calls(context, binding, "delete"))
        is_once = expected is not None and expected / max_repeats <= rate * ttl <= expected * max_repeats
        hottest = max((plan.pattern.load.hot_key_per_second or 0 for plan, _ in calls(context, binding, "put")))
        writes = (hottest or (rate / keys if keys else 0)) * ttl
        is_endless = not has_period(layout)
        if is_deleted and 0 < writes < _RENEWALS:
            continue
        if _is_of_all(binding, layout) and _is_read_by_time(context, binding, layout):
            continue
        if (is_once and (is_deleted or is_endless)) or (writes >= min_writes and not is_deleted and is_endless):
            count = counted(rate * ttl if is_once else writes, "write", spec=",.0f") + (
                "" if is_once else " to one key"
            )
            yield FindingDraft(
                problem=f"each write renews the {span(timedelta(seconds=ttl))} of the whole key, {count} in this time: "
                "a member stays as long as others are added",
                help="store them as kw.RedisSortedSet(...) by the time at which each ends, with max_length=, and read "
                "by range=; or store each under a key of its own",
                subject=binding.name,
            )


def _is_of_all(binding: Binding[Structure], layout: Layout) -> bool:
    """Whether expected= counts every member that there is, so that none is expected to end."""
    expected, member = binding.spec.expected, layout.member.lone if layout.member else None
    attribute = layout.attribute(member.path) if member else None
    kind = attribute.type if attribute else None
    distinct = kind.facts.distinct if isinstance(kind, Scalar) else None
    return expected is not None and distinct is not None and distinct <= expected


def _is_read_by_time(context: RuleContext, binding: Binding[Structure], layout: Layout) -> bool:
    """Whether members are read by the time of their last write: no reader takes an old one for new."""
    score = layout.attribute(layout.value or "") if layout.kind == "sorted set" else None
    is_time = score is not None and isinstance(score.type, Scalar) and score.type.kind == "datetime"
    return is_time and any(plan.pattern.range == layout.value for plan, _ in calls(context, binding, "read", "count"))
