"""Increments and deletes as conditions and commands."""

from collections.abc import Callable
from typing import Any

from redis.exceptions import ResponseError

from keywright.engines.redis.access.calls import Increase, Remove
from keywright.engines.redis.access.paths.read import KEYED
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.item import RedisCommand
from keywright.engines.redis.schema.layout import VALUE_KINDS
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.runtime.errors import Unstorable
from keywright.runtime.items.codec import Codec
from keywright.runtime.items.fill import texts
from keywright.runtime.validate.arguments import Arguments, ConditionFailed
from keywright.runtime.validate.increments import room_of
from keywright.runtime.validate.limits import StoreLimit

from .. import values
from ..client_types import RedisClient
from .documents import reaching
from .guards import admitting, guards_of
from .sending import at_once, key_of, keys_of, send
from .writes import NOT_FINITE, MakeOps, Ops, element_of, run

_BITS = StoreLimit(-(2**63), 2**63 - 1)
"""The range of integers. Source: https://redis.io/docs/latest/commands/incrby/, 2026-11-22."""


_LARGE = 1e290
"""The least step that can exceed the floats: a smaller step is less than half of the last digit of the largest float,
1.8e308. Servers add with more bits in a hash, and would store a sum that no float represents. Source: t_hash.c,
hincrbyfloatCommand of https://github.com/redis/redis/tree/7.4/src, 2026-11-23."""


def increase_ops(call: Increase, binding: Binding[Structure], *, is_part: bool = False) -> MakeOps:
    """A function from a call to its increment.

    is_part: whether the increment is part of a transaction, whose other writes must not be executed if the number would
    become too large.
    """
    key = key_of(call.keys)
    member = texts(call.member) if call.member else None
    tests = guards_of(call.guards, binding, lambda arguments: member(arguments)[0] if member else "")
    ttl = call.structure.ttl_seconds if call.structure.expires_at is None else None
    max_members = call.structure.kept
    admitted = admitting(call.versions, call.structure.kind)
    is_json = call.structure.kind == "json"
    source = call.structure.kind if call.must_exist else "string"
    # A document wraps around at the ends of its whole numbers, where other structures answer an error.
    is_guarded, field = (is_part or is_json) and call.is_whole and not call.member, call.name
    limit_of = (lambda *_: _BITS) if is_guarded else None
    reached = reaching(binding, [call.name] if is_json else [])
    kind, room_for = "integer" if call.is_whole else "number", room_of(binding, field, limit_of)

    def ops(arguments: Arguments) -> list[Ops]:
        name, step = key(arguments), _step(arguments.by, is_whole=call.is_whole)
        present: tuple[RedisCommand, ...] = (("present", "key", name, "", "text"),) if call.must_exist else ()
        present += reached(name)
        match call.command:
            case "INCRBY":
                add: RedisCommand = ("INCRBY", name, step)
            case "ZINCRBY":
                assert member is not None
                add = ("ZINCRBY", name, step, member(arguments)[0])
            case command:
                add = (command, name, call.field, step)
        trim: tuple[RedisCommand, ...] = ()
        if call.command == "ZINCRBY" and max_members is not None:
            trim = (("ZREMRANGEBYRANK", name, 0, -max_members - 1),)
        renew: tuple[RedisCommand, ...] = () if ttl is None else (("EXPIRE", name, ttl),)
        exact: tuple[RedisCommand, ...] = ()
        if call.stays_exact and member is not None:
            exact = (("exact", "sorted set", name, member(arguments)[0], "number", step),)
        elif not call.is_whole and (is_part or abs(float(step)) >= _LARGE):
            number = ("sorted set", name, member(arguments)[0]) if member else (source, name, call.field)
            exact = (("finite", *number, "number", step),)
        within: tuple[RedisCommand, ...] = ()
        if (room := room_for(arguments.by)) is not None:
            relation = f"{'under' if room.is_upper else 'over'}{'' if room.is_open else ' or at'}"
            subject = (
                ("sorted set", name, member(arguments)[0], "number") if member else (source, name, call.field, kind)
            )
            within = ((relation, *subject, str(room.bound)),)
        guards = (*present, *admitted(name), *exact, *within, *tests(arguments, name))
        first: tuple[RedisCommand, ...] = (("ZERO", name, call.field),) if is_json else ()
        return [Ops(guards, (*first, add, *trim, *renew, *reading(name)), binding.name)]

    def reading(name: str) -> tuple[RedisCommand, ...]:
        if not call.is_read_back:
            return ()
        return (("GET", name),) if call.command == "INCRBY" else (("HGET", name, call.field),)

    return ops


