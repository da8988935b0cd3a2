"""Updates as conditions and commands."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

from keywright.declare.store import VERSION
from keywright.engines.redis.access.calls import SetFields
from keywright.engines.redis.access.paths.read import KEYED
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.item import Argument, RedisCommand
from keywright.engines.redis.schema.packed_score import packing_of
from keywright.engines.redis.schema.target import StructureTarget
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.record import replace
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items.fill import texts
from keywright.runtime.items.templates import expression
from keywright.runtime.validate.arguments import Arguments, argument

from .. import values
from ..client_types import RedisClient
from .documents import document_setting, having_room, reaching
from .guards import admitting, guards_of, score_text, texts_of, value_of
from .scores import written
from .sending import key_of
from .writes import MakeOps, Ops, run


def change_ops(call: SetFields, binding: Binding[Structure]) -> MakeOps:
    """A function from a call to its update."""
    key = key_of(call.keys)
    member = texts(call.member) if call.member else None
    structure, kind = call.structure, call.structure.kind
    present_kind = "key" if kind in KEYED else kind
    tests = guards_of(call.guards, binding, lambda arguments: member(arguments)[0] if member else "")
    setting, admitted = _setting(call, binding), admitting(call.versions, kind)
    changed_names = (*call.sets, *([call.pushes] if call.pushes else [])) if kind == "json" else ()
    reached, has_room = reaching(binding, changed_names), having_room(call)

    def ops(arguments: Arguments) -> list[Ops]:
        name, member_text = key(arguments), member(arguments)[0] if member else ""
        present: RedisCommand = ("present", present_kind, name, member_text, "text")
        guards = (present, *admitted(name), *reached(name), *has_room(name), *tests(arguments, name))
        return [Ops(guards, (*setting(arguments, name, member_text), *expiry(arguments, name)), binding.name)]

    expiry = _renewing(structure, binding, call)
    return ops


def _setting(call: SetFields, binding: Binding[Structure]) -> Callable[[Arguments, str, str], tuple[RedisCommand, ...]]:
    if call.structure.kind == "hash":
        return _hash_setting(call, binding)
    if call.structure.kind == "json":
        return document_setting(call, binding, following(call, binding))
    if (packing := packing_of(binding)) is not None:
        first, second = call.structure.value or "", packing.field

        def packed(arguments: Arguments, key: str, member: str) -> tuple[RedisCommand, ...]:
            score = packing.pack(value_of(arguments, first), value_of(arguments, second))
            return (("ZADD", key, written(score), member),)

        return packed
    (name,) = call.sets
    attribute = binding.entity.attribute(name)
    assert attribute is not None
    match call.structure.kind:
        case "sorted set":
            score = score_text(attribute)
            return lambda arguments, key, member: (("ZADD", key, score(value_of(arguments, name)), member),)
        case "geo":

            def place(arguments: Arguments, key: str, member: str) -> tuple[RedisCommand, ...]:
                point = value_of(arguments, name)
                return (("GEOADD", key, repr(float(point.longitude)), repr(float(point.latitude)), member),)

            return place
        case _:
            text, keep_ttl = texts_of(binding)(attribute), ("KEEPTTL",) if call.keeps_moment else ()
            return lambda arguments, key, member: (("SET", key, text(value_of(arguments, name)), *keep_ttl),)


def _hash_setting(
    call: SetFields, binding: Binding[Structure]
) -> Callable[[Arguments, str, str], tuple[RedisCommand, ...]]:
    text_of = texts_of(binding)
    attributes = [attribute for attribute in binding.entity.attributes if attribute.name in call.sets]
    fields = [(attribute.name, attribute.stored, attribute.is_nullable, text_of(attribute)) for attribute in attributes]
    unset = [attribute.stored for attribute in binding.entity.attributes if attribute.name in call.unset]
    follow = following(call, binding)

    def commands(arguments: Arguments, key: str, member: str) -> tuple[RedisCommand, ...]:
        pairs: list[Argument] = []
        removed = list(unset)
        for name, stored, is_nullable, text in fields:
            value = value_of(arguments, name)
            if value is not None:
                pairs += [stored, text(value)]
            elif is_nullable:
                removed.append(stored)
            else:
                raise UsageError(f'"{name}" cannot be None', f"pass a value for {argument(name)}")
        pairs += follow(arguments)
        first: tuple[RedisCommand, ...] = (("HSET", key, VERSION, "1"),) if call.may_empty else ()
        last: tuple[RedisCommand, ...] = (("STAND-IN", key, VERSION),) if call.may_empty else ()
        return (
            *first,
            *((("HSET", key, *pairs),) if pairs else ()),
            *((("HDEL", key, *removed),) if removed else ()),
            *last,
        )

    return commands


def following(call: SetFields, binding: Binding[Structure]) -> Callable[[Arguments], list[Argument]]:
    """The computed attributes that change too, as names and texts in turn."""
    source, alone = FunctionSource(), replace(binding, computed={})
    for index, (_, template) in enumerate(call.computed):
        source.define(f"computed_{index}(m)", [f"return {expression(template, alone, 'm', source)}"])
    text_functions = [(name, source.compile(f"computed_{index}")) for index, (name, _) in enumerate(call.computed)]

    def words(arguments: Arguments) -> list[Argument]:
        model = SimpleNamespace(**arguments.values)
        return [word for name, text in text_functions for word in (name, text(model))]

    return words if text_functions else lambda arguments: []


def _renewing(
    structure: StructureTarget, binding: Binding[Structure], call: SetFields
) -> Callable[[Arguments, str], tuple[RedisCommand, ...]]:
    """The commands of the expiry: a ttl restarts with each write; an expiry time in a field changes with the field."""
    field, ttl = structure.expires_at, structure.ttl_seconds
    if call.keeps_moment:
        return lambda arguments, key: ()
    if field is not None:
        attribute = binding.entity.attribute(field)
        after = timedelta(seconds=(attribute.ttl_after_seconds if attribute else None) or 0)

        def expiry(arguments: Arguments, key: str) -> tuple[RedisCommand, ...]:
            moment = arguments.values.get(field) if field in call.sets else None
            if moment is None:
                return (("PERSIST", key),)
            return (("EXPIREAT", key, values.epoch(moment + after)),)

        return expiry
    if ttl is not None:
        return lambda arguments, key: (("EXPIRE", key, ttl),)
    return lambda arguments, key: ()


def changed(call: SetFields, binding: Binding[Structure]) -> Callable[[RedisClient, Arguments], None]:
    """A function that updates one item."""
    ops = change_ops(call, binding)

    def change(client: RedisClient, arguments: Arguments) -> None:
        run(client, ops(arguments))

    return change
