"""Updates as conditions and commands."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.redis.access.calls import Change
from keywright.engines.redis.item import Argument, Command
from keywright.engines.redis.target import StructureTarget
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.runtime.fill import texts
from keywright.runtime.given import Given, argument
from keywright.runtime.source import Source
from keywright.runtime.templates import expression

from .. import values
from .guards import guards_of, score_text, texts_of, value_of
from .sending import key_of
from .writes import MakeOps, Ops, run


def change_ops(call: Change, binding: Binding) -> MakeOps:
    """A function from a call to its update."""
    key = key_of(call.keys)
    member = texts(call.member) if call.member else None
    structure, kind = call.structure, call.structure.kind
    named = "key" if kind in ("hash", "string", "counter", "cache") else kind
    tests = guards_of(call.guards, binding, lambda given: member(given)[0] if member else "")
    made = _setting(call, binding)

    def ops(given: Given) -> list[Ops]:
        name, inner = key(given), member(given)[0] if member else ""
        present: Command = ("present", named, name, inner, "text")
        return [Ops((present, *tests(given, name)), (*made(given, name, inner), *expiry(given, name)))]

    expiry = _renewing(structure, binding, call)
    return ops


def _setting(call: Change, binding: Binding) -> Callable[[Given, str, str], tuple[Command, ...]]:
    if call.structure.kind == "hash":
        return _hash_setting(call, binding)
    (name,) = call.sets
    attribute = binding.entity.attribute(name)
    assert attribute is not None
    match call.structure.kind:
        case "sorted set":
            score = score_text(attribute)
            return lambda given, key, member: (("ZADD", key, score(value_of(given, name)), member),)
        case "geo":

            def place(given: Given, key: str, member: str) -> tuple[Command, ...]:
                at = value_of(given, name)
                return (("GEOADD", key, repr(float(at.longitude)), repr(float(at.latitude)), member),)

            return place
        case _:
            text, kept = texts_of(binding)(attribute), ("KEEPTTL",) if call.keeps_moment else ()
            return lambda given, key, member: (("SET", key, text(value_of(given, name)), *kept),)


def _hash_setting(call: Change, binding: Binding) -> Callable[[Given, str, str], tuple[Command, ...]]:
    text_of = texts_of(binding)
    attributes = [one for one in binding.entity.attributes if one.name in call.sets]
    fields = [(one.name, one.stored, one.is_nullable, text_of(one)) for one in attributes]
    unset = [one.stored for one in binding.entity.attributes if one.name in call.unset]
    follow = _following(call, binding)

    def commands(given: Given, key: str, member: str) -> tuple[Command, ...]:
        pairs: list[Argument] = []
        gone = list(unset)
        for name, stored, is_nullable, text in fields:
            value = value_of(given, name)
            if value is not None:
                pairs += [stored, text(value)]
            elif is_nullable:
                gone.append(stored)
            else:
                raise UsageError(f'"{name}" cannot be None', f"give {argument(name)} a value")
        pairs += follow(given)
        first: tuple[Command, ...] = (("HSET", key, VERSION, "1"),) if call.may_empty else ()
        last: tuple[Command, ...] = (("STAND-IN", key, VERSION),) if call.may_empty else ()
        return (
            *first,
            *((("HSET", key, *pairs),) if pairs else ()),
            *((("HDEL", key, *gone),) if gone else ()),
            *last,
        )

    return commands


def _following(call: Change, binding: Binding) -> Callable[[Given], list[Argument]]:
    """The computed attributes that follow, as names and texts in turn."""
    source, alone = Source(), replace(binding, computed={})
    for at, (_, template) in enumerate(call.computed):
        source.define(f"computed_{at}(m)", [f"return {expression(template, alone, 'm', source)}"])
    made = [(name, source.compile(f"computed_{at}")) for at, (name, _) in enumerate(call.computed)]

    def words(given: Given) -> list[Argument]:
        model = SimpleNamespace(**given.values)
        return [word for name, text in made for word in (name, text(model))]

    return words if made else lambda given: []


def _renewing(
    structure: StructureTarget, binding: Binding, call: Change
) -> Callable[[Given, str], tuple[Command, ...]]:
    """When the key goes: its ttl begins again with each write; a moment that the item states changes with its field."""
    field, ttl = structure.expires_at, structure.ttl_seconds
    if call.keeps_moment:
        return lambda given, key: ()
    if field is not None:
        attribute = binding.entity.attribute(field)
        after = timedelta(seconds=(attribute.ttl_after_seconds if attribute else None) or 0)

        def moved(given: Given, key: str) -> tuple[Command, ...]:
            moment = given.values.get(field) if field in call.sets else None
            if moment is None:
                return (("PERSIST", key),)
            return (("EXPIREAT", key, values.epoch(moment + after)),)

        return moved
    if ttl is not None:
        return lambda given, key: (("EXPIRE", key, ttl),)
    return lambda given, key: ()


def changed(call: Change, binding: Binding) -> Callable[[Any, Given], None]:
    """A function that updates one item."""
    ops = change_ops(call, binding)

    def change(client: Any, given: Given) -> None:
        run(client, ops(given))

    return change
