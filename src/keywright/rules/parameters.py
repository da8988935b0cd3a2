"""Parameters of rules: the keyword-only arguments of their finders, with names, types and defaults."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from keywright.errors import UsageError, did_you_mean

from .rule import LEVELS, Rule

_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text", tuple: "a list of text"}
"""Types of parameters as messages name them."""

_SCHEMAS: dict[type, dict[str, Any]] = {
    bool: {"type": "boolean"}, int: {"type": "integer"}, float: {"type": "number"}, str: {"type": "string"},
    tuple: {"type": "array", "items": {"type": "string"}},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that a project may set of a rule."""

    name: str
    """Its name."""
    default: bool | int | float | str | tuple[str, ...]
    """What counts if nothing is said; its type is that of the parameter."""

    @property
    def schema(self) -> dict[str, Any]:
        """It as a JSON Schema."""
        default = list(self.default) if isinstance(self.default, tuple) else self.default
        return {**_SCHEMAS[type(self.default)], "default": default}


def parameters(rule: Rule) -> Mapping[str, Parameter]:
    """The parameters of a rule by name: those of all its finders."""
    found: dict[str, Parameter] = {}
    for level in LEVELS:
        found |= _of(rule.finder(level))
    return found


def arguments(finder: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given of a rule's parameters, as far as one of its finders takes them."""
    taken = _of(finder)
    return {name: value for name, value in given.items() if name in taken}


def checked(rule: Rule, name: str, value: object) -> Any:
    """A value as the rule takes it; UsageError if it has no such parameter, or takes something else."""
    known = parameters(rule)
    if name not in known:
        help = did_you_mean(name, known) if known else "it has none"
        raise UsageError(f'{rule.code} has no parameter "{name}"', help)
    kind = type(known[name].default)
    if kind is tuple and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    if kind in (int, float) and isinstance(value, (int, float)) and not isinstance(value, bool):
        if kind is float or float(value).is_integer():  # Pulumi hands all numbers on as floats
            return kind(value)
    elif type(value) is kind:
        return value
    raise UsageError(
        f'"{name}" of {rule.code} is {value!r}, it takes {_WORDS[kind]}', f"by default {_said(known[name])}"
    )


@cache  # a pack asks for each resource
def _of(finder: Any) -> Mapping[str, Parameter]:
    if finder is None:
        return {}
    return {
        name: Parameter(name, one.default)
        for name, one in inspect.signature(finder).parameters.items()
        if one.kind is inspect.Parameter.KEYWORD_ONLY
    }


def _said(parameter: Parameter) -> str:
    default = parameter.default
    return str(list(default) if isinstance(default, tuple) else default)
