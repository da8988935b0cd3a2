"""Whether the server's own evidence of a call agrees with the path that was planned.

An event is one round trip: its commands word by word, the elements that each answered, the keys that COMMAND GETKEYS
finds in each, their slots, and their encodings by OBJECT ENCODING. What a script does inside is not seen; its text is
the runtime's own, and what it leaves behind is compared with what is stored.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.interface import Event

from ..target import ServerTarget
from .calls import Call, Claim, Fetch, Near, Permit, Pop, Probe, Range, Rank, Size, Together, Write
from .cost import cost
from .size import INTSET_ENTRIES, SET_ENTRIES
from .written import commands_of

SCANS = frozenset(("KEYS", "SCAN", "RANDOMKEY", "SORT", "DBSIZE"))
"""Commands that look at keys which nobody named."""

_SCRIPT = frozenset(("EVALSHA", "EVAL"))

_READS = {
    "string": ("GET", "MGET"), "counter": ("GET", "MGET"), "cache": ("GET", "MGET"), "hash": ("HGETALL", "HMGET"),
    "list": ("LRANGE",), "set": ("SSCAN", "SMEMBERS"), "sorted set": ("ZRANGE",), "stream": ("XREVRANGE",),
}  # fmt: skip

_PROBES = {
    "set": ("SISMEMBER", "SMISMEMBER"), "sorted set": ("ZSCORE", "ZMSCORE"), "geo": ("GEOPOS",), "bitmap": ("GETBIT",),
}  # fmt: skip

_ENCODINGS = {
    "string": ("int", "embstr", "raw"), "counter": ("int", "embstr", "raw"), "cache": ("int", "embstr", "raw"),
    "hash": ("listpack", "ziplist", "hashtable"), "list": ("listpack", "quicklist", "ziplist"),
    "set": ("listpack", "intset", "hashtable"), "sorted set": ("listpack", "ziplist", "skiplist"),
    "stream": ("stream",), "bitmap": ("int", "embstr", "raw"), "hyperloglog": ("raw", "embstr"),
    "geo": ("listpack", "ziplist", "skiplist"),
}  # fmt: skip
"""How the server keeps each structure. Source: https://redis.io/docs/latest/commands/object-encoding, 2026-11-21."""


def judge(planned: Planned[ServerTarget], events: tuple[Event, ...], returned: int) -> Iterator[str]:
    """See `Engine.judge`."""
    path = planned.path
    assert isinstance(path, AccessPath)
    call: Call = path.call  # type: ignore[assignment]  # what this engine's paths hold
    sent = [words for event in events for words in _commands(event)]
    if not events and (returned or isinstance(call, (Write, Pop, Claim, Permit, Together, Rank))):
        yield "nothing was sent"
    yield from _names(call, sent, planned)
    yield from _trips(planned, path, events)
    yield from _slots(call, path, events)
    yield from _kinds(call, events)
    if isinstance(call, (Fetch, Probe, Range, Near)):
        yield from _directions(call, sent)
        yield from _amounts(planned, path, call, events, returned)
    yield from _missed(planned, path, call, events, returned)


def _commands(event: Event) -> list[list[str]]:
    found: Any = event["commands"]
    return found  # type: ignore[no-any-return]


def _keys(event: Event) -> list[str]:
    found: Any = event["keys"]
    return list(dict.fromkeys(key for some in found for key in some))


def _names(call: Call, sent: list[list[str]], planned: Planned[ServerTarget]) -> Iterator[str]:
    allowed = _allowed(call, planned)
    for name in dict.fromkeys(words[0].upper() for words in sent):
        if name in SCANS:
            yield f"{name} looks at keys that nobody named"
        elif name not in allowed:
            yield f"{name} was sent, the path has {', '.join(sorted(allowed))}"


def _allowed(call: Call, planned: Planned[ServerTarget]) -> frozenset[str]:
    """The commands that the path may send."""
    match call:
        case Fetch() if planned.pattern.kind == "count":
            return frozenset(("EXISTS", *_READS[call.structure.kind]))
        case Fetch() | Range():
            return frozenset(_READS[call.structure.kind])
        case Probe():
            return frozenset(_PROBES[call.structure.kind])
        case Near():
            return frozenset(("GEOSEARCH",))
        case Size(command=command):
            return frozenset((command,))
        case Rank(is_backward=is_backward):
            return frozenset(("ZREVRANK" if is_backward else "ZRANK",))
        case Pop():
            return frozenset(("RPOP",))
        case Claim():
            return frozenset(("XAUTOCLAIM", "XREADGROUP", "XACK"))
        case Permit():
            return _SCRIPT
        case Together(parts=parts):
            return _SCRIPT if call.is_script else frozenset(_written(parts))
        case _:
            return frozenset((*_written((call,)), *_SCRIPT))


