"""What a call costs: elements looked at, bytes answered, round trips, and the documented complexity."""

from typing import assert_never

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly, total
from keywright.access.path import AccessPath
from keywright.access.search import Planned

from ..target import ServerTarget
from .calls import (
    Call,
    Change,
    Claim,
    Fetch,
    Increase,
    Near,
    Permit,
    Pop,
    Probe,
    Put,
    Range,
    Rank,
    Remove,
    Size,
    Together,
)
from .complexity import complexity
from .held import Held, held
from .size import SET_ENTRIES, item_bytes, key_bytes
from .written import commands_of

_UNIT = "elements"


def cost(planned: Planned[ServerTarget]) -> Cost:
    """See `Engine.cost`: the unit is an element, field or key that the server touches.

    A server is paid by its memory, not by calls, and works on one at a time: what a call touches is what it takes from
    all others.
    """
    path = planned.path
    assert isinstance(path, AccessPath)
    if planned.parts:
        return _together(planned)
    found = held(planned.target, planned.binding)
    assert found is not None
    return _cost(found, planned, path, path.call)  # type: ignore[arg-type]


def _cost(found: Held, planned: Planned[ServerTarget], path: AccessPath, call: Call) -> Cost:
    match call:
        case Fetch() | Probe():
            return _named(found, planned, path, call)
        case Range():
            return _range(found, planned, path, call)
        case Near():
            return _near(found, planned, path)
        case Size(command=command):
            return Cost(_UNIT, exactly(path.fan_out), exactly(path.fan_out), exactly(path.fan_out),
                        partitions=path.fan_out, complexity=complexity((command,)))  # fmt: skip
        case Rank(is_backward=is_backward):
            words = "ZREVRANK" if is_backward else "ZRANK"
            return Cost(_UNIT, ONE, ONE, ONE, key_bytes(found), complexity=complexity((words,)))
        case Put() | Change() | Increase() | Remove():
            return _write(found, planned, path, call)
        case Pop():
            return _taken(found, planned, ("RPOP",), ONE)
        case Claim():
            return _taken(found, planned, ("XAUTOCLAIM", "XREADGROUP", "XACK"), Band(2, 3, 3))
        case Permit():
            return _permit(call)
        case Together():
            raise TypeError("a transaction has parts")
        case _ as never:
            assert_never(never)


def _named(found: Held, planned: Planned[ServerTarget], path: AccessPath, call: Fetch | Probe) -> Cost:
    """Items by their keys or names: each costs the same, there or not."""
    asked = path.fan_out
    if isinstance(call, Probe) and call.members is not None:
        asked *= call.members.fan_out or planned.pattern.limit or 1
    count = Band(1, asked, asked) if asked > 1 else ONE
    if isinstance(call, Fetch):
        words = _fetching(call, "read" if path.residual else planned.pattern.kind)
        size = item_bytes(found, call.fields or None)
        touched = count * (len(call.fields) or max(1, len(found.stored))) if found.kind == "hash" else count
    else:
        words = {"set": "SISMEMBER", "sorted set": "ZSCORE", "geo": "GEOPOS", "bitmap": "GETBIT"}[found.kind]
        size, touched = exactly(8), count
    if planned.pattern.kind == "count" and not path.residual:
        size, touched = NOTHING, count
    returned = Band(0, count.expected, count.high)
    trips = ONE
    if _is_several(call) and planned.pattern.kind == "read" and planned.pattern.limit is not None and not call.order:
        # A page goes on until it is full: some of what is named may not be there.
        trips = Band(1, 1, None, frozenset(("how many of the keys are there",)))
    return Cost(_UNIT, touched, count, returned, count * size, returned * size, trips, path.fan_out,
                complexity=complexity((words,)))  # fmt: skip


def _is_several(call: Fetch | Probe) -> bool:
    """Whether a call may name more than one."""
    is_one = call.members.is_single if isinstance(call, Probe) and call.members else call.keys.filled.is_single
    is_one_bit = not isinstance(call, Probe) or call.bit is None or call.bit.is_single
    return not (is_one and is_one_bit and call.keys.filled.is_single)


def _fetching(call: Fetch, kind: str) -> str:
    if kind == "count":
        return "EXISTS"
    if call.structure.kind == "hash":
        return "HMGET" if call.fields else "HGETALL"
    return "MGET" if not call.keys.filled.is_single and call.keys.can_be_named_at_once else "GET"


