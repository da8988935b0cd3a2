"""Reads: by a whole key, by a member, by a range of scores, or in the order in which a structure keeps its elements."""

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.reading import RANGES, follows
from keywright.access.request import Asked, Request
from keywright.ir.attribute import Many, Map
from keywright.ir.entity import resolve

from .calls import Call, Fetch, Keys, Merge, Near, Probe, Range, Rank, Size
from .held import Held, decided, spelled
from .ordering import ascending

KEYED = ("string", "counter", "cache", "hash")
"""Structures of which each item has a key of its own."""

NAMED = ("set", "sorted set", "geo")
"""Structures whose elements are found by name."""

_COUNTS = {
    "set": "SCARD", "sorted set": "ZCARD", "geo": "ZCARD", "list": "LLEN", "stream": "XLEN", "hyperloglog": "PFCOUNT",
    "bitmap": "BITCOUNT",
}  # fmt: skip

_NO_ORDER = {
    "set": "a set has no order: keep the members in a RedisSortedSet whose score is",
    "list": "a list is in the order of its pushes: keep the elements in a RedisSortedSet whose score is",
    "stream": "a stream is in the order of arrival: keep the entries in a RedisSortedSet whose score is",
}

_ONLY = {
    "rate limit": "a rate limit holds calls, not items: use kw.Take",
    "hyperloglog": "a HyperLogLog tells how many members there are, never which: use kw.Count, or keep a RedisSet",
    "bitmap": "a bitmap tells of one bit, or how many are set: keep a RedisSet to list them",
    "geo": "a geo set answers near=, or for a member that is named",
}


def read(found: Held, asked: Request) -> Candidate:
    """How a read is served, or why it is not."""
    made = keys_of(found, asked)
    if isinstance(made, Rejected):
        return made
    if asked.pattern.kind == "rank":
        return _rank(found, asked, made)
    if found.kind == "rate limit":
        return Rejected(found.by, _ONLY["rate limit"])
    if found.kind in KEYED:
        return _fetch(found, asked, made)
    if (probed := _probe(found, asked, made)) is not None:
        return probed
    if asked.pattern.kind == "count" and (counted := _size(found, asked, made)) is not None:
        return counted
    if found.kind == "geo" and (near := asked.one(found.value or "", "near")) is not None:
        return _near(found, asked, made, near)
    if found.kind in _ONLY:
        return Rejected(found.by, _ONLY[found.kind])
    return _range(found, asked, made)


def keys_of(found: Held, asked: Request) -> Keys | Rejected:
    """The keys that a pattern means."""
    filled = fill(spelled(found.key, found, asked), asked, found.attributes)
    if isinstance(filled, Unfilled):
        return Rejected(found.by, f'{filled.reason}, and "{found.by.name}" is found by its whole key')
    if filled.fan_out is None and any(slot.kind == "buckets" for slot in filled.slots):
        return Rejected(found.by, "nothing says how many keys the range covers: add span= or fan_out=")
    return Keys(found.prefix, filled, is_cluster=found.is_cluster)


def _fetch(found: Held, asked: Request, made: Keys) -> Candidate:
    if (wrong := _in_memory(found, asked)) is not None:
        return wrong
    fields = _fields(found, asked, made)
    return _served(found, asked, Fetch(found.structure, made, fields, asked.order), made)


def _fields(found: Held, asked: Request, made: Keys) -> tuple[str, ...]:
    """The stored names of what a hash must tell; empty for all.

    One that every item has is among them: an answer of nothing else would not tell a hash without them from none.
    """
    pattern = asked.pattern
    if found.kind != "hash" or not pattern.fields:
        return ()
    wanted = {one.partition(".")[0] for one in pattern.fields} | {one.field for one in asked.order}
    wanted |= {one.field.partition(".")[0] for one in _residual(asked, decided(found, made.filled))}
    stored = [one for one in found.stored if one.name in wanted]
    sure = [one for one in found.stored if not one.is_nullable]
    if not any(one in sure for one in stored):
        stored += sure[:1]
    return tuple(one.stored for one in stored) if any(one in sure for one in stored) else ()


