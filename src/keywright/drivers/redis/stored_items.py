"""Stored items of a Redis server, in the form in which `runtime` makes items."""

import json
import time
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.redis.schema.delayed_entry import fields_of
from keywright.engines.redis.schema.item import GeoMember, RedisItem, Scored, Text, milliseconds
from keywright.engines.redis.schema.layout import bucket_key, delayed
from keywright.record import replace


def stored(client: Any, item: RedisItem) -> RedisItem | None:
    """The stored item under the same key, member or field; None if there is none.

    client: a client that does not decode answers. Elements of a list are found by their text, and entries of a stream
    by their fields; the latest such entry is returned. A HyperLogLog reports that the member, or members with the same
    effect, have been counted; a rate limit that calls have been counted.
    """
    if item.structure.kind == "rate limit":
        return item if _has_calls(client, item) else None
    value = _value(client, item)
    if value is None:
        return None
    return replace(item, value=value, expires_at=_expiry(client, item))


_COUNTED = """\
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('COPY', KEYS[1], KEYS[2])
local is_new = redis.call('PFADD', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[2])
return 1 - is_new
"""
"""Whether one more member leaves a HyperLogLog unchanged; tested on a copy, which is deleted at once."""


def _has_calls(client: Any, item: RedisItem) -> bool:
    """Whether calls are counted; for a fixed window, in the current one; for a bucket, whether tokens are missing."""
    structure = item.structure
    key = f"{item.key}:{int(time.time()) // (structure.per_seconds or 1)}" if structure.window == "fixed" else item.key
    return bool(client.execute_command("EXISTS", bucket_key(key) if structure.window == "bucket" else key))


def _expiry(client: Any, item: RedisItem) -> int | None:
    if item.structure.expires_at is None:
        return None
    epoch_second = int(client.execute_command("EXPIRETIME", item.key))
    return epoch_second if epoch_second >= 0 else None


def _value(client: Any, item: RedisItem) -> Any:
    key = item.key
    match item.structure.kind, item.value:
        case "counter", int():
            answer = client.execute_command("GET", key)
            return None if answer is None else int(answer)
        case (("string" | "cache"), _):
            return _like(item.value, client.execute_command("GET", key))
        case "json", _:
            answer = client.execute_command("JSON.GET", key)
            return None if answer is None else json.loads(answer)
        case "hash", dict(fields):
            return _fields(fields, client.execute_command("HGETALL", key))
        case "set", member:
            return member if client.execute_command("SISMEMBER", key, member) else None
        case "sorted set", Scored(member=member):
            score = client.execute_command("ZSCORE", key, member)
            return None if score is None else Scored(member, float(score))
        case "geo", GeoMember(member=member):
            (position,) = client.execute_command("GEOPOS", key, member)
            return None if position is None else _place(item.value, float(position[0]), float(position[1]))
        case "bitmap", bit:
            return bit if client.execute_command("GETBIT", key, bit) else None
        case "hyperloglog", member:
            return member if client.eval(_COUNTED, 2, key, f"{key}:counted", member) else None
        case "list", element:
            position = client.execute_command("LPOS", key, element)
            return None if position is None else element
        case "stream", dict(fields):
            entry_fields = _entry(client, key, fields)
            return _waiting(client, item, fields) if entry_fields is None else entry_fields
        case _:
            return None


def _place(member: GeoMember, longitude: float, latitude: float) -> GeoMember:
    """The expected place if the server stores its cell of the globe, which is the server's precision.

    Source of the width of cells: https://redis.io/docs/latest/commands/geoadd, 26 bits each, 2026-11-21.
    """
    is_near = abs(member.longitude - longitude) <= 360 / 2**26 and abs(member.latitude - latitude) <= 180 / 2**26
    return member if is_near else GeoMember(member.member, longitude, latitude)


def _entry(client: Any, key: str, expected: dict[str, Text]) -> dict[str, Text] | None:
    """The fields of the latest entry with the expected fields."""
    last = "+"
    while entries := client.execute_command("XREVRANGE", key, last, "-", "COUNT", 1_000):
        for id, fields in entries:
            if (entry_fields := _fields(expected, fields)) == expected:
                return entry_fields
            last = f"({id.decode()}"
    return None


def _waiting(client: Any, item: RedisItem, expected: dict[str, Text]) -> dict[str, Text] | None:
    """The fields of an entry that waits, with the expected fields."""
    if item.due_at is None:
        return None
    due = milliseconds(item.due_at)
    members = client.execute_command("ZRANGEBYSCORE", delayed(item.key), due, due)
    return next((fields for each in members if (fields := _fields(expected, fields_of(each))) == expected), None)


def _fields(expected: dict[str, Text], answer: dict[bytes, bytes]) -> dict[str, Text] | None:
    if not answer:
        return None
    if answer == {VERSION.encode(): b"1"} and VERSION not in expected:
        return {}  # a hash or entry needs a field, so the version is the placeholder of an empty one
    fields = {name.decode(): value for name, value in answer.items()}
    return {name: _like(expected.get(name), value) for name, value in fields.items()}  # type: ignore[misc]


def _like(expected: Any, answer: bytes | None) -> Text | None:
    """The answer as text; as bytes if the item has bytes, or if the answer is no text."""
    if answer is None or isinstance(expected, bytes):
        return answer
    try:
        return answer.decode("utf-8")
    except UnicodeDecodeError:
        return answer
