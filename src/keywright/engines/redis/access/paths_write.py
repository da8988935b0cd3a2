"""Writes: of whole items, and of numbers in place; updates and deletes have modules of their own."""

from keywright.access.path import Candidate, Rejected
from keywright.access.request import Request
from keywright.ir.attribute import Attribute, Scalar

from .calls import Increase, Put
from .held import Held, decided
from .paths_delete import delete
from .paths_read import KEYED
from .paths_update import makers_of, update
from .writing import DOCUMENT, guards_of, one_item, served, word

_NATIVE = ("string", "counter", "cache", "set", "sorted set", "geo", "bitmap")
"""Structures whose own command refuses what is there, or tells that it was."""

_NO_IDENTITY = {
    "list": "an element of a list has no key: keep the elements in a RedisSet or RedisSortedSet",
    "stream": "every entry of a stream is new: keep what must be unique in a RedisHash",
    "hyperloglog": "a HyperLogLog does not know for sure what it has counted: keep a RedisSet",
    "rate limit": "every call counts: there is nothing that could be there already",
}


def write(found: Held, asked: Request) -> Candidate:
    """How a write is served, or why it is not."""
    match asked.pattern.kind:
        case "put":
            return _put(found, asked)
        case "update":
            return update(found, asked)
        case "increment":
            return _increment(found, asked)
        case _:
            return delete(found, asked)


def _put(found: Held, asked: Request) -> Candidate:
    how = ""
    if asked.pattern.if_absent:
        if found.kind in _NO_IDENTITY:
            return Rejected(found.by, _NO_IDENTITY[found.kind])
        drawn = next((one for one in found.key.placeholders if one.shards and not one.path), None)
        if drawn is not None:
            return Rejected(
                found.by, "the shard of the key is drawn at random, so the item may be there in another one"
            )
        how = "command" if _is_native(found) and asked.pattern.batch == 1 else "script"
    tag = next((one.path for one in found.key.placeholders if one.is_tag), "")
    member = found.member.text if found.member else ""
    call = Put(found.structure, found.prefix + found.key.text, member, how, found.is_cluster, tag)  # type: ignore[arg-type]
    several = found.is_cluster and asked.pattern.batch > 1
    notes = ("items in several slots are written one after the other, each of them whole",) if several else ()
    return served(found, call, *notes)


def _is_native(found: Held) -> bool:
    """Whether one command writes the item or tells that it was there, and nothing must follow it."""
    if found.kind not in _NATIVE or found.structure.expires_at is not None:
        return False
    if found.kind in KEYED:  # SET takes the expiry too
        return True
    return found.structure.ttl_seconds is None and found.structure.kept is None


def _increment(found: Held, asked: Request) -> Candidate:
    field = asked.pattern.field or ""
    attribute = found.attribute(field)
    made = one_item(found, asked, has_member=True)
    if isinstance(made, Rejected):
        return made
    command = _adding(found, attribute)
    if isinstance(command, Rejected):
        return command
    assert attribute is not None
    if made_of := next((name for name, makers in makers_of(found) if field in makers), None):
        return Rejected(found.by, f'"{made_of}" is made of "{field}", which nothing keeps in step: update both')
    keys, member = made
    guards = guards_of(found, asked, (*decided(found, keys.filled), *decided(found, member)))
    if isinstance(guards, Rejected):
        return guards
    is_whole = word(attribute) == "integer"
    call = Increase(found.structure, keys, member, attribute.stored, command, is_whole, guards)  # type: ignore[arg-type]
    notes: tuple[str, ...] = () if is_whole else ("added in binary floating point, not to the last digit",)
    if call.must_exist:
        notes += ("one script, as HINCRBY would make half an item where there is none",)
    elif not guards:
        notes += (f"begins at 0 where there is no {'member' if member else 'key'}",)
    return served(found, call, *notes)


def _adding(found: Held, attribute: Attribute | None) -> str | Rejected:
    if attribute is None or not isinstance(attribute.type, Scalar):
        return Rejected(found.by, "only a number of the item itself is incremented")
    kind, name = attribute.type.kind, attribute.name
    if kind == "decimal":
        return Rejected(found.by, f'"{name}" is decimal, and Redis adds in floating point: keep whole cents in an int')
    if found.kind == "hash" and any(one.name == name for one in found.stored):
        return "HINCRBY" if kind == "integer" else "HINCRBYFLOAT"
    if name == found.value and found.kind == "sorted set":
        return "ZINCRBY"
    if name == found.value and found.kind in ("counter", "string") and kind == "integer":
        return "INCRBY"
    if found.kind in ("string", "cache") and found.value is None:
        return Rejected(found.by, DOCUMENT)
    return Rejected(found.by, f'"{name}" is no number that a {found.kind} adds to: use a RedisCounter or RedisHash')