def _probe(found: Held, asked: Request, made: Keys) -> Candidate | None:
    """By the names of members; None where the pattern does not tell them."""
    if found.kind == "bitmap":
        bit = asked.one(found.value or "", "equals", "one_of")
        if bit is None:
            return None
        call = Probe(found.structure, made, bit=bit, order=asked.order)
        decides: tuple[Asked, ...] = (bit,)
    else:
        members = members_of(found, asked)
        if members is None or found.kind not in NAMED:
            return None
        call, decides = Probe(found.structure, made, members, order=asked.order), decided(found, members)
    if asked.pattern.kind == "read" and (wrong := _in_memory(found, asked)) is not None:
        return wrong
    return _served(found, asked, call, made, decides)


def members_of(found: Held, asked: Request) -> Filled | None:
    """The members that a pattern names; None where it does not name them wholly."""
    if found.member is None:
        return None
    filled = fill(spelled(found.member, found, asked), asked, found.attributes)
    if isinstance(filled, Unfilled) or any(slot.kind not in ("value", "values") for slot in filled.slots):
        return None
    return filled


def _size(found: Held, asked: Request, made: Keys) -> Candidate | None:
    """What the server counts by itself; None where conditions are left that it does not know."""
    bounds = bounds_of(found, asked)
    rest = _residual(asked, (*decided(found, made.filled), *bounds))
    if rest or (bounds and found.kind == "bitmap" and not found.has_bit_ranges):
        return None
    command = "ZCOUNT" if bounds and found.kind == "sorted set" else _COUNTS[found.kind]
    return _served(found, asked, Size(found.structure, made, command, bounds), made, bounds)


def bounds_of(found: Held, asked: Request) -> tuple[Asked, ...]:
    """The conditions on what orders the structure."""
    if found.kind not in ("sorted set", "bitmap") or found.value is None:
        return ()
    hows = (*RANGES, "equals") if found.kind == "sorted set" else RANGES
    return tuple(one for one in asked.on(found.value) if one.how in hows)


def _near(found: Held, asked: Request, made: Keys, near: Asked) -> Candidate:
    if asked.order:
        return Rejected(found.by, "what is near comes by distance: leave out order=")
    if not made.filled.is_single:
        return Rejected(found.by, f'"{made.text}" is several keys, and GEOSEARCH asks one')
    return _served(found, asked, Near(found.structure, made, near), made, (near,), order="index")


def _rank(found: Held, asked: Request, made: Keys) -> Candidate:
    members = members_of(found, asked)
    if found.kind != "sorted set":
        return Rejected(found.by, f"a {found.kind} has no ranks: keep the members in a RedisSortedSet")
    if members is None or not members.is_single or not made.filled.is_single:
        return Rejected(found.by, f'a rank is that of one member: name the fields of "{made.text}" and of the member')
    direction = follows(asked, ascending(found))
    if direction is None or not asked.order or asked.order[0].field != found.value:
        return Rejected(found.by, f'members are ranked by "{found.value}": write order="-{found.value}"')
    if _residual(asked, (*decided(found, made.filled), *decided(found, members))):
        return Rejected(found.by, "a rank counts all members, whatever else is asked: leave out where=")
    call = Rank(found.structure, made, members, direction == "backward")
    return _served(found, asked, call, made, decided(found, members), order="index", notes=_ties(found))


