"""Parameters of rules: the keyword-only arguments of their finders, with names, types and defaults."""

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any

from keywright.errors import UsageError, did_you_mean
from keywright.record import Record

from .rule import LEVELS, Rule

_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text", tuple: "a list of text"}
"""Types of parameters in messages."""

_SCHEMAS: dict[type, dict[str, Any]] = {
    bool: {"type": "boolean"}, int: {"type": "integer"}, float: {"type": "number"}, str: {"type": "string"},
    tuple: {"type": "array", "items": {"type": "string"}},
}  # fmt: skip


class Parameter(Record):
    """A parameter of a rule that a project may set."""

    name: str
    """Its name."""
    default: bool | int | float | str | tuple[str, ...]
    """Its default; the type of the default is the type of the parameter."""

    @property
    def schema(self) -> dict[str, Any]:
        """The parameter as a JSON Schema."""
        default = list(self.default) if isinstance(self.default, tuple) else self.default
        return {**_SCHEMAS[type(self.default)], "default": default}


def parameters(rule: Rule) -> Mapping[str, Parameter]:
    """The parameters of all finders of a rule, by name."""
    by_name: dict[str, Parameter] = {}
    for level in LEVELS:
        by_name |= _of(rule.finder(level))
    return by_name


def arguments(finder: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the parameters that one finder of a rule takes."""
    names = _of(finder)
    return {name: value for name, value in values.items() if name in names}


def checked(rule: Rule, name: str, value: object) -> Any:
    """A value in the type of a rule's parameter; raises UsageError for an unknown parameter or another type."""
    by_name = parameters(rule)
    if name not in by_name:
        help = did_you_mean(name, by_name) if by_name else "it has none"
        raise UsageError(f'{rule.code} has no parameter "{name}"', help)
    kind = type(by_name[name].default)
    if kind is tuple and isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(value)
    if kind in (int, float) and isinstance(value, (int, float)) and not isinstance(value, bool):
        if kind is float or float(value).is_integer():  # Pulumi passes all numbers as floats
            return kind(value)
    elif type(value) is kind:
        return value
    raise UsageError(
        f'"{name}" of {rule.code} is {value!r}, it takes {_WORDS[kind]}', f"by default {_default_text(by_name[name])}"
    )


@cache  # a policy pack calls it for each resource
def _of(finder: Any) -> Mapping[str, Parameter]:
    if finder is None:
        return {}
    return {
        name: Parameter(name, parameter.default)
        for name, parameter in inspect.signature(finder).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def _default_text(parameter: Parameter) -> str:
    default = parameter.default
    return str(list(default) if isinstance(default, tuple) else default)
