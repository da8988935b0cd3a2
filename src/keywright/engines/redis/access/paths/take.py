"""Takes: the next elements of a list, the next entries of a stream for a group, permits of a rate limit."""

from datetime import timedelta

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.query import Query
from keywright.declare.stream import ConsumerGroup
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ...declare.options import RedisStream, Structure
from ...schema.layout import dead_letters, delayed
from ..calls import Call, CallKeys, ClaimEntries, Permit, Pop
from ..layout import Layout, decided, expanded


def take(layout: Layout, binding: Binding[Structure], query: Query) -> Candidate:
    """The access path of a take, or the reason why there is none."""
    if layout.kind not in ("list", "stream", "rate limit"):
        return Rejected(
            layout.by, f"a {layout.kind} has no next item: take from a RedisList, RedisStream or RedisRateLimit"
        )
    filled = fill(expanded(layout.key, layout, query), query, layout.attributes, is_write=True)
    if isinstance(filled, Unfilled):
        return Rejected(layout.by, f'{filled.reason}, a part of the key "{layout.by.name}": add it to eq=')
    if any(slot.kind == "draw" for slot in filled.slots):
        return Rejected(layout.by, "the shard of the key is random: the shard of the next item is unknown")
    keys = CallKeys(layout.prefix, filled, is_cluster=layout.is_cluster)
    member = _member(layout, query)
    if isinstance(member, Rejected):
        return member
    decides = (*decided(layout, filled), *decided(layout, member))
    if residual := [condition for condition in query.conditions if condition not in decides]:
        return Rejected(layout.by, f'the next item is taken without a check, so that "{residual[0]}" is not applied')
    match layout.kind:
        case "list":
            return _served(
                layout, Pop(layout.structure, keys), "oldest first: pushed on the left, taken from the right"
            )
        case "stream":
            return _claim(layout, binding, query, keys)
        case _:
            return _permit(layout, query, keys, member)


def _member(layout: Layout, query: Query) -> Filled | Rejected | None:
    if layout.member is None or layout.kind != "rate limit":
        return None
    if (query.pattern.limit or 1) > 1:
        return Rejected(layout.by, f"equal members count once, so {query.pattern.limit} permits would be one: limit=1")
    member = fill(expanded(layout.member, layout, query), query, layout.attributes, is_write=True)
    if isinstance(member, Unfilled):
        return Rejected(layout.by, f'{member.reason}, a part of the member "{layout.member.text}": add it to eq=')
    return member


def _permit(layout: Layout, query: Query, keys: CallKeys, member: Filled | None) -> Candidate:
    most = layout.structure.burst or layout.structure.limit or 1
    if (permits := query.pattern.limit or 1) > most:
        return Rejected(layout.by, f"a call would never be allowed {permits} permits at once: the most are {most}")
    return _served(layout, Permit(layout.structure, keys, member), *_window(layout))


def _window(layout: Layout) -> tuple[str, ...]:
    structure = layout.structure
    if structure.window == "fixed":
        return ("one counter for each period: up to twice the limit across two of them",)
    if structure.window == "bucket":
        return (f"one number: a bucket of {counted(structure.burst or 1, 'token')}, which flow in steadily",)
    return ("one script, which counts only allowed calls",)


def _claim(layout: Layout, binding: Binding[Structure], query: Query, keys: CallKeys) -> Candidate:
    group = query.pattern.consumer_group
    if group is None:
        return Rejected(layout.by, "entries of a stream are taken for a group: add group=")
    if group not in layout.structure.groups:
        return Rejected(layout.by, f'the stream has no group "{group}": add it to groups=')
    if layout.key.placeholders:
        reason = "a group is created only for a constant key: this stream's key exists with its first entry"
        return Rejected(layout.by, reason)
    declared = _declared(binding, group)
    idle, max_deliveries = declared.claim_after // timedelta(milliseconds=1), declared.max_deliveries
    notes: tuple[str, ...] = (
        "first unfinished entries of other consumers, then new ones; the caller acknowledges",
        f"unreadable entries, and those delivered {counted(max_deliveries, 'time')}, go to {dead_letters(keys.text)}",
    )
    if layout.structure.due is not None:
        notes += (f'entries that wait in {delayed(keys.text)} until "{layout.structure.due}" are appended first',)
    return _served(layout, ClaimEntries(layout.structure, keys, group, idle, max_deliveries), *notes)


def _declared(binding: Binding[Structure], group: str) -> ConsumerGroup:
    """The declaration of a consumer group; servers do not store these settings, so that targets lack them."""
    assert isinstance(binding.spec, RedisStream)
    return next(consumer_group for consumer_group in binding.spec.groups if consumer_group.name == group)


def _served(layout: Layout, call: Call, *notes: str) -> AccessPath:
    if layout.freshness != "strong":
        notes += ("a failover may repeat the last taken items, because replication is asynchronous",)
    return AccessPath(layout.by, call, consistency=layout.freshness, notes=notes)
