"""Values and declarations as Python expressions."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from keywright.declare.declaration_options import SUBJECT
from keywright.declare.declared import Declared

from .expression import Bracketed, Expression, call

_UNITS = ("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1)

VariableOf = Callable[[Declared], str | None]
"""The variable of a declaration that other declarations refer to; None for one that is written in place."""


def text(value: str) -> str:
    """A text in double quotes, unless that needs more escapes."""
    quoted = repr(value)
    if quoted[0] == '"' or '"' in value:
        return quoted
    return '"' + quoted[1:-1] + '"'


def number(value: int) -> str:
    """A whole number, with thousands separators from five digits on."""
    return f"{value:_}" if abs(value) >= 10_000 else str(value)


def duration(value: timedelta) -> Bracketed:
    """A duration in the largest unit that divides it."""
    if value.microseconds:
        return call("timedelta", microseconds=str(value // timedelta(microseconds=1)))
    seconds = value // timedelta(seconds=1)
    unit, length = next((unit, length) for unit, length in _UNITS if seconds % length == 0)
    return call("timedelta", **{unit: str(seconds // length)})


def _moment(value: datetime) -> Bracketed:
    """A time to the smallest unit that it has, with its zone as UTC."""
    if value.tzinfo is not None:
        value = value.astimezone(UTC)
    parts = [*value.timetuple()[:6], value.microsecond]
    while len(parts) > len(("year", "month", "day")) and parts[-1] == 0:
        parts.pop()
    return call("datetime", *map(str, parts), **({} if value.tzinfo is None else {"tzinfo": "UTC"}))


def literal(value: Any, variable_of: VariableOf) -> Expression:
    """A value of an option."""
    match value:
        case Declared():
            return variable_of(value) or declaration(value, variable_of)
        case str():
            return text(value)
        case timedelta():
            return duration(value)
        case Decimal():
            return call("Decimal", text(str(value)))
        case datetime():
            return _moment(value)
        case date():
            return call("date", *map(str, value.timetuple()[:3]))
        case list() | tuple():
            return Bracketed("", "[]", tuple(("", literal(element, variable_of)) for element in value))
        case Mapping():
            entries = ((f"{flat_key(key)}: ", literal(inner, variable_of)) for key, inner in value.items())
            return Bracketed("", "{}", tuple(entries))
        case type():
            return value.__name__
        case _:
            return number(value) if type(value) is int else repr(value)


def flat_key(key: object) -> str:
    """The key of a dictionary."""
    return text(key) if isinstance(key, str) else repr(key)


def declaration(declared: Declared, variable_of: VariableOf) -> Bracketed:
    """The call that creates a declaration: positional arguments, and the options that are not at their defaults."""
    options, values = declared.__options__, vars(declared)
    positional, named = list[Expression](), dict[str, Expression]()
    for name in options.kinds:
        value = values.get(name, SUBJECT)
        if value is SUBJECT or (name in options.defaults and value == options.defaults[name]):
            continue
        if name in options.subjects:
            positional.append(literal(value, variable_of))
        else:
            named[name] = literal(value, variable_of)
    owner, method = declared.method_of
    if method:
        named = {name: value for name, value in named.items() if name != owner and values[name] not in (None, {})}
        return call(f"{literal(values[owner], variable_of)}.{method}", *positional, **named)
    return call(f"kw.{type(declared).__name__}", *positional, **named)
