"""Reads by a whole key, by a member, by a range of scores, or in the order of a structure's elements."""

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.key_range import RANGES
from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.attribute import Many, Map
from keywright.ir.entity import resolve
from keywright.ir.text import counted

from ...schema.layout import json_path
from ..calls import Call, CallKeys, CountElements, Fetch, MemberRank, Merge, Near, Neighbours, Probe, Range
from ..layout import Layout, decided, expanded
from .order import direction_of, ties, unordered

KEYED = ("string", "counter", "cache", "hash", "json")
"""Structures whose items each have their own key."""

NAMED = ("set", "sorted set", "geo")
"""Structures whose elements are found by member."""

_COUNTS = {
    "set": "SCARD", "sorted set": "ZCARD", "geo": "ZCARD", "list": "LLEN", "stream": "XLEN", "hyperloglog": "PFCOUNT",
    "bitmap": "BITCOUNT",
}  # fmt: skip

_ONLY = {
    "rate limit": "a rate limit contains calls, not items: use kw.Take",
    "hyperloglog": "a HyperLogLog counts members, and cannot list them: use kw.Count, or a RedisSet",
    "bitmap": "a bitmap returns one bit, or the number of set bits: use a RedisSet to list them",
    "geo": "a geo set supports near=, or a named member",
}


def read(layout: Layout, query: Query) -> Candidate:
    """The access path of a read, or the reason why there is none."""
    keys = keys_of(layout, query)
    if isinstance(keys, Rejected):
        return keys
    if query.pattern.kind in ("rank", "rank_around"):
        return _rank(layout, query, keys)
    if layout.kind == "rate limit":
        return Rejected(layout.by, _ONLY["rate limit"])
    if layout.kind in KEYED:
        return _fetch(layout, query, keys)
    if (probed := _probe(layout, query, keys)) is not None:
        return probed
    if query.pattern.kind == "count" and (counted := _size(layout, query, keys)) is not None:
        return counted
    if layout.kind == "geo" and (near := query.first(layout.value or "", "near")) is not None:
        return _near(layout, query, keys, near)
    if layout.kind in _ONLY:
        return Rejected(layout.by, _ONLY[layout.kind])
    return _range(layout, query, keys)


def keys_of(layout: Layout, query: Query) -> CallKeys | Rejected:
    """The keys that a pattern determines."""
    filled = fill(expanded(layout.key, layout, query), query, layout.attributes)
    if isinstance(filled, Unfilled):
        return Rejected(layout.by, f'{filled.reason}, and "{layout.by.name}" is read by its whole key')
    if filled.fan_out is None and any(slot.kind == "buckets" for slot in filled.slots):
        return Rejected(layout.by, "the number of keys in the range is unknown: add span= or fan_out=")
    return CallKeys(layout.prefix, filled, is_cluster=layout.is_cluster)


def _fetch(layout: Layout, query: Query, keys: CallKeys) -> Candidate:
    if (wrong := _in_memory(layout, query)) is not None:
        return wrong
    names = _fields(layout, query, keys)
    fields = tuple(map(json_path, names)) if layout.kind == "json" else names
    return _served(layout, query, Fetch(layout.structure, keys, fields, names, query.order), keys)


def _fields(layout: Layout, query: Query, keys: CallKeys) -> tuple[str, ...]:
    """Stored names of the fields to read from a hash; empty for all.

    The names include a required field: without it, a hash that lacks the others could not be told from a missing hash.
    """
    pattern = query.pattern
    if layout.kind not in ("hash", "json") or not pattern.fields:
        return ()
    field_names = {field.partition(".")[0] for field in pattern.fields} | {ordering.field for ordering in query.order}
    field_names |= {condition.field.partition(".")[0] for condition in _residual(query, decided(layout, keys.filled))}
    stored = [attribute for attribute in layout.stored if attribute.name in field_names]
    if layout.kind == "json":  # a missing document is no object without fields
        return tuple(attribute.stored for attribute in stored)
    required = [attribute for attribute in layout.stored if not attribute.is_nullable]
    if not any(attribute in required for attribute in stored):
        stored += required[:1]
    return tuple(attribute.stored for attribute in stored) if any(attribute in required for attribute in stored) else ()


