"""Cost of a call: elements examined, bytes returned, round trips, and the documented complexity."""

from typing import assert_never

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly, total
from keywright.access.path import AccessPath
from keywright.access.search import Planned

from ..schema.target import ServerTarget
from .calls import (
    Call,
    ClaimEntries,
    CountElements,
    Fetch,
    Increase,
    MemberRank,
    Near,
    Neighbours,
    Permit,
    Pop,
    Probe,
    PutItems,
    Range,
    Remove,
    Search,
    SetFields,
    Transaction,
)
from .layout import Layout, layout_of
from .size import SET_ENTRIES
from .wire import item_bytes, key_bytes
from .write_commands import commands_of

_UNIT = "elements"


def cost(planned: Planned[ServerTarget]) -> Cost:
    """See `Engine.cost`: the unit is an element, field or key that the server touches.

    A server is billed by its memory, not by calls. It executes one command at a time, so the elements of a call delay
    all other calls.
    """
    path = planned.access_path
    if planned.parts:
        return _together(planned)
    layout = layout_of(planned.target, planned.binding)
    assert layout is not None
    return _cost(layout, planned, path, path.call)  # type: ignore[arg-type]


def _cost(layout: Layout, planned: Planned[ServerTarget], path: AccessPath, call: Call) -> Cost:
    match call:
        case Fetch() | Probe():
            return _lookup(layout, planned, path, call)
        case Range():
            return _range(layout, planned, path, call)
        case Near():
            return _near(layout, planned, path)
        case Search():
            return _search(layout, planned, path, call)
        case CountElements(command=command):
            return Cost(_UNIT, exactly(path.fan_out), exactly(path.fan_out), exactly(path.fan_out),
                        partitions=path.fan_out, complexity=complexity((command,)))  # fmt: skip
        case MemberRank(is_backward=is_backward):
            command = "ZREVRANK" if is_backward else "ZRANK"
            return Cost(_UNIT, ONE, ONE, ONE, key_bytes(layout), complexity=complexity((command,)))
        case Neighbours():
            return _neighbours(layout, planned, call)
        case PutItems() | SetFields() | Increase() | Remove():
            return _write(layout, planned, path, call)
        case Pop() | ClaimEntries():
            return _take(layout, planned, call)
        case Permit():
            return _permit(call)
        case Transaction():
            raise TypeError("a transaction has parts")
        case _ as never:
            assert_never(never)


def _lookup(layout: Layout, planned: Planned[ServerTarget], path: AccessPath, call: Fetch | Probe) -> Cost:
    """Cost of items by key or member: a missing item costs as much as an existing one."""
    fan_out = path.fan_out
    if isinstance(call, Probe) and call.members is not None:
        fan_out *= call.members.fan_out or planned.pattern.limit or 1
    count = Band(1, fan_out, fan_out) if fan_out > 1 else ONE
    if isinstance(call, Fetch):
        command = _fetching(call, "read" if path.residual else planned.pattern.kind)
        size = item_bytes(layout, call.names or None)
        touched = count * (len(call.fields) or max(1, len(layout.stored))) if layout.kind == "hash" else count
    else:
        command = {"set": "SISMEMBER", "sorted set": "ZSCORE", "geo": "GEOPOS", "bitmap": "GETBIT"}[layout.kind]
        size, touched = exactly(8), count
    if planned.pattern.kind == "count" and not path.residual:
        size, touched = NOTHING, count
    returned = Band(0, count.expected, count.high)
    trips = ONE
    if _is_several(call) and planned.pattern.kind == "read" and planned.pattern.limit is not None and not call.order:
        # Reading continues until the page is full, because some of the named items may be missing.
        trips = Band(1, 1, None, frozenset(("the number of existing keys",)))
    return Cost(_UNIT, touched, count, returned, count * size, returned * size, trips, path.fan_out,
                complexity=complexity((command,)))  # fmt: skip


def _is_several(call: Fetch | Probe) -> bool:
    """Whether a call may name several items."""
    is_single = call.members.is_single if isinstance(call, Probe) and call.members else call.keys.filled.is_single
    is_single_bit = not isinstance(call, Probe) or call.bit is None or call.bit.is_single
    return not (is_single and is_single_bit and call.keys.filled.is_single)


def _fetching(call: Fetch, kind: str) -> str:
    if kind == "count":
        return "EXISTS"
    if call.structure.kind == "hash":
        return "HMGET" if call.fields else "HGETALL"
    is_many = not call.keys.filled.is_single and call.keys.can_be_named_at_once
    if call.structure.kind == "json":
        return "JSON.MGET" if is_many and not call.fields else "JSON.GET"
    return "MGET" if is_many else "GET"


