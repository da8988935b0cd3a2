"""One instance as Redis holds it, and the commands that write it."""

from dataclasses import dataclass
from typing import TypeAlias
from uuid import uuid4

from keywright.declare.store import VERSION

from .target import StructureTarget

Text: TypeAlias = str | bytes
"""What Redis keeps: text is UTF-8."""

Argument: TypeAlias = str | bytes | int | float
"""One word of a command."""

Command: TypeAlias = tuple[Argument, ...]
"""A command, word by word, as clients take it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A member on the globe."""

    member: Text
    """The member."""
    longitude: float
    """Degrees east."""
    latitude: float
    """Degrees north."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A member with what orders it."""

    member: Text
    """The member."""
    score: float
    """A number, or seconds since 1970."""


Value: TypeAlias = Text | int | dict[str, Text] | Scored | Place | None
"""What stands at a key for one instance.

Text of a string, an element or a member; an int for a counter or the number of a bit; fields of a hash or an entry;
nothing for a call that a rate limit counts.
"""


@dataclass(frozen=True, slots=True)
class Item:
    """One instance."""

    structure: StructureTarget
    """What it is part of."""
    key: str
    """Its key."""
    value: Value
    """What stands there."""
    expires_at: int | None = None
    """Epoch second at which the key goes, if the instance says one."""


def commands(item: Item, now: float) -> tuple[Command, ...]:
    """The commands that write an item, to be run as one transaction.

    now: seconds since 1970; streams that reach back so long, and rate limits, need it.
    """
    written = _commands(item, now)
    structure = item.structure
    if structure.kind == "rate limit":
        return written
    if item.expires_at is not None:
        return (*written, ("EXPIREAT", item.key, item.expires_at))
    if structure.ttl_seconds is not None:
        return (*written, ("EXPIRE", item.key, structure.ttl_seconds))
    return written


def _commands(item: Item, now: float) -> tuple[Command, ...]:
    key, value, structure = item.key, item.value, item.structure
    match structure.kind, value:
        case "string" | "counter" | "cache", str() | bytes() | int():
            return (("SET", key, value),)
        case "hash", dict():
            # Fields of an older version must not stay: a put replaces, as in every other store.
            return (("DEL", key), ("HSET", key, *_flat(value)))
        case "stream", dict():
            return (("XADD", key, *_trimming(structure, now), "*", *_flat(value)),)
        case "list", str() | bytes():
            kept = structure.kept
            return (("LPUSH", key, value), *((("LTRIM", key, 0, kept - 1),) if kept else ()))
        case "set", str() | bytes():
            return (("SADD", key, value),)
        case "sorted set", Scored():
            kept = structure.kept
            trim: tuple[Command, ...] = (("ZREMRANGEBYRANK", key, 0, -kept - 1),) if kept else ()
            return (("ZADD", key, repr(value.score), value.member), *trim)
        case "bitmap", int():
            return (("SETBIT", key, value, 1),)
        case "hyperloglog", str() | bytes():
            return (("PFADD", key, value),)
        case "geo", Place():
            return (("GEOADD", key, repr(value.longitude), repr(value.latitude), value.member),)
        case "rate limit", None:
            return _call(structure, key, now)
    raise TypeError(f"a {structure.kind} holds no {type(value).__name__}")


def _flat(fields: dict[str, Text]) -> Command:
    """Names and values in turn; a hash or entry without any field cannot be, so one with the version stands in."""
    return tuple(word for pair in (fields or {VERSION: "1"}).items() for word in pair)


def _trimming(structure: StructureTarget, now: float) -> Command:
    """About as many entries as are kept: whole nodes go, which costs nearly nothing."""
    if structure.kept is not None:
        return ("MAXLEN", "~", structure.kept)
    if structure.kept_seconds is not None:
        return ("MINID", "~", int((now - structure.kept_seconds) * 1000))
    return ()


def _call(structure: StructureTarget, key: str, now: float) -> tuple[Command, ...]:
    """One counted call: a member of its own in a sliding window, an increment in a fixed one."""
    per = structure.per_seconds or 1
    if structure.window == "fixed":
        window = f"{key}:{int(now) // per}"
        return (("INCR", window), ("EXPIRE", window, 2 * per))
    return (
        ("ZREMRANGEBYSCORE", key, "-inf", repr(now - per)),
        ("ZADD", key, repr(now), f"{now:.6f}-{uuid4().hex}"),
        ("EXPIRE", key, per),
    )
