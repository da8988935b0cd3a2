"""What a Redis server holds where an item would be, in the form in which `runtime` makes items."""

import time
from dataclasses import replace
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.redis.item import Item, Place, Scored, Text


def stored(asking: Any, item: Item) -> Item | None:
    """The item under the same key, member or field; None if there is none.

    asking: a client that does not decode answers. Elements of a list are found by their text, entries of a stream by
    their fields, of which the latest counts. A HyperLogLog tells that a member has been counted, or others that look
    the same to it; a rate limit that there have been calls.
    """
    if item.structure.kind == "rate limit":
        return item if _has_calls(asking, item) else None
    value = _value(asking, item)
    if value is None:
        return None
    return replace(item, value=value, expires_at=_expiry(asking, item))


_COUNTED = """\
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('COPY', KEYS[1], KEYS[2])
local is_new = redis.call('PFADD', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[2])
return 1 - is_new
"""
"""Whether a HyperLogLog would not change by one more member; tried on a copy, which is gone at once."""


def _has_calls(asking: Any, item: Item) -> bool:
    """Whether calls are counted: in a fixed window, in the present one."""
    structure = item.structure
    window = f":{int(time.time()) // (structure.per_seconds or 1)}" if structure.window == "fixed" else ""
    return bool(asking.execute_command("EXISTS", item.key + window))


def _expiry(asking: Any, item: Item) -> int | None:
    if item.structure.expires_at is None:
        return None
    at = int(asking.execute_command("EXPIRETIME", item.key))
    return at if at >= 0 else None


def _value(asking: Any, item: Item) -> Any:
    key = item.key
    match item.structure.kind, item.value:
        case "counter", int():
            found = asking.execute_command("GET", key)
            return None if found is None else int(found)
        case (("string" | "cache"), _):
            return _like(item.value, asking.execute_command("GET", key))
        case "hash", dict(wanted):
            return _fields(wanted, asking.execute_command("HGETALL", key))
        case "set", member:
            return member if asking.execute_command("SISMEMBER", key, member) else None
        case "sorted set", Scored(member=member):
            score = asking.execute_command("ZSCORE", key, member)
            return None if score is None else Scored(member, float(score))
        case "geo", Place(member=member):
            (at,) = asking.execute_command("GEOPOS", key, member)
            return None if at is None else _place(item.value, float(at[0]), float(at[1]))
        case "bitmap", bit:
            return bit if asking.execute_command("GETBIT", key, bit) else None
        case "hyperloglog", member:
            return member if asking.eval(_COUNTED, 2, key, f"{key}:counted", member) else None
        case "list", element:
            at = asking.execute_command("LPOS", key, element)
            return None if at is None else element
        case "stream", dict(wanted):
            return _entry(asking, key, wanted)
        case _:
            return None


def _place(wanted: Place, longitude: float, latitude: float) -> Place:
    """The place that was wanted, if the server holds the cell of the globe that it is in: it keeps nothing finer.

    Source of the width of cells: https://redis.io/docs/latest/commands/geoadd, 26 bits each, 2026-11-21.
    """
    is_near = abs(wanted.longitude - longitude) <= 360 / 2**26 and abs(wanted.latitude - latitude) <= 180 / 2**26
    return wanted if is_near else Place(wanted.member, longitude, latitude)


def _entry(asking: Any, key: str, wanted: dict[str, Text]) -> dict[str, Text] | None:
    """The fields of the latest entry that has the same ones."""
    last = "+"
    while entries := asking.execute_command("XREVRANGE", key, last, "-", "COUNT", 1_000):
        for id, fields in entries:
            if (found := _fields(wanted, fields)) == wanted:
                return found
            last = f"({id.decode()}"
    return None


def _fields(wanted: dict[str, Text], found: dict[bytes, bytes]) -> dict[str, Text] | None:
    if not found:
        return None
    if found == {VERSION.encode(): b"1"} and VERSION not in wanted:
        return {}  # a hash or entry without fields cannot be, so its version stands in
    named = {name.decode(): value for name, value in found.items()}
    return {name: _like(wanted.get(name), value) for name, value in named.items()}  # type: ignore[misc]


def _like(wanted: Any, found: bytes | None) -> Text | None:
    """What was found as text, or as bytes where the item has bytes, or where it is no text."""
    if found is None or isinstance(wanted, bytes):
        return found
    try:
        return found.decode("utf-8")
    except UnicodeDecodeError:
        return found