def _range(layout: Layout, planned: Planned[ServerTarget], path: AccessPath, call: Range) -> Cost:
    limit = planned.pattern.limit if planned.pattern.kind == "read" else 1 if planned.pattern.kind == "get" else None
    command = {"list": "LRANGE", "stream": "XREVRANGE", "sorted set": "ZRANGE"}.get(layout.kind, "")
    command = command or ("SSCAN" if limit else "SMEMBERS")
    elements = _elements(layout)
    returned = elements if limit is None else _page(elements, limit)
    examined = returned
    if path.residual:
        examined = elements  # until the page is full or the elements end
    elif limit is not None and call.merge == "merge":
        examined = Band(0, returned.expected, limit * path.fan_out)
    elif layout.kind == "set" and limit is not None:
        examined = _page(elements, max(limit, SET_ENTRIES))  # a small set is returned whole, whatever COUNT is
    elif limit is None:
        examined = elements * path.fan_out
    size = item_bytes(layout)
    trips = ONE
    if path.residual or call.merge == "walk":
        is_open = bool(path.residual) or call.keys.filled.fan_out is None
        trips = Band(1, 1, None if is_open else path.fan_out)
    return Cost(_UNIT, examined, examined, returned, examined * size, returned * size, trips, path.fan_out,
                complexity=complexity((command,)))  # fmt: skip


def _elements(layout: Layout) -> Band:
    """Elements under one key."""
    if layout.structure.kept is not None:
        return Band(0, layout.structure.kept, layout.structure.kept)
    bound = "keep=" if layout.kind == "stream" else "max_length=" if layout.kind in ("list", "sorted set") else "limit="
    return Band(0, None, None, frozenset((f"{layout.structure.entity}: {bound}",)))


def _page(elements: Band, limit: int) -> Band:
    """Elements of one page: the limit, or fewer if the structure contains fewer."""
    page_elements = limit if elements.high is None else min(limit, elements.high)
    return Band(0, page_elements, page_elements)


def _near(layout: Layout, planned: Planned[ServerTarget], path: AccessPath) -> Cost:
    limit = planned.pattern.limit if planned.pattern.kind == "read" else None
    elements = _elements(layout)
    returned = elements if limit is None else _page(elements, limit)
    # The server examines and sorts all members within the distance, whatever the limit is.
    examined = Band(0, None, None, frozenset(("the requested distance",)))
    size = item_bytes(layout)
    return Cost(_UNIT, examined, examined, returned, examined * size, returned * size,
                complexity=complexity(("GEOSEARCH",)))  # fmt: skip


def _search(layout: Layout, planned: Planned[ServerTarget], path: AccessPath, call: Search) -> Cost:
    """Cost of a search: the server examines all items that meet the conditions, and sorts them if there is an order."""
    pattern = planned.pattern
    limit = 1 if pattern.kind == "get" else pattern.limit if pattern.kind == "read" else None
    matches = Band(0, None, None, frozenset((f"{layout.structure.entity}: items that meet the conditions",)))
    returned = ONE if call.is_count else matches if limit is None else Band(0, limit, limit)
    size = NOTHING if call.is_count else item_bytes(layout)
    is_checked = bool(path.residual or call.verified)
    several = 1 if call.near is None else 2
    trips = Band(1, several, None if is_checked or limit is None else several)
    command = "FT.SEARCH" if call.near is None else "FT.AGGREGATE"
    return Cost(_UNIT, matches, matches, returned, returned * size, returned * size, trips,
                complexity=complexity((command,)))  # fmt: skip


def _write(
    layout: Layout, planned: Planned[ServerTarget], path: AccessPath, call: PutItems | SetFields | Increase | Remove
) -> Cost:
    batch = max(1, planned.pattern.batch)
    commands = commands_of(call)
    command_names = tuple(command[0] for command in commands)
    size = _written_bytes(layout, call)
    touched = exactly(len(commands)) * batch * path.fan_out
    if layout.kind == "hash" and isinstance(call, PutItems):
        touched = exactly(max(1, len(layout.stored)) + len(commands) - 1) * batch
    is_several = isinstance(call, PutItems) and call.is_cluster
    trips = exactly(batch) if is_several else ONE
    return Cost(_UNIT, touched, touched, NOTHING, size * batch, NOTHING, trips, path.fan_out,
                complexity=complexity(command_names))  # fmt: skip


def _written_bytes(layout: Layout, call: PutItems | SetFields | Increase | Remove) -> Band:
    match call:
        case PutItems():
            return key_bytes(layout) + item_bytes(layout)
        case SetFields(sets=sets) if layout.kind in ("hash", "json"):
            changed = {name.partition(".")[0] for name in sets}  # of a part of a field, at most the bytes of the field
            stored = [attribute.stored for attribute in layout.stored if attribute.name in changed]
            return key_bytes(layout) + item_bytes(layout, stored)
        case _:
            return key_bytes(layout)


def _take(layout: Layout, planned: Planned[ServerTarget], call: Pop | ClaimEntries) -> Cost:
    commands: tuple[str, ...] = ("RPOP",)
    trips = ONE
    if isinstance(call, ClaimEntries):
        commands = ("XAUTOCLAIM", "XPENDING", "XREADGROUP", "XACK")
        trips = Band(1, 2, 3)  # the third sets unreadable entries aside
    limit = planned.pattern.limit or 1
    count, size = Band(0, limit, limit), item_bytes(layout)
    return Cost(_UNIT, count, count, count, count * size, count * size, trips, complexity=complexity(commands))


