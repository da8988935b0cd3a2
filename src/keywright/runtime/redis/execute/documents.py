"""Reads and changes of parts of JSON documents."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from keywright.engines.redis.access.calls import SetFields
from keywright.engines.redis.access.paths.document import holds_null
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.item import Argument, RedisCommand
from keywright.engines.redis.schema.layout import json_path
from keywright.errors import UsageError
from keywright.ir.attribute import Attribute, Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.record import Record
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.validate.arguments import Arguments, argument

from .. import values
from ..write import Writer
from .guards import value_of

Setting = Callable[[Arguments, str, str], tuple[RedisCommand, ...]]
"""(call, key, member): the commands that change an item."""


class _Part(Record):
    """A part of a document that a call sets."""

    name: str
    """Dotted Python name."""
    path: str
    """Path in the document."""
    attribute: Attribute
    """The field."""
    is_left_out: bool
    """Whether the document has no entry for None, as in a written item."""
    text: Callable[[Any], str]
    """A function from a value to its JSON text."""


def document_setting(
    call: SetFields, binding: Binding[Structure], following: Callable[[Arguments], list[Argument]]
) -> Setting:
    """A function from a call to the commands that change a document.

    following: the computed attributes that change too, as names and texts in turn.
    """
    count = len(call.sets)
    parts = [_part(name, path, binding) for name, path in zip(call.sets, call.paths[:count], strict=True)]
    unset = call.paths[count : count + len(call.unset)]
    pushed = _element_text(call, binding)

    def commands(arguments: Arguments, key: str, member: str) -> tuple[RedisCommand, ...]:
        changes: list[RedisCommand] = []
        for part in parts:
            value = value_of(arguments, part.name)
            if value is None and not part.attribute.is_nullable:
                raise UsageError(f'"{part.name}" cannot be None', f"pass a value for {argument(part.name)}")
            is_removed = value is None and part.is_left_out
            changes.append(
                ("JSON.DEL", key, part.path) if is_removed else ("JSON.SET", key, part.path, part.text(value))
            )
        words = following(arguments)
        computed = zip(words[::2], words[1::2], strict=True)
        changes += [("JSON.SET", key, json_path(str(name)), values.dump(text)) for name, text in computed]
        changes += [
            ("JSON.SET", key, path, "null") if path in call.nulls else ("JSON.DEL", key, path) for path in unset
        ]
        if call.pushes is not None:
            path = call.paths[-1]
            changes.append(("LIST", key, path))
            changes.append(("JSON.ARRAPPEND", key, path, pushed(value_of(arguments, call.pushes))))
        return tuple(changes)

    return commands


def reaching(binding: Binding[Structure], names: Iterable[str]) -> Callable[[str], tuple[RedisCommand, ...]]:
    """A function from a key to the conditions that the objects exist whose parts are changed.

    names: dotted Python names of the parts. The server changes nothing if such an object is missing, without an error.
    """
    outer: dict[str, None] = {}
    for name in names:
        attributes = resolve(binding.entity.attributes, name) or ()
        if len(attributes) > 1:
            outer[json_path(*(attribute.stored for attribute in attributes[:-1]))] = None
    return lambda key: tuple(("object", "json", key, path, "text") for path in outer)


def having_room(call: SetFields) -> Callable[[str], tuple[RedisCommand, ...]]:
    """A function from a key to the condition that a list has fewer elements than its model allows."""
    most = call.most
    if most is None:
        return lambda key: ()
    return lambda key: (("shorter", "json", key, call.paths[-1], "text", most),)


def _part(name: str, path: str, binding: Binding[Structure]) -> _Part:
    attributes = resolve(binding.entity.attributes, name)
    assert attributes
    attribute, source = attributes[-1], FunctionSource()
    text = source.compile(Writer(binding, source).json(attribute.type, nullable=attribute.is_nullable))
    return _Part(name, path, attribute, not holds_null(attributes), text)


def _element_text(call: SetFields, binding: Binding[Structure]) -> Callable[[Any], str]:
    """A function from a pushed element to its JSON text."""
    attributes = resolve(binding.entity.attributes, call.pushes) if call.pushes else None
    if not attributes:
        return values.dump
    kind, source = attributes[-1].type, FunctionSource()
    assert isinstance(kind, Many)
    return source.compile(Writer(binding, source).json(kind.element, nullable=kind.has_null_elements))


def reading(keys: Sequence[str], paths: Sequence[str], *, is_many: bool) -> list[RedisCommand]:
    """The commands that read documents, or parts of them.

    is_many: whether one command may name all keys.
    """
    if is_many and len(keys) > 1 and not paths:
        return [("JSON.MGET", *keys, ".")]
    return [("JSON.GET", key, *paths) for key in keys]


def parts_in(answer: Any, paths: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """The fields in an answer to JSON.GET with paths, by stored name; the server answers a list for one path alone."""
    document = values.load(answer)
    lists = {paths[0]: document} if len(paths) == 1 else document
    return {name: lists[path][0] for name, path in zip(names, paths, strict=True) if lists.get(path)}
