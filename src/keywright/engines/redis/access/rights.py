"""The commands that a call sends, its scripts included, each with a glob of the key that it names."""

from collections.abc import Iterator
from typing import TypeAlias

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element

from ..declare.options import Structure
from ..schema.layout import bucket_key, dead_letters, delayed
from ..schema.target import ServerTarget, StructureTarget
from ..schema.users import glob
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
    Write,
)
from .write_commands import commands_of

Sent: TypeAlias = Iterator[tuple[str, str]]
"""(command in small letters, glob of its key; empty for a command without a key)."""

_EXISTENCE = {"set": "sismember", "bitmap": "getbit", "sorted set": "zscore", "geo": "zscore"}
"""The command that finds an item in a structure; keys are found by EXISTS."""

_SOURCES = {"hash": "hget", "string": "get", "sorted set": "zscore", "json": "json.get"}
"""The command that reads a value for a condition."""

_PROBES = {
    "set": ("sismember", "smismember"), "sorted set": ("zscore", "zmscore"), "geo": ("geopos",), "bitmap": ("getbit",),
}  # fmt: skip

_AT_ONCE = (("multi", ""), ("exec", ""))
_CLAIM = ("xautoclaim", "xpending", "xadd", "xack", "xreadgroup", "xclaim", "xrange")
_PERMIT = {
    "fixed": ("get", "incrby", "expire"), "bucket": ("time", "get", "set"),
    "sliding": ("time", "zremrangebyscore", "zcard", "zadd", "expire"),
}  # fmt: skip


def sent_by(planned: Planned[ServerTarget]) -> Sent:
    """Every command of a served pattern, whichever form a call of it takes: one item or several, with and without keys
    in one slot, with the text of a script or with its digest."""
    path = planned.access_path
    call: Call = path.call  # type: ignore[assignment]  # the type of calls in this engine's paths
    match call:
        case Transaction():
            yield from _together(call, planned)
        case PutItems() | SetFields() | Increase() | Remove():
            yield from _written(call, planned.binding)
        case ClaimEntries() | Permit() | Pop() | Neighbours():
            yield from _taken(call)
        case Search():
            yield "ft.search", ""
        case _:
            yield from _read(call, path, planned.pattern.kind)


def _read(call: Fetch | Probe | Range | Near | CountElements | MemberRank, path: AccessPath, kind: str) -> Sent:
    key = glob(call.keys.text)
    match call:
        case Fetch():
            commands = _fetched(call, is_count=kind == "count" and not path.residual)
        case Probe(members=members):
            single, *several = _PROBES[call.structure.kind]
            is_single = members is None or members.is_single
            commands = (single,) if is_single else (single, *several)
        case Range():
            commands = {"list": ("lrange",), "set": ("smembers", "sscan"), "stream": ("xrevrange",)}.get(
                call.structure.kind, ("zrange",)
            )
        case Near():
            commands = ("geosearch",)
        case CountElements(command=command):
            commands = (command.lower(),)
        case MemberRank(is_backward=is_backward):
            commands = ("zrevrank" if is_backward else "zrank",)
    yield from ((command, key) for command in commands)


def _fetched(call: Fetch, *, is_count: bool) -> tuple[str, ...]:
    if is_count:
        return ("exists",)
    if call.structure.kind == "hash":
        return ("hmget",) if call.fields else ("hgetall",)
    single, several = ("json.get", "json.mget") if call.structure.kind == "json" else ("get", "mget")
    return (single,) if call.keys.filled.is_single else (single, several)


def _taken(call: ClaimEntries | Permit | Pop | Neighbours) -> Sent:
    key = glob(call.keys.text)
    match call:
        case Pop():
            yield "rpop", key
        case Neighbours(is_backward=is_backward, shares_ranks=shares_ranks):
            shared = ("zcount",) if shares_ranks else ()
            yield from _script(key, "zrevrank" if is_backward else "zrank", "zcard", "zrange", *shared)
        case Permit(structure=structure):
            keys = {"fixed": f"{key}:*", "bucket": bucket_key(key)}
            yield from _script(keys.get(structure.window or "", key), *_PERMIT[structure.window or "sliding"])
        case ClaimEntries(structure=structure):
            yield from _script(key, *_CLAIM)
            yield from _script(dead_letters(key), "xadd")
            if structure.due:
                yield from _script(delayed(key), "zrangebyscore", "zrem")
                yield "time", ""


