"""The commands of a write, word by word, with `:field` for the caller's values."""

from collections.abc import Iterator

from keywright.access.query import Condition
from keywright.declare.store import VERSION

from ..schema.layout import VALUE_KINDS, delayed, json_path
from ..schema.target import StructureTarget
from .calls import Increase, PutItems, Remove, SetFields, Write

Words = list[str]


def commands_of(call: Write, *, alone: bool = True) -> list[Words]:
    """The commands of a write; alone: the command itself may reject an existing item, without a script."""
    match call:
        case PutItems():
            return _putting(call, alone=alone)
        case SetFields():
            return _changing(call)
        case Increase():
            key = call.keys.text
            read_back = (
                [["GET", key] if call.command == "INCRBY" else ["HGET", key, call.field]] if call.is_read_back else []
            )
            trim = _trimmed(call.structure, key) if call.command == "ZINCRBY" else []
            return [_adding(call), *trim, *_renewed(call.structure, key), *read_back]
        case Remove():
            return [_removing(call)]


def _putting(call: PutItems, *, alone: bool) -> list[Words]:
    structure, key = call.structure, call.key
    only = ["NX"] if alone and call.if_absent == "command" else []
    if structure.kind == "json":
        document = ["JSON.SET", key, "$", ":json", *only]
        return [document] if only else [document, *(_renewed(structure, key) or [["PERSIST", key]])]
    if structure.kind in VALUE_KINDS:
        expiry = ["EX", str(structure.ttl_seconds)] if only and structure.ttl_seconds else []
        value_set = [["SET", key, f":{structure.value}" if structure.value else ":json", *only, *expiry]]
        return value_set if only else value_set + _renewed(structure, key)
    return _putting_elements(call, only)


def _putting_elements(call: PutItems, only: list[str]) -> list[Words]:
    structure, key = call.structure, call.key
    match structure.kind:
        case "hash":
            commands = [["DEL", key], ["HSET", key, ":fields"]]
        case "stream":
            keep = ["MAXLEN", "~", str(structure.kept)] if structure.kept else []
            keep = ["MINID", "~", f"now-{structure.kept_seconds}s"] if structure.kept_seconds else keep
            commands = [["XADD", key, *keep, "*", ":fields"]]
            if structure.due is not None:
                is_late = f"instead, if {structure.due} is to come"
                commands.append(["ZADD", delayed(key), f":{structure.due}", ":entry", is_late])
        case "list":
            commands = [["LPUSH", key, ":element"]] + (
                [["LTRIM", key, "0", str(structure.kept - 1)]] if structure.kept else []
            )
        case "set":
            commands = [["SADD", key, call.member]]
        case "sorted set":
            commands = [["ZADD", key, *only, score_word(structure), call.member], *_trimmed(structure, key)]
        case "bitmap":
            commands = [["SETBIT", key, f":{structure.value}", "1"]]
        case "hyperloglog":
            commands = [["PFADD", key, call.member]]
        case "geo":
            commands = [
                ["GEOADD", key, *only, f":{structure.value}.longitude", f":{structure.value}.latitude", call.member]
            ]
        case "rate limit":
            return _counting(structure, key)
    return commands + _renewed(structure, key)


def score_word(structure: StructureTarget) -> str:
    """The score of a member, in words."""
    second = (structure.then or "").removeprefix("-").partition(" ")[0]
    return f":{structure.value}+{second}" if second else f":{structure.value}"


def _counting(structure: StructureTarget, key: str) -> list[Words]:
    """Commands that count a call, whether it is within the limit or not."""
    per = structure.per_seconds or 1
    if structure.window == "fixed":
        return [["INCR", f"{key}::window"], ["EXPIRE", f"{key}::window", str(2 * per)]]
    return [
        ["ZREMRANGEBYSCORE", key, "-inf", f":now-{per}"], ["ZADD", key, ":now", ":unique"], ["EXPIRE", key, str(per)],
    ]  # fmt: skip


def _trimmed(structure: StructureTarget, key: str) -> list[Words]:
    return [["ZREMRANGEBYRANK", key, "0", str(-structure.kept - 1)]] if structure.kept else []


def _renewed(structure: StructureTarget, key: str) -> list[Words]:
    if structure.expires_at is not None:
        return [["EXPIREAT", key, f":{structure.expires_at}"]]
    return [["EXPIRE", key, str(structure.ttl_seconds)]] if structure.ttl_seconds is not None else []


def _changing(call: SetFields) -> list[Words]:
    structure, key = call.structure, call.keys.text
    match structure.kind:
        case "hash":
            pairs = [word for name in call.sets for word in (name, f":{name}")]
            pairs += [word for name, template in call.computed for word in (name, template.text)]
            commands = [["HSET", key, *pairs]] if pairs else []
            commands += [["HSET", key, VERSION, "1"]] if call.may_empty and call.unset else []
            commands += [["HDEL", key, *call.unset]] if call.unset else []
        case "json":
            commands = list(_changing_document(call, key))
        case "sorted set":
            commands = [["ZADD", key, score_word(structure), member_text(call)]]
        case "geo":
            commands = [
                ["GEOADD", key, f":{structure.value}.longitude", f":{structure.value}.latitude", member_text(call)]
            ]
        case _:
            commands = [["SET", key, f":{structure.value}", *(["KEEPTTL"] if call.keeps_moment else [])]]
    return commands if call.keeps_moment else commands + _renewed(structure, key)


def _changing_document(call: SetFields, key: str) -> Iterator[Words]:
    count = len(call.sets)
    for name, path in zip(call.sets, call.paths[:count], strict=True):
        yield ["JSON.SET", key, path, f":{name}"]
    for name, template in call.computed:
        yield ["JSON.SET", key, json_path(name), template.text]
    for path in call.paths[count : count + len(call.unset)]:
        yield ["JSON.SET", key, path, "null"] if path in call.nulls else ["JSON.DEL", key, path]
    if call.pushes is not None:
        yield ["JSON.ARRAPPEND", key, call.paths[-1], f":{call.pushes}"]


def _adding(call: Increase) -> Words:
    key = call.keys.text
    match call.command:
        case "INCRBY":
            return ["INCRBY", key, ":by"]
        case "ZINCRBY":
            return ["ZINCRBY", key, ":by", member_text(call)]
        case command:
            return [command, key, call.field, ":by"]  # the field of a hash, or the path in a document


def _removing(call: Remove) -> Words:
    key = call.keys.text
    if call.bit is not None:
        return ["SETBIT", key, value(call.bit), "0"]
    if call.element:
        return ["LREM", key, "0", ":element"]
    if call.member is not None:
        return ["SREM" if call.structure.kind == "set" else "ZREM", key, call.member.template.text]
    return ["DEL" if call.structure.kind in VALUE_KINDS else "UNLINK", key]


def member_text(call: SetFields | Increase | Remove) -> str:
    """The template of a member; empty if there is none."""
    return call.member.template.text if call.member else ""


def value(condition: Condition) -> str:
    """A condition's value: the constant, or the name of the caller's value."""
    if condition.constants is not None:
        return "|".join(map(str, condition.constants))
    return f":{condition.field}"