def _range(found: Held, planned: Planned[ServerTarget], path: AccessPath, call: Range) -> Cost:
    limit = planned.pattern.limit if planned.pattern.kind == "read" else 1 if planned.pattern.kind == "get" else None
    words = {"list": "LRANGE", "stream": "XREVRANGE", "sorted set": "ZRANGE"}.get(found.kind, "")
    words = words or ("SSCAN" if limit else "SMEMBERS")
    there = _elements(found)
    returned = there if limit is None else _page(there, limit)
    read = returned
    if path.residual:
        read = there  # until the page is full, or the end
    elif limit is not None and call.merge == "merge":
        read = Band(0, returned.expected, limit * path.fan_out)
    elif found.kind == "set" and limit is not None:
        read = _page(there, max(limit, SET_ENTRIES))  # a small set is answered whole, whatever COUNT says
    elif limit is None:
        read = there * path.fan_out
    size = item_bytes(found)
    trips = ONE
    if path.residual or call.merge == "walk":
        is_open = bool(path.residual) or call.keys.filled.fan_out is None
        trips = Band(1, 1, None if is_open else path.fan_out)
    return Cost(_UNIT, read, read, returned, read * size, returned * size, trips, path.fan_out,
                complexity=complexity((words,)))  # fmt: skip


def _elements(found: Held) -> Band:
    """Elements under one key."""
    if found.structure.kept is not None:
        return Band(0, found.structure.kept, found.structure.kept)
    bound = "keep=" if found.kind == "stream" else "max_length=" if found.kind in ("list", "sorted set") else "limit="
    return Band(0, None, None, frozenset((f"{found.structure.entity}: {bound}",)))


def _page(there: Band, limit: int) -> Band:
    """Elements of one page: as many as are wanted, where there are so many."""
    most = limit if there.high is None else min(limit, there.high)
    return Band(0, most, most)


def _near(found: Held, planned: Planned[ServerTarget], path: AccessPath) -> Cost:
    limit = planned.pattern.limit if planned.pattern.kind == "read" else None
    there = _elements(found)
    returned = there if limit is None else _page(there, limit)
    # All within the distance are looked at and put in order, however few are wanted.
    examined = Band(0, None, None, frozenset(("the distance that is asked for",)))
    size = item_bytes(found)
    return Cost(_UNIT, examined, examined, returned, examined * size, returned * size,
                complexity=complexity(("GEOSEARCH",)))  # fmt: skip


def _write(
    found: Held, planned: Planned[ServerTarget], path: AccessPath, call: Put | Change | Increase | Remove
) -> Cost:
    batch = max(1, planned.pattern.batch)
    commands = commands_of(call)
    names = tuple(words[0] for words in commands)
    size = _written_bytes(found, call)
    touched = exactly(len(commands)) * batch * path.fan_out
    if found.kind == "hash" and isinstance(call, Put):
        touched = exactly(max(1, len(found.stored)) + len(commands) - 1) * batch
    is_several = isinstance(call, Put) and call.is_cluster
    trips = exactly(batch) if is_several else ONE
    return Cost(_UNIT, touched, touched, NOTHING, size * batch, NOTHING, trips, path.fan_out,
                complexity=complexity(names))  # fmt: skip


def _written_bytes(found: Held, call: Put | Change | Increase | Remove) -> Band:
    match call:
        case Put():
            return key_bytes(found) + item_bytes(found)
        case Change(sets=sets) if found.kind == "hash":
            stored = [one.stored for one in found.stored if one.name in sets]
            return key_bytes(found) + item_bytes(found, stored)
        case _:
            return key_bytes(found)


def _taken(found: Held, planned: Planned[ServerTarget], words: tuple[str, ...], trips: Band) -> Cost:
    limit = planned.pattern.limit or 1
    taken, size = Band(0, limit, limit), item_bytes(found)
    return Cost(_UNIT, taken, taken, taken, taken * size, taken * size, trips, complexity=complexity(words))


def _permit(call: Permit) -> Cost:
    if call.structure.window == "fixed":
        return Cost(_UNIT, ONE, ONE, ONE, complexity=complexity(("GET", "INCRBY", "EXPIRE")))
    most = call.structure.limit or 1
    gone = Band(0, 1, most)  # what has left the window since the last call
    words = ("ZREMRANGEBYSCORE", "ZCARD", "ZADD", "EXPIRE")
    return Cost(_UNIT, gone + exactly(3), gone, ONE, complexity=complexity(words))


def _together(planned: Planned[ServerTarget]) -> Cost:
    costs = [cost(part) for part in planned.parts]
    names = ", ".join(dict.fromkeys(one.complexity for one in costs))
    return Cost(
        _UNIT, total([one.units for one in costs]), total([one.examined for one in costs]),
        examined_bytes=total([one.examined_bytes for one in costs]), partitions=sum(one.partitions for one in costs),
        complexity=names,
    )  # fmt: skip
