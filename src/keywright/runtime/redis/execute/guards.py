"""Conditions of writes in the syntax of the script that checks them, and the texts of values in a call."""

from collections.abc import Callable
from typing import Any

from keywright.access.partial_write import Versions
from keywright.declare.store import VERSION
from keywright.engines.redis.access.calls import Guard
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.item import Argument, RedisCommand
from keywright.engines.redis.schema.layout import json_path
from keywright.errors import UsageError
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.validate.arguments import Arguments, argument

from ..write import Writer
from .scores import score_of, written

TextOf = Callable[[Any], Argument]


def texts_of(binding: Binding[Structure]) -> Callable[[Attribute], TextOf]:
    """A function from a field to the function that makes its text in a hash or string."""
    source = FunctionSource()
    Writer(binding, source).fields()
    return lambda attribute: source.compile(f"text_of_{attribute.name}")


def guards_of(
    guards: tuple[Guard, ...], binding: Binding[Structure], member: Callable[[Arguments], str]
) -> Callable[[Arguments, str], tuple[RedisCommand, ...]]:
    """A function from a call and a key to the conditions on the item."""
    text_of = texts_of(binding)
    text_functions: list[tuple[Guard, Callable[[Any], Argument]]] = []
    for guard in guards:
        path = resolve(binding.entity.attributes, guard.condition.field)
        assert path
        attribute = path[-1]
        if guard.source == "json":
            source = FunctionSource()
            text_functions.append((guard, source.compile(Writer(binding, source).text(attribute.type))))
            continue
        text_functions.append((guard, score_text(attribute) if guard.source == "sorted set" else text_of(attribute)))

    def tests(arguments: Arguments, key: str) -> tuple[RedisCommand, ...]:
        return tuple(
            (*_condition_name(guard, values), guard.source, key, guard.field or member(arguments), guard.kind, *values)
            for guard, values in ((guard, _values(guard, text, arguments)) for guard, text in text_functions)
        )

    return tests


def admitting(versions: Versions | None, kind: str) -> Callable[[str], tuple[RedisCommand, ...]]:
    """A function from a key to the condition that the item has an admitted schema version.

    kind: a hash or a JSON document.
    """
    if versions is None:
        return lambda key: ()
    least, most = versions.least, versions.most
    field = json_path(VERSION) if kind == "json" else VERSION
    return lambda key: (("version", kind, key, field, "integer", least, most),)


def _condition_name(guard: Guard, values: list[Argument]) -> tuple[str]:
    """Name of a condition in the script: equality with None means absent."""
    if guard.condition.kind == "equals" and not values:
        return ("absent",)
    return (guard.condition.kind,)


def _values(guard: Guard, text: Callable[[Any], Argument], arguments: Arguments) -> list[Argument]:
    return (
        [text(value) for value in arguments.of(guard.condition) if value is not None]
        if guard.condition.kind != "present"
        else []
    )


def score_text(attribute: Attribute) -> Callable[[Any], str]:
    """A function from a field's value to the text of its score."""
    number = score_of(attribute)
    return lambda value: written(number(value))


def value_of(arguments: Arguments, name: str) -> Any:
    """The value of a field in a call; raises UsageError if the call lacks it."""
    try:
        return arguments.values[name]
    except KeyError:
        raise UsageError(f'the call has no value for "{name}"', f"add {argument(name)}=...") from None
