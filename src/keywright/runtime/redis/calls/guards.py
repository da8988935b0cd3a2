"""Conditions of writes in the words of the script that judges them, and the texts of values in a call."""

from collections.abc import Callable
from typing import Any

from keywright.engines.redis.access.calls import Guard
from keywright.engines.redis.item import Argument, Command
from keywright.errors import UsageError
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.runtime.given import Given, argument
from keywright.runtime.source import Source

from ..write import Writer
from .scores import score_of, written

TextOf = Callable[[Any], Argument]


def texts_of(binding: Binding) -> Callable[[Attribute], TextOf]:
    """A function from a field to what makes the text that a hash or string keeps of it."""
    source = Source()
    Writer(binding, source).fields()
    return lambda attribute: source.compile(f"text_of_{attribute.name}")


def guards_of(
    guards: tuple[Guard, ...], binding: Binding, member: Callable[[Given], str]
) -> Callable[[Given, str], tuple[Command, ...]]:
    """A function from a call and a key to what must be true of the item."""
    text_of = texts_of(binding)
    made: list[tuple[Guard, Callable[[Any], Argument]]] = []
    for guard in guards:
        attribute = binding.entity.attribute(guard.asked.field)
        assert attribute is not None
        made.append((guard, score_text(attribute) if guard.source == "sorted set" else text_of(attribute)))

    def tests(given: Given, key: str) -> tuple[Command, ...]:
        return tuple(
            (*_named(guard, asked), guard.source, key, guard.field or member(given), guard.kind, *asked)
            for guard, asked in ((guard, _asked(guard, text, given)) for guard, text in made)
        )

    return tests


def _named(guard: Guard, asked: list[Argument]) -> tuple[str]:
    """How a condition is called in the script: to equal None is to be absent."""
    if guard.asked.how == "equals" and not asked:
        return ("absent",)
    return (guard.asked.how,)


def _asked(guard: Guard, text: Callable[[Any], Argument], given: Given) -> list[Argument]:
    return [text(value) for value in given.of(guard.asked) if value is not None] if guard.asked.how != "present" else []


def score_text(attribute: Attribute) -> Callable[[Any], str]:
    """What makes the text of a score."""
    number = score_of(attribute)
    return lambda value: written(number(value))


def value_of(given: Given, name: str) -> Any:
    """The value that a call gives to a field; UsageError where it gives none."""
    try:
        return given.values[name]
    except KeyError:
        raise UsageError(f'the call does not give "{name}"', f"add {argument(name)}=...") from None
