"""Increments and deletes as conditions and commands."""

from collections.abc import Callable
from typing import Any

from keywright.engines.redis.access.calls import Increase, Remove
from keywright.engines.redis.item import Command
from keywright.engines.redis.layout import VALUE_KINDS
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec
from keywright.runtime.fill import texts
from keywright.runtime.given import ConditionFailed, Given

from .guards import guards_of
from .sending import at_once, key_of, keys_of, send
from .writes import MakeOps, Ops, element_of, run


def increase_ops(call: Increase, binding: Binding) -> MakeOps:
    """A function from a call to its increment."""
    key = key_of(call.keys)
    member = texts(call.member) if call.member else None
    tests = guards_of(call.guards, binding, lambda given: member(given)[0] if member else "")
    ttl = call.structure.ttl_seconds if call.structure.expires_at is None else None
    kept = call.structure.kept

    def ops(given: Given) -> list[Ops]:
        name, step = key(given), _step(given.by, is_whole=call.is_whole)
        present: tuple[Command, ...] = (("present", "key", name, "", "text"),) if call.must_exist else ()
        match call.command:
            case "INCRBY":
                add: Command = ("INCRBY", name, step)
            case "ZINCRBY":
                assert member is not None
                add = ("ZINCRBY", name, step, member(given)[0])
            case command:
                add = (command, name, call.field, step)
        trim: tuple[Command, ...] = ()
        if call.command == "ZINCRBY" and kept is not None:
            trim = (("ZREMRANGEBYRANK", name, 0, -kept - 1),)
        renew: tuple[Command, ...] = () if ttl is None else (("EXPIRE", name, ttl),)
        return [Ops((*present, *tests(given, name)), (add, *trim, *renew, *reading(name)))]

    def reading(name: str) -> tuple[Command, ...]:
        if not call.is_read_back:
            return ()
        return (("GET", name),) if call.command == "INCRBY" else (("HGET", name, call.field),)

    return ops


def _step(by: Any, *, is_whole: bool) -> str:
    step = 1 if by is None else by
    if is_whole and int(step) != step:
        raise UsageError(f"by={step} is no whole number, as the field is", "give a whole number")
    return str(int(step)) if is_whole else repr(float(step))


def increased(call: Increase, binding: Binding) -> Callable[[Any, Given], Any]:
    """A function that adds to a number and answers the new one."""
    ops, at = increase_ops(call, binding), -1 if call.is_read_back else 0

    def increase(client: Any, given: Given) -> Any:
        answer = run(client, ops(given))[at]
        return int(float(answer)) if call.command == "ZINCRBY" and call.is_whole else (
            int(answer) if call.is_whole else float(answer)
        )  # fmt: skip

    return increase


def remove_ops(call: Remove, binding: Binding, codec: Codec[Any]) -> MakeOps:
    """A function from a call to its delete."""
    keys = keys_of(call.keys)
    member = texts(call.member) if call.member else None
    tests = guards_of(call.guards, binding, lambda given: member(given)[0] if member else "")
    words = _removing(call, codec, member)

    def ops(given: Given) -> list[Ops]:
        return [Ops(tests(given, key), (words(given, key),)) for key in keys(given)]

    return ops


def _removing(
    call: Remove, codec: Codec[Any], member: Callable[[Given], list[str]] | None
) -> Callable[[Given, str], Command]:
    if call.bit is not None:
        bit = call.bit
        return lambda given, key: ("SETBIT", key, int(given.of(bit)[0]), 0)
    if call.element:
        return lambda given, key: ("LREM", key, 0, element_of(codec, call.element, given))
    if member is not None:
        command = "SREM" if call.structure.kind == "set" else "ZREM"
        return lambda given, key: (command, key, *member(given))
    command = "DEL" if call.structure.kind in VALUE_KINDS else "UNLINK"
    return lambda given, key: (command, key)


def removed(call: Remove, binding: Binding, codec: Codec[Any]) -> Callable[[Any, Given], None]:
    """A function that deletes; what is gone already stays gone."""
    ops = remove_ops(call, binding, codec)

    def remove(client: Any, given: Given) -> None:
        many = ops(given)
        if call.bit is not None:  # to clear a bit of a key that is not there would make the key
            many = [Ops((_is_set(one.commands[0]), *one.guards), one.commands) for one in many]
        if len(many) > 1 and not many[0].guards:
            together = at_once if call.keys.can_be_named_at_once else send
            together(client, [command for one in many for command in one.commands])
            return
        try:
            for one in many:
                run(client, [one])
        except ConditionFailed:
            if call.is_strict:
                raise

    return remove


def _is_set(command: Command) -> Command:
    """The condition that the bit which a command clears is set."""
    return ("present", "bitmap", command[1], command[2], "text")
