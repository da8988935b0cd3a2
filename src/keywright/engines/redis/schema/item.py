"""One instance in the form in which Redis stores it, and the commands that write it."""

from json import dumps
from math import ceil
from typing import Any, TypeAlias
from uuid import uuid4

from keywright.declare.store import VERSION
from keywright.record import Record

from .delayed_entry import entry
from .layout import delayed
from .target import StructureTarget

Text: TypeAlias = str | bytes
"""Stored text or bytes; text is UTF-8."""

Argument: TypeAlias = str | bytes | int | float
"""One word of a command."""

RedisCommand: TypeAlias = tuple[Argument, ...]
"""A command, word by word, in the form that clients accept."""


class GeoMember(Record):
    """A member with its place on the globe."""

    member: Text
    """The member."""
    longitude: float
    """Degrees east."""
    latitude: float
    """Degrees north."""


class Scored(Record):
    """A member with its score."""

    member: Text
    """The member."""
    score: float
    """A number, or seconds since 1970."""


RedisValue: TypeAlias = Text | int | dict[str, Any] | Scored | GeoMember | None
"""The value of one instance.

Text of a string, an element or a member; an int for a counter or the number of a bit; fields of a hash, an entry or a
JSON document; None for a call that a rate limit counts.
"""


class RedisItem(Record):
    """One instance."""

    structure: StructureTarget
    """Structure that contains the instance."""
    key: str
    """Key of the structure."""
    value: RedisValue
    """Value of the instance."""
    expires_at: int | None = None
    """Epoch second at which the key expires, if the instance has one."""
    due_at: float | None = None
    """Epoch seconds until which an entry of a stream waits, if the instance has such a time."""


def commands(item: RedisItem, now: float) -> tuple[RedisCommand, ...]:
    """The commands that write an item, to be run as one transaction.

    now: seconds since 1970, for rate limits and for streams that keep entries for a time.
    """
    structure = item.structure
    item_commands = _document(item) if structure.kind == "json" else _commands(item, now)
    if structure.kind == "rate limit":
        return item_commands
    if item.expires_at is not None:
        return (*item_commands, ("EXPIREAT", item.key, item.expires_at))
    if structure.ttl_seconds is not None:
        return (*item_commands, ("EXPIRE", item.key, structure.ttl_seconds))
    # JSON.SET keeps the expiry of the document that it replaces, as SET does not.
    return (*item_commands, ("PERSIST", item.key)) if structure.kind == "json" else item_commands


def _document(item: RedisItem) -> tuple[RedisCommand, ...]:
    return (("JSON.SET", item.key, "$", dumps(item.value, separators=(",", ":"), ensure_ascii=False)),)


def _commands(item: RedisItem, now: float) -> tuple[RedisCommand, ...]:
    key, value, structure = item.key, item.value, item.structure
    match structure.kind, value:
        case "string" | "counter" | "cache", str() | bytes() | int():
            return (("SET", key, value),)
        case "hash", dict():
            # DEL removes fields of an older version: a put replaces the item, as in every other store.
            return (("DEL", key), ("HSET", key, *_flat(value)))
        case "stream", dict() if item.due_at is not None and item.due_at > now:
            member = entry(uuid4().hex, value or _PLACEHOLDER)
            return (("ZADD", delayed(key), milliseconds(item.due_at), member),)
        case "stream", dict():
            return (("XADD", key, *_trimming(structure, now), "*", *_flat(value)),)
        case "list", str() | bytes():
            bound = structure.kept
            return (("LPUSH", key, value), *((("LTRIM", key, 0, bound - 1),) if bound else ()))
        case "set", str() | bytes():
            return (("SADD", key, value),)
        case "sorted set", Scored():
            bound = structure.kept
            trim: tuple[RedisCommand, ...] = (("ZREMRANGEBYRANK", key, 0, -bound - 1),) if bound else ()
            return (("ZADD", key, repr(value.score), value.member), *trim)
        case "bitmap", int():
            return (("SETBIT", key, value, 1),)
        case "hyperloglog", str() | bytes():
            return (("PFADD", key, value),)
        case "geo", GeoMember():
            return (("GEOADD", key, repr(value.longitude), repr(value.latitude), value.member),)
        case "rate limit", None:
            return _call(structure, key, now)
    raise TypeError(f"a {structure.kind} cannot contain a {type(value).__name__}")


def milliseconds(due_at: float) -> int:
    """The score of an entry that waits: the first whole millisecond since 1970 that is not too early."""
    return ceil(due_at * 1000)


def _flat(fields: dict[str, Text]) -> RedisCommand:
    """Names and values in turn; a hash or entry needs a field, so the version is the placeholder of an empty one."""
    return tuple(word for pair in (fields or _PLACEHOLDER).items() for word in pair)


_PLACEHOLDER: dict[str, Text] = {VERSION: "1"}


def _trimming(structure: StructureTarget, now: float) -> RedisCommand:
    """Options that trim to about the bound: only whole nodes are removed, which costs almost nothing."""
    if structure.kept is not None:
        return ("MAXLEN", "~", structure.kept)
    if structure.kept_seconds is not None:
        return ("MINID", "~", int((now - structure.kept_seconds) * 1000))
    return ()


def _call(structure: StructureTarget, key: str, now: float) -> tuple[RedisCommand, ...]:
    """Commands that count one call: a unique member in a sliding window, an increment in a fixed window.

    None for a bucket, whose number depends on the earlier one: only a script can take a token.
    """
    per = structure.per_seconds or 1
    if structure.window == "bucket":
        return ()
    if structure.window == "fixed":
        window = f"{key}:{int(now) // per}"
        return (("INCR", window), ("EXPIRE", window, 2 * per))
    return (
        ("ZREMRANGEBYSCORE", key, "-inf", repr(now - per)),
        ("ZADD", key, repr(now), f"{now:.6f}-{uuid4().hex}"),
        ("EXPIRE", key, per),
    )