def _written(parts: tuple[Write, ...]) -> Iterator[str]:
    for part in parts:
        yield from (words[0] for words in commands_of(part))
        if part.structure.expires_at is not None:  # an item may say that it has no end
            yield from ("EXPIRE", "EXPIREAT", "PERSIST")


def _trips(planned: Planned[ServerTarget], path: AccessPath, events: tuple[Event, ...]) -> Iterator[str]:
    """More round trips than planned; one that told the server a script is not counted, it is sent once."""
    most = cost(planned).round_trips.high
    told = sum(1 for event in events if event.get("error"))
    # A small set is answered whole and a large one in parts of about the wanted size: SSCAN may have to go on.
    is_open = isinstance(path.call, Range) and path.call.structure.kind == "set"
    if most is not None and not is_open and len(events) - told > most:
        yield f"{len(events) - told} round trips, {most:g} were planned"


def _slots(call: Call, path: AccessPath, events: tuple[Event, ...]) -> Iterator[str]:
    """Keys that one step names must be in one slot where the server is a cluster, or a tag promises it."""
    is_cluster = isinstance(call, Together) and call.is_cluster
    promised = is_cluster or (not isinstance(call, Together) and _promises(call))
    for event in events:
        slots: Any = event["slots"]
        if promised and event["kind"] != "pipeline" and len(set(slots.values())) > 1:
            yield f"keys in several slots were named at once: {', '.join(slots)}"


def _promises(call: Call) -> bool:
    keys = getattr(call, "keys", None)
    if keys is None:
        return bool(getattr(call, "is_cluster", False))
    return bool(keys.is_cluster or (not keys.filled.is_single and keys.has_one_slot))


def _kinds(call: Call, events: tuple[Event, ...]) -> Iterator[str]:
    """Keys that are kept as something else."""
    if isinstance(call, Together):
        return
    structure = call.structure
    wanted = _ENCODINGS.get(structure.kind)
    if wanted is None:
        return
    for event in events:
        encodings: Any = event["encodings"]
        for key, encoding in encodings.items():
            if encoding is not None and encoding not in wanted:
                yield f'"{key}" is kept as {encoding}, which no {structure.kind} is'


def _directions(call: Fetch | Probe | Range | Near, sent: list[list[str]]) -> Iterator[str]:
    if not isinstance(call, Range) or call.structure.kind != "sorted set":
        return
    for words in sent:
        if words[0].upper() == "ZRANGE" and ("REV" in words[4:]) != call.is_backward:
            yield f"{words[1]} was read {'forward' if call.is_backward else 'backward'}"


def _amounts(
    planned: Planned[ServerTarget], path: AccessPath, call: Fetch | Probe | Range | Near, events: tuple[Event, ...],
    returned: int,
) -> Iterator[str]:  # fmt: skip
    """More elements than the page needs; the last one of the page before may be among them, to go on behind it."""
    limit = planned.pattern.limit if planned.pattern.kind == "read" else None
    if limit is None:
        return
    if returned > limit:
        yield f"{returned} items were returned, the limit is {limit}"
    if path.residual or not isinstance(call, Range):
        return
    most = max(limit + 1, SET_ENTRIES, INTSET_ENTRIES) if call.structure.kind == "set" else limit + 1
    for event in events:
        counts: Any = event["elements"]
        for words, count in zip(_commands(event), counts, strict=True):
            if count > most:
                yield f"{words[0]} {words[1]} answered {count} elements, the limit is {limit}"


def _missed(
    planned: Planned[ServerTarget], path: AccessPath, call: Call, events: tuple[Event, ...], returned: int
) -> Iterator[str]:
    """Keys that were not asked although the page is not full, or although all are needed."""
    keys = getattr(call, "keys", None)
    if keys is None or isinstance(call, Write) or keys.filled.fan_out is None or keys.filled.fan_out == 1:
        return
    if any(slot.kind not in ("shards", "constants", "recent") for slot in keys.filled.slots if slot.count != 1):
        return  # the call decides how many there are
    limit = planned.pattern.limit
    is_full = limit is not None and returned >= limit
    needs_all = not (isinstance(call, Range) and call.merge == "walk" and is_full)
    asked = {key for event in events for key in _keys(event)}
    if needs_all and len(asked) < keys.filled.fan_out:
        yield f"{len(asked)} of {keys.filled.fan_out} keys were asked"