def _written(call: Write, binding: Binding[Structure], *, is_part: bool = False) -> Sent:
    """The commands of a write; a put of several items, and a delete under several keys, is a transaction."""
    key, commands = glob(_key(call)), list(_commands(call))
    yield from commands
    conditions = tuple(_conditions(call, binding, is_part=is_part))
    if conditions:
        yield from _script(key, *conditions)
    if isinstance(call, SetFields):
        yield from ((command, key) for command in _beside(call, binding))
    is_several = isinstance(call, PutItems) or (isinstance(call, Remove) and not call.keys.filled.is_single)
    if not is_part and not conditions and (is_several or len(commands) > 1):
        yield from _AT_ONCE


def _beside(call: SetFields, binding: Binding[Structure]) -> Iterator[str]:
    """The commands of an update for values that are None, and for a hash that could lose its last field."""
    if call.may_empty:
        yield "hlen"
    nullable = {attribute.name for attribute in binding.entity.attributes if attribute.is_nullable}
    if call.structure.kind == "hash" and (call.may_empty or nullable & {*call.sets}):
        yield "hdel"
    if call.structure.expires_at in {*call.unset, *(nullable & {*call.sets})}:
        yield "persist"


def _key(call: Write) -> str:
    return call.key if isinstance(call, PutItems) else call.keys.text


def _commands(call: Write) -> Sent:
    """The commands of a write without those of its conditions."""
    text = _key(call)
    key = glob(text)
    keys = {text: key, f"{text}::window": f"{key}:*", delayed(text): delayed(key)}
    yield from ((name.lower(), keys[word]) for name, word, *_ in commands_of(call, alone=False))


def _conditions(call: Write, binding: Binding[Structure], *, is_part: bool) -> Iterator[str]:
    """The commands with which the script of a write reads what its conditions need."""
    structure = call.structure
    match call:
        case PutItems():
            if call.if_absent:
                yield _EXISTENCE.get(structure.kind, "exists")
            return
        case SetFields():
            yield _EXISTENCE.get(structure.kind, "exists")
        case Increase():
            if call.must_exist:
                yield "exists"
            if _reads_number(call, binding, is_part=is_part):
                yield _source(structure)
        case Remove():
            if call.bit is not None:
                yield "getbit"
            elif call.guards and not call.is_strict:
                yield _EXISTENCE.get(structure.kind, "exists")
    if isinstance(call, (SetFields, Increase)) and call.versions is not None:
        yield _SOURCES[structure.kind]
    yield from (_SOURCES[guard.source] for guard in call.guards)


def _source(structure: StructureTarget) -> str:
    return _SOURCES.get(structure.kind, "get")


def _reads_number(call: Increase, binding: Binding[Structure], *, is_part: bool) -> bool:
    """Whether a condition on the number itself keeps it within its range."""
    if call.stays_exact or not call.is_whole or (is_part and call.member is None):
        return True
    name = call.field or call.structure.value
    attribute = next((attribute for attribute in binding.entity.attributes if name == attribute.stored), None)
    kind = element(attribute.type) if attribute else None
    return isinstance(kind, Scalar) and (kind.minimum is not None or kind.maximum is not None)


def _together(call: Transaction, planned: Planned[ServerTarget]) -> Sent:
    """The commands of a transaction, in one script or in MULTI and EXEC."""
    parts = [list(_written(write, part.binding, is_part=True)) for write, part in _parts(call, planned)]
    keys = dict.fromkeys(key for part in parts for _, key in part if key)
    is_script = call.is_script or any(command == "eval" for part in parts for command, _ in part)
    for part in parts:
        yield from part
    if is_script:
        for key in keys:
            yield from _script(key)
    if not call.is_script:
        yield from _AT_ONCE


def _parts(call: Transaction, planned: Planned[ServerTarget]) -> Iterator[tuple[Write, Planned[ServerTarget]]]:
    return zip(call.parts, planned.parts, strict=True)


def _script(key: str, *commands: str) -> Sent:
    """A script on a key, with the commands inside."""
    yield "evalsha", key
    yield "eval", key
    for command in commands:
        yield command, "" if command == "time" else key