def _neighbours(layout: Layout, planned: Planned[ServerTarget], call: Neighbours) -> Cost:
    count = ("ZCOUNT",) if call.shares_ranks else ()
    if call.is_rank:
        return Cost(_UNIT, ONE, ONE, ONE, key_bytes(layout), complexity=complexity(("ZSCORE", *count)))
    members = _page(_elements(layout), planned.pattern.limit or 1)
    size = members * item_bytes(layout)
    commands = ("ZREVRANK" if call.is_backward else "ZRANK", "ZCARD", "ZRANGE", *count)
    return Cost(_UNIT, members + exactly(1 + len(count)), members, members, size, size, complexity=complexity(commands))


def _permit(call: Permit) -> Cost:
    if call.structure.window == "fixed":
        return Cost(_UNIT, ONE, ONE, ONE, complexity=complexity(("GET", "INCRBY", "EXPIRE")))
    if call.structure.window == "bucket":
        return Cost(_UNIT, ONE, ONE, ONE, complexity=complexity(("GET", "SET")))
    limit = call.structure.limit or 1
    expired = Band(0, 1, limit)  # calls that have left the window since the last call
    commands = ("ZREMRANGEBYSCORE", "ZCARD", "ZADD", "EXPIRE")
    return Cost(_UNIT, expired + exactly(3), expired, ONE, complexity=complexity(commands))


def _together(planned: Planned[ServerTarget]) -> Cost:
    costs = [cost(part) for part in planned.parts]
    names = ", ".join(dict.fromkeys(part.complexity for part in costs))
    return Cost(
        _UNIT, total([part.units for part in costs]), total([part.examined for part in costs]),
        examined_bytes=total([part.examined_bytes for part in costs]),
        partitions=sum(part.partitions for part in costs), complexity=names,
    )  # fmt: skip


COMPLEXITY = {
    "BITCOUNT": "O(N)", "DEL": "O(N)", "EXISTS": "O(N)", "EXPIRE": "O(1)", "EXPIREAT": "O(1)",
    "FT.AGGREGATE": "O(N)", "FT.SEARCH": "O(N)",
    "GEOADD": "O(log(N))",
    "GEOPOS": "O(1)", "GEOSEARCH": "O(N+log(M))", "GET": "O(1)", "GETBIT": "O(1)", "HDEL": "O(N)", "HGET": "O(1)",
    "HGETALL": "O(N)", "HINCRBY": "O(1)", "HINCRBYFLOAT": "O(1)", "HMGET": "O(N)", "HSET": "O(N)", "INCR": "O(1)",
    "INCRBY": "O(1)", "JSON.ARRAPPEND": "O(1)",
    "JSON.DEL": "O(N)", "JSON.GET": "O(N)", "JSON.MGET": "O(M*N)", "JSON.NUMINCRBY": "O(1)", "JSON.SET": "O(M+N)",
    "LLEN": "O(1)", "LPUSH": "O(1)", "LRANGE": "O(S+N)", "LREM": "O(N+M)", "LTRIM": "O(N)",
    "MGET": "O(N)", "PERSIST": "O(1)", "PFADD": "O(1)", "PFCOUNT": "O(1)", "RPOP": "O(N)", "SADD": "O(1)",
    "SCARD": "O(1)", "SET": "O(1)", "SETBIT": "O(1)", "SISMEMBER": "O(1)", "SMEMBERS": "O(N)", "SMISMEMBER": "O(N)",
    "SREM": "O(N)", "SSCAN": "O(1) for every call", "UNLINK": "O(1)", "XACK": "O(1)", "XADD": "O(1)",
    "XAUTOCLAIM": "O(1)", "XLEN": "O(1)", "XPENDING": "O(N)", "XREADGROUP": "O(M)", "XREVRANGE": "O(N)",
    "ZADD": "O(log(N))",
    "ZCARD": "O(1)", "ZCOUNT": "O(log(N))", "ZINCRBY": "O(log(N))", "ZMSCORE": "O(N)", "ZRANGE": "O(log(N)+M)",
    "ZRANK": "O(log(N))", "ZREM": "O(M*log(N))", "ZREMRANGEBYRANK": "O(log(N)+M)", "ZREMRANGEBYSCORE": "O(log(N)+M)",
    "ZREVRANK": "O(log(N))", "ZSCORE": "O(1)",
}  # fmt: skip
"""The documented complexity, by command; the page of a command explains the letters.
Source: the page of each command below https://redis.io/docs/latest/commands/, 2026-11-21."""


def complexity(commands: tuple[str, ...]) -> str:
    """The documented complexity of some commands; if there are several, each with the name of its command."""
    distinct = dict.fromkeys(commands)
    if len(distinct) == 1:
        return COMPLEXITY.get(commands[0], "")
    return ", ".join(f"{command} {COMPLEXITY[command]}" for command in distinct if command in COMPLEXITY)
