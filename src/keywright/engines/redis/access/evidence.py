"""Compares the server's evidence of a call with the planned path.

An event is one round trip: its commands word by word, the elements that each command returned, the keys that COMMAND
GETKEYS finds in each, their slots, and their encodings by OBJECT ENCODING. The commands inside a script are not
recorded; scripts belong to the runtime, and a proof compares their result with the stored items.
"""

from collections.abc import Iterator
from typing import Any, get_args

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.interface import ClientEvent
from keywright.ir.text import counted, figure

from ..schema.layout import delayed
from ..schema.target import ServerTarget
from .calls import (
    Call,
    ClaimEntries,
    CountElements,
    Fetch,
    MemberRank,
    Near,
    Neighbours,
    Permit,
    Pop,
    Probe,
    Range,
    Search,
    Transaction,
    Write,
)
from .cost import cost
from .size import INTSET_ENTRIES, SET_ENTRIES
from .write_commands import commands_of

SCANS = frozenset(("KEYS", "SCAN", "RANDOMKEY", "SORT", "DBSIZE"))
"""Commands that examine keys that are not arguments of the command."""

_WAITING = delayed("").removeprefix("{")
"""The end of the keys of entries that wait."""

_SCRIPT = frozenset(("EVALSHA", "EVAL"))

_READS = {
    "string": ("GET", "MGET"), "counter": ("GET", "MGET"), "cache": ("GET", "MGET"), "hash": ("HGETALL", "HMGET"),
    "json": ("JSON.GET", "JSON.MGET"),
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
    "geo": ("listpack", "ziplist", "skiplist"), "json": ("raw",),
}  # fmt: skip
"""Encodings of each structure. Source: https://redis.io/docs/latest/commands/object-encoding, 2026-11-21."""


_ALWAYS_SENT = (*get_args(Write), Pop, ClaimEntries, Permit, Transaction, MemberRank, Neighbours)
"""Calls that are sent whatever their values are."""


def verify(planned: Planned[ServerTarget], events: tuple[ClientEvent, ...], returned: int) -> Iterator[str]:
    """See `Engine.verify_evidence`."""
    path = planned.access_path
    call: Call = path.call  # type: ignore[assignment]  # the type of calls in this engine's paths
    sent = [words for event in events for words in _commands(event)]
    if not events and (returned or isinstance(call, _ALWAYS_SENT)):
        yield "nothing was sent"
    yield from _names(call, sent, planned)
    yield from _trips(planned, path, events)
    yield from _slots(call, path, events)
    yield from _wrong_encodings(call, events)
    if isinstance(call, (Fetch, Probe, Range, Near)):
        yield from _directions(call, sent)
        yield from _excess(planned, path, call, events, returned)
    yield from _missing_keys(planned, path, call, events, returned)


def _commands(event: ClientEvent) -> list[list[str]]:
    commands: Any = event["commands"]
    return commands  # type: ignore[no-any-return]


def _keys(event: ClientEvent) -> list[str]:
    keys: Any = event["keys"]
    return list(dict.fromkeys(key for command_keys in keys for key in command_keys))


def _names(call: Call, sent: list[list[str]], planned: Planned[ServerTarget]) -> Iterator[str]:
    allowed = _allowed(call, planned)
    for name in dict.fromkeys(words[0].upper() for words in sent):
        if name in SCANS:
            yield f"{name} scans keys without naming them"
        elif name not in allowed:
            yield f"{name} was sent, but the path has {', '.join(sorted(allowed))}"


def _allowed(call: Call, planned: Planned[ServerTarget]) -> frozenset[str]:
    """The commands that the path may send."""
    match call:
        case Fetch() if planned.pattern.kind == "count":
            return frozenset(("EXISTS", *_READS[call.structure.kind]))
        case Fetch() | Range():
            return frozenset(_READS[call.structure.kind])
        case Probe():
            return frozenset(_PROBES[call.structure.kind])
        case Near() | Search():
            return frozenset(_searching(call))
        case CountElements(command=command):
            return frozenset((command,))
        case MemberRank(is_backward=is_backward):
            return frozenset(("ZREVRANK" if is_backward else "ZRANK",))
        case Neighbours():
            return _SCRIPT
        case Pop():
            return frozenset(("RPOP",))
        case ClaimEntries():
            return _SCRIPT | {"XACK"}
        case Permit():
            return _SCRIPT
        case Transaction(parts=parts):
            return _SCRIPT if call.is_script else frozenset(_written(parts))
        case _:
            return frozenset((*_written((call,)), *_SCRIPT))


def _searching(call: Near | Search) -> Iterator[str]:
    if isinstance(call, Near):
        yield "GEOSEARCH"
    elif call.near is None:
        yield "FT.SEARCH"
    else:
        yield from ("FT.AGGREGATE", "JSON.GET", "HGETALL")