def _probe(layout: Layout, query: Query, keys: CallKeys) -> Candidate | None:
    """The path by members; None if the pattern does not determine them."""
    if layout.kind == "bitmap":
        bit = query.first(layout.value or "", "equals", "one_of")
        if bit is None:
            return None
        call = Probe(layout.structure, keys, bit=bit, order=query.order)
        decides: tuple[Condition, ...] = (bit,)
    else:
        members = members_of(layout, query)
        if members is None or layout.kind not in NAMED:
            return None
        call, decides = Probe(layout.structure, keys, members, order=query.order), decided(layout, members)
    if query.pattern.kind == "read" and (wrong := _in_memory(layout, query)) is not None:
        return wrong
    return _served(layout, query, call, keys, decides)


def members_of(layout: Layout, query: Query) -> Filled | None:
    """The members that a pattern determines; None if it does not determine them completely."""
    if layout.member is None:
        return None
    filled = fill(expanded(layout.member, layout, query), query, layout.attributes)
    if isinstance(filled, Unfilled) or any(slot.kind not in ("value", "values") for slot in filled.slots):
        return None
    return filled


def _size(layout: Layout, query: Query, keys: CallKeys) -> Candidate | None:
    """The path by a counting command; None if residual conditions are left that the server cannot check."""
    bounds = bounds_of(layout, query)
    residual = _residual(query, (*decided(layout, keys.filled), *bounds))
    if residual or (bounds and layout.kind == "bitmap" and not layout.has_bit_ranges):
        return None
    command = "ZCOUNT" if bounds and layout.kind == "sorted set" else _COUNTS[layout.kind]
    notes: tuple[str, ...] = ()
    if layout.kind == "hyperloglog" and not keys.filled.is_single:
        if not keys.can_be_named_at_once:
            reason = f'"{keys.text}" is several keys in several slots, and PFCOUNT needs keys in one slot'
            return Rejected(layout.by, f"{reason}: put a field with an equality condition in braces, {{field:tag}}")
        notes = ("of several keys a member counts once",)
    if layout.structure.due is not None:
        notes = (_waiting(layout),)
    return _served(layout, query, CountElements(layout.structure, keys, command, bounds), keys, bounds, notes=notes)


def bounds_of(layout: Layout, query: Query) -> tuple[Condition, ...]:
    """The conditions on the field that orders the structure."""
    if layout.kind not in ("sorted set", "bitmap") or layout.value is None:
        return ()
    kinds = (*RANGES, "equals") if layout.kind == "sorted set" else RANGES
    return tuple(condition for condition in query.on(layout.value) if condition.kind in kinds)


def _near(layout: Layout, query: Query, keys: CallKeys, near: Condition) -> Candidate:
    if query.order:
        return Rejected(layout.by, "results are in the order of distance: remove order=")
    if not keys.filled.is_single:
        return Rejected(layout.by, f'"{keys.text}" is several keys, and GEOSEARCH reads one')
    return _served(layout, query, Near(layout.structure, keys, near), keys, (near,), order="index")


def _rank(layout: Layout, query: Query, keys: CallKeys) -> Candidate:
    members = members_of(layout, query)
    if layout.kind != "sorted set":
        return Rejected(layout.by, f"a {layout.kind} has no ranks: store the members in a RedisSortedSet")
    if members is None or not members.is_single or not keys.filled.is_single:
        return Rejected(layout.by, f'a rank belongs to one member: name the fields of "{keys.text}" and of the member')
    direction = direction_of(layout, query)
    if layout.then is not None and query.pattern.shares_ranks:
        return Rejected(
            layout.by, f'"{layout.then.field}" orders equal scores, so that no rank is shared: remove ties='
        )
    if direction is None or not query.order or query.order[0].field != layout.value:
        return Rejected(layout.by, f'members are ranked by "{layout.value}": write order="-{layout.value}"')
    if _residual(query, (*decided(layout, keys.filled), *decided(layout, members))):
        return Rejected(layout.by, "a rank counts all members, without conditions: remove where=")
    is_backward, is_rank, shares = direction == "backward", query.pattern.kind == "rank", query.pattern.shares_ranks
    notes = ("equal scores have the same rank",) if shares else ties(layout)
    call: Call = MemberRank(layout.structure, keys, members, is_backward)
    if shares or not is_rank:
        call = Neighbours(layout.structure, keys, members, is_backward, shares, is_rank)
        notes += ("one script: no score changes between rank and members",)
    return _served(layout, query, call, keys, decided(layout, members), order="index", notes=notes)