def _range(found: Held, asked: Request, made: Keys) -> Candidate:
    bounds, ordered = bounds_of(found, asked), ascending(found)
    direction = follows(asked, ordered)
    if direction is None:
        return Rejected(found.by, _unordered(found, asked))
    decides = (*decided(found, made.filled), *bounds)
    rest = _residual(asked, decides)
    is_part = bounds or any(slot.kind in ("value", "values") for slot in made.filled.slots)
    if rest and not is_part:
        named = ", ".join(f'"{one.field}"' for one in rest)
        return Rejected(found.by, f"the key does not hold {named}: all of the {found.kind} would be read")
    if asked.order and all(asked.fixed(one.field) for one in asked.order):
        direction = "backward" if asked.order[0].is_descending else "forward"  # of equal scores, by member
    is_backward = direction == "backward" or found.kind == "stream"
    merge = _merge(found, asked, made)
    if merge == "walk":
        made = Keys(made.prefix, made.filled, is_backward, made.is_cluster)
    call = Range(found.structure, made, bounds, is_backward, merge)
    order = "merge" if merge == "merge" else "index" if asked.order else "none"
    return _served(found, asked, call, made, bounds, order=order, notes=_ties(found) if asked.order else ())


def _merge(found: Held, asked: Request, made: Keys) -> Merge:
    """Keys that are cut by the time that orders them follow one another; others are merged, if there is an order."""
    if made.filled.is_single:
        return "one"
    several = [slot for slot in made.filled.slots if slot.kind != "value"]
    if len(several) == 1 and several[0].kind in ("buckets", "recent") and several[0].placeholder.path == found.value:
        return "walk"
    return "merge" if (asked.order and found.kind == "sorted set") or found.kind == "stream" else "walk"


def _unordered(found: Held, asked: Request) -> str:
    if found.kind != "sorted set":
        return f'{_NO_ORDER[found.kind]} "{asked.order[0].field}"'
    ordered = ascending(found)
    order = [one.field for one in asked.order]
    if order[0] != found.value and not asked.fixed(found.value or ""):
        return f'members are ordered by "{found.value}", not by "{order[0]}"'
    if stray := next((field for field in order if field not in ordered and not asked.fixed(field)), None):
        return f'equal scores come by the text of the member, where "{stray}" is not in order: pad it and put it first'
    return "equal scores come by member, in the direction of the score: order both in the same direction"


def _ties(found: Held) -> tuple[str, ...]:
    return ("equal scores come by member, in the same direction",)


def _in_memory(found: Held, asked: Request) -> Rejected | None:
    """Why items that are all there cannot be put in the wanted order; None where they can."""
    for one in asked.order:
        path = resolve(found.attributes, one.field)
        if not path or any(part.is_nullable or isinstance(part.type, (Many, Map)) for part in path):
            return Rejected(found.by, f'"{one.field}" may be None or is no single value, by which nothing is ordered')
    return None


def _residual(asked: Request, decides: tuple[Asked, ...]) -> tuple[Asked, ...]:
    return tuple(one for one in asked.asked if one not in decides)


def _served(
    found: Held, asked: Request, call: Call, made: Keys, decides: tuple[Asked, ...] = (),
    *, order: str = "", notes: tuple[str, ...] = (),
) -> Candidate:  # fmt: skip
    """The path, unless a condition is left that cannot be judged on what is read."""
    rest = _residual(asked, (*decided(found, made.filled), *decides))
    for one in rest:
        path = resolve(found.attributes, one.field)
        if one.how in ("search", "near") or not path or any(isinstance(part.type, (Many, Map)) for part in path[:-1]):
            return Rejected(found.by, f'no {found.kind} answers "{one}"')
    if not order:
        is_one = made.filled.is_single and not (isinstance(call, Probe) and _is_several(call))
        order = "memory" if asked.order and asked.pattern.kind == "read" and not is_one else "none"
    fan_out = made.filled.fan_out or asked.pattern.limit or asked.pattern.fan_out
    if fan_out > 1:
        is_walked = isinstance(call, Range) and call.merge == "walk"
        how = "one after the other until the page is full" if is_walked else "in one round trip"
        nodes = "" if made.can_be_named_at_once else " to each of several nodes"
        notes += (f"up to {fan_out} keys are asked {how}{nodes}",)
    return AccessPath(found.by, call, fan_out, order, rest, found.freshness, notes)  # type: ignore[arg-type]


def _is_several(call: Probe) -> bool:
    """Whether a call names several members."""
    return call.members is None or not call.members.is_single