def _written(parts: tuple[Write, ...]) -> Iterator[str]:
    for part in parts:
        yield from (words[0] for words in commands_of(part))
        if part.structure.expires_at is not None:  # an item without a time never expires
            yield from ("EXPIRE", "EXPIREAT", "PERSIST")


def _trips(planned: Planned[ServerTarget], path: AccessPath, events: tuple[ClientEvent, ...]) -> Iterator[str]:
    """Report more round trips than planned; a failed EVALSHA is not counted, because a script is loaded only once."""
    cap = cost(planned).round_trips.high
    failed = sum(1 for event in events if event.get("error"))
    # SSCAN returns a small set whole and a large one in parts of about the requested size: several calls are possible.
    is_open = isinstance(path.call, Range) and path.call.structure.kind == "set"
    if cap is not None and not is_open and len(events) - failed > cap:
        yield (
            f"{counted(len(events) - failed, 'round trip')}, {counted(cap, 'was planned', 'were planned', spec=figure)}"
        )


def _slots(call: Call, path: AccessPath, events: tuple[ClientEvent, ...]) -> Iterator[str]:
    """Report keys of one request in several slots if the server is a cluster, or if a tag promises one slot."""
    is_cluster = isinstance(call, Transaction) and call.is_cluster
    needs_one_slot = is_cluster or (not isinstance(call, Transaction) and _needs_one_slot(call))
    for event in events:
        slots: Any = event["slots"]
        if needs_one_slot and event["kind"] != "pipeline" and len(set(slots.values())) > 1:
            yield f"keys in several slots were named at once: {', '.join(slots)}"


def _needs_one_slot(call: Call) -> bool:
    keys = getattr(call, "keys", None)
    if keys is None:
        return bool(getattr(call, "is_cluster", False))
    return bool(keys.is_cluster or (not keys.filled.is_single and keys.has_one_slot))


def _wrong_encodings(call: Call, events: tuple[ClientEvent, ...]) -> Iterator[str]:
    """Report keys whose encoding belongs to another structure."""
    if isinstance(call, Transaction):
        return
    structure = call.structure
    expected = _ENCODINGS.get(structure.kind)
    if expected is None:
        return
    for event in events:
        reported: Any = event["encodings"]
        for key, encoding in reported.items():
            is_waiting = structure.due is not None and key.startswith("{") and key.endswith(_WAITING)
            allowed = _ENCODINGS["sorted set"] if is_waiting else expected
            if encoding is not None and encoding not in allowed:
                kind = "sorted set" if is_waiting else structure.kind
                yield f'"{key}" is stored as {encoding}, which is not a {kind}'


def _directions(call: Fetch | Probe | Range | Near, sent: list[list[str]]) -> Iterator[str]:
    if not isinstance(call, Range) or call.structure.kind != "sorted set":
        return
    for words in sent:
        if words[0].upper() == "ZRANGE" and ("REV" in words[4:]) != call.is_backward:
            yield f"{words[1]} was read {'forward' if call.is_backward else 'backward'}"


def _excess(
    planned: Planned[ServerTarget],
    path: AccessPath,
    call: Fetch | Probe | Range | Near,
    events: tuple[ClientEvent, ...],
    returned: int,
) -> Iterator[str]:
    """Report more elements than the page needs; the last element of the previous page may be read again."""
    limit = planned.pattern.limit if planned.pattern.kind == "read" else None
    if limit is None:
        return
    if returned > limit:
        yield f"{counted(returned, 'item was', 'items were')} returned, the limit is {limit}"
    if path.residual or not isinstance(call, Range):
        return
    allowed = max(limit + 1, SET_ENTRIES, INTSET_ENTRIES) if call.structure.kind == "set" else limit + 1
    for event in events:
        counts: Any = event["elements"]
        for words, count in zip(_commands(event), counts, strict=True):
            if count > allowed:
                yield f"{words[0]} {words[1]} answered {counted(count, 'element')}, the limit is {limit}"


def _missing_keys(
    planned: Planned[ServerTarget], path: AccessPath, call: Call, events: tuple[ClientEvent, ...], returned: int
) -> Iterator[str]:
    """Report keys that were not read although the page is not full, or although all keys are needed."""
    keys = getattr(call, "keys", None)
    if keys is None or isinstance(call, Write) or keys.filled.fan_out is None or keys.filled.fan_out == 1:
        return
    if any(slot.kind not in ("shards", "constants", "recent") for slot in keys.filled.slots if slot.count != 1):
        return  # the arguments of the call determine the number of keys
    limit = 1 if planned.pattern.kind == "get" else planned.pattern.limit
    is_full = limit is not None and returned >= limit
    needs_all = not (isinstance(call, Range) and call.merge == "walk" and is_full)
    named_keys = {key for event in events for key in _keys(event)}
    if needs_all and len(named_keys) < keys.filled.fan_out:
        yield f"{len(named_keys)} of {counted(keys.filled.fan_out, 'key was', 'keys were')} read"
