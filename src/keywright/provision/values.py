"""Inputs in the form of Pulumi, which drops None and has only floats as numbers, and of its Python SDK."""

import re
from functools import cache
from typing import Any

from keywright.ir.json import Json

NULL, INTEGER = "$null", "$integer"
"""Keys of the objects for None, and for an integer beyond the precision of a float."""

EXACT = 2**53
"""Floats represent every integer up to this one."""


def sent(value: Json) -> Any:
    """A value in the form of a program's input to Pulumi."""
    match value:
        case None:
            return {NULL: True}
        case bool():
            return value
        case int() if abs(value) > EXACT:
            return {INTEGER: str(value)}
        case list():
            return [sent(inner) for inner in value]
        case dict():
            return {key: sent(inner) for key, inner in value.items()}
    return value


def received(value: Any) -> Json:
    """The inverse of `sent`; None values in objects are dropped."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [received(inner) for inner in value]
        case {"$null": True}:
            return None
        case {"$integer": str(text)}:
            return int(text)
        case dict():
            return {key: received(inner) for key, inner in value.items() if inner is not None}
    return value  # type: ignore[no-any-return]  # a text, a bool or a fraction


VERBATIM = ("tags", "dimensions")
"""Arguments whose keys are names of the user or the service."""


def snake(inputs: dict[str, Any]) -> dict[str, Any]:
    """Inputs with the argument names of the Python SDK: `hash_key` for `hashKey`, at every depth."""
    return {_snake(key): value if key in VERBATIM else _inner(value) for key, value in inputs.items()}


def _inner(value: Any) -> Any:
    if isinstance(value, dict):
        return snake(value)
    return [_inner(element) for element in value] if isinstance(value, list) else value


@cache
def _snake(name: str) -> str:
    return re.sub(r"([A-Z])", lambda match: f"_{match[1].lower()}", name)