def _range(layout: Layout, query: Query, keys: CallKeys) -> Candidate:
    bounds, direction = bounds_of(layout, query), direction_of(layout, query)
    if direction is None:
        return Rejected(layout.by, unordered(layout, query))
    decides = (*decided(layout, keys.filled), *bounds)
    residual = _residual(query, decides)
    is_bounded = bounds or any(slot.kind in ("value", "values") for slot in keys.filled.slots)
    if residual and not is_bounded:
        field_list = ", ".join(f'"{condition.field}"' for condition in residual)
        return Rejected(layout.by, f"the key does not contain {field_list}: the whole {layout.kind} would be read")
    if query.order and all(query.fixed(ordering.field) for ordering in query.order):
        direction = "backward" if query.order[0].is_descending else "forward"  # of equal scores, by member
    is_backward = direction == "backward" or layout.kind == "stream"
    merge = _merge(layout, query, keys)
    if merge == "walk":
        keys = CallKeys(keys.prefix, keys.filled, is_backward, keys.is_cluster)
    call = Range(layout.structure, keys, bounds, is_backward, merge)
    notes = ties(layout) if query.order else ()
    if layout.structure.due is not None:
        notes += (_waiting(layout),)
    order = "merge" if merge == "merge" else "index" if query.order else "none"
    return _served(layout, query, call, keys, bounds, order=order, notes=notes)


def _waiting(layout: Layout) -> str:
    return f'without entries that wait until "{layout.structure.due}"'


def _merge(layout: Layout, query: Query, keys: CallKeys) -> Merge:
    """Keys that are split by the time that orders them are read one after the other; others are merged if ordered."""
    if keys.filled.is_single:
        return "one"
    several = [slot for slot in keys.filled.slots if slot.kind != "value"]
    if len(several) == 1 and several[0].kind in ("buckets", "recent") and several[0].placeholder.path == layout.value:
        return "walk"
    return "merge" if (query.order and layout.kind == "sorted set") or layout.kind == "stream" else "walk"


def _in_memory(layout: Layout, query: Query) -> Rejected | None:
    """The reason why items cannot be sorted in memory; None if they can."""
    for ordering in query.order:
        path = resolve(layout.attributes, ordering.field)
        if not path or any(part.is_nullable or isinstance(part.type, (Many, Map)) for part in path):
            return Rejected(layout.by, f'"{ordering.field}" may be None or is not a single value, so it has no order')
    return None


def _residual(query: Query, decides: tuple[Condition, ...]) -> tuple[Condition, ...]:
    return tuple(condition for condition in query.conditions if condition not in decides)


def _served(
    layout: Layout, query: Query, call: Call, keys: CallKeys, decides: tuple[Condition, ...] = (),
    *, order: str = "", notes: tuple[str, ...] = (),
) -> Candidate:  # fmt: skip
    """The path, unless a residual condition cannot be checked on the items that are read."""
    residual = _residual(query, (*decided(layout, keys.filled), *decides))
    for condition in residual:
        path = resolve(layout.attributes, condition.field)
        if (
            condition.kind in ("search", "near")
            or not path
            or any(isinstance(part.type, (Many, Map)) for part in path[:-1])
        ):
            return Rejected(layout.by, f'a {layout.kind} does not support "{condition}"')
    if not order:
        is_single = keys.filled.is_single and not (isinstance(call, Probe) and _is_several(call))
        order = "memory" if query.order and query.pattern.kind == "read" and not is_single else "none"
    fan_out = keys.filled.fan_out or query.pattern.limit or query.pattern.fan_out
    if fan_out > 1:
        is_walked = isinstance(call, Range) and call.merge == "walk"
        manner = "one after the other until the page is full" if is_walked else "in one round trip"
        nodes = "" if keys.can_be_named_at_once else " to each of several nodes"
        notes += (f"up to {counted(fan_out, 'key is', 'keys are')} read {manner}{nodes}",)
    return AccessPath(layout.by, call, fan_out, order, residual, layout.freshness, notes)  # type: ignore[arg-type]


def _is_several(call: Probe) -> bool:
    """Whether a call names several members."""
    return call.members is None or not call.members.is_single