def _step(by: Any, *, is_whole: bool) -> str:
    step = 1 if by is None else by
    if is_whole and int(step) != step:
        raise UsageError(f"by={step} is not a whole number, but the field is", "pass a whole number")
    if is_whole and not -(2**63) <= step < 2**63:
        raise Unstorable("Redis counts with 64 bits", "by", "int")
    return str(int(step)) if is_whole else repr(float(step))


_TOO_LARGE = (
    "would overflow",
    "NaN or Infinity",
    "not a valid float",
    "is not a number (NaN)",
    "result is not a number",
)
"""Server messages about numbers that are too large. Source: measured on Redis 7.0 and Valkey 9.1."""


def increased(call: Increase, binding: Binding[Structure]) -> Callable[[RedisClient, Arguments], Any]:
    """A function that adds to a number and returns the new number."""
    ops, position = increase_ops(call, binding), -1 if call.is_read_back else 0

    def increase(client: RedisClient, arguments: Arguments) -> Any:
        try:
            answer = run(client, ops(arguments))[position]
        except ResponseError as error:
            if not any(words in str(error) for words in _TOO_LARGE):
                raise
            raise ConditionFailed(NOT_FINITE) from None
        if call.command == "JSON.NUMINCRBY":  # a script gets the list of numbers as text
            (answer,) = values.load(answer)
        return int(float(answer)) if call.command == "ZINCRBY" and call.is_whole else (
            int(answer) if call.is_whole else float(answer)
        )  # fmt: skip

    return increase


def remove_ops(call: Remove, binding: Binding[Structure], codec: Codec[Any]) -> MakeOps:
    """A function from a call to its delete."""
    keys = keys_of(call.keys)
    member = texts(call.member) if call.member else None
    tests = guards_of(call.guards, binding, lambda arguments: member(arguments)[0] if member else "")
    words = _removing(call, codec, member)

    def ops(arguments: Arguments) -> list[Ops]:
        return [Ops(tests(arguments, key), (words(arguments, key),)) for key in keys(arguments)]

    return ops


def _removing(
    call: Remove, codec: Codec[Any], member: Callable[[Arguments], list[str]] | None
) -> Callable[[Arguments, str], RedisCommand]:
    if call.bit is not None:
        bit = call.bit
        return lambda arguments, key: ("SETBIT", key, int(arguments.of(bit)[0]), 0)
    if call.element:
        return lambda arguments, key: ("LREM", key, 0, element_of(codec, call.element, arguments))
    if member is not None:
        command = "SREM" if call.structure.kind == "set" else "ZREM"
        return lambda arguments, key: (command, key, *member(arguments))
    command = "DEL" if call.structure.kind in VALUE_KINDS else "UNLINK"
    return lambda arguments, key: (command, key)


def removed(call: Remove, binding: Binding[Structure], codec: Codec[Any]) -> Callable[[RedisClient, Arguments], None]:
    """A function that deletes; deleting a missing item succeeds.

    Raises ConditionFailed for an existing item that does not meet the conditions.
    """
    ops = remove_ops(call, binding, codec)
    present_kind = "key" if call.structure.kind in KEYED else call.structure.kind

    def remove(client: RedisClient, arguments: Arguments) -> None:
        writes = ops(arguments)
        if call.bit is not None:  # clearing a bit of a missing key would create the key
            writes = [Ops((_is_set(write.commands[0]), *write.guards), write.commands) for write in writes]
        if len(writes) > 1 and not writes[0].guards:
            together = at_once if call.keys.can_be_named_at_once else send
            together(client, [command for write in writes for command in write.commands])
            return
        try:
            for write in writes:
                unless_gone: tuple[RedisCommand, ...] = ()
                if write.guards and call.bit is None and not call.is_strict:
                    _, _, key, member, *_ = write.guards[0]
                    unless_gone = (("unless gone", present_kind, key, "" if present_kind == "key" else member, "text"),)
                run(client, [Ops((*unless_gone, *write.guards), write.commands)])
        except ConditionFailed:
            if call.bit is None:
                raise

    return remove


def _is_set(command: RedisCommand) -> RedisCommand:
    """The condition that a bit is set, from the command that clears it."""
    return ("present", "bitmap", command[1], command[2], "text")
