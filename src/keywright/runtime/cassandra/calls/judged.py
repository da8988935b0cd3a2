"""Conditions judged on an item that was read."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from keywright.access.request import Asked
from keywright.runtime import text as forms
from keywright.runtime.given import Given

from ..values import to_timestamp

Judge = Callable[[Any], bool]
"""Whether a condition holds for an instance."""


def judge(residual: tuple[Asked, ...], exact: frozenset[str]) -> Callable[[Given], Judge] | None:
    """A function from a call to what judges an instance; None where nothing is to be judged.

    exact: fields whose times are kept to the microsecond.
    """
    if not residual:
        return None

    def made(given: Given) -> Judge:
        wanted = [
            (one, one.field in exact, tuple(_plain(value, exact=one.field in exact) for value in _values(one, given)))
            for one in residual
        ]
        return lambda item: all(
            _holds(one.how, _plain(_of(item, one.field), exact=is_exact), values) for one, is_exact, values in wanted
        )

    return made


def _values(asked: Asked, given: Given) -> tuple[Any, ...]:
    return () if asked.how == "present" else given.of(asked)


def _of(item: Any, path: str) -> Any:
    for name in path.split("."):
        if item is None:
            return None
        item = getattr(item, name)
    return item


def _plain(value: Any, *, exact: bool) -> Any:
    """Times as the server keeps them, members of an enum as their values."""
    if isinstance(value, datetime) and value.tzinfo is not None and not exact:
        return to_timestamp(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one, exact=exact) for one in value]
    return forms.plain(value)


def _holds(how: str, value: Any, wanted: tuple[Any, ...]) -> bool:
    match how:
        case "present":
            return value is not None
        case "not":
            return bool(value != wanted[0])
        case "equals" | "one_of":
            return value in wanted
    if value is None:
        return False
    match how:
        case "between":
            first, last = wanted
            return (first is None or bool(first <= value)) and (last is None or bool(value <= last))
        case "at_least":
            return bool(value >= wanted[0])
        case "below":
            return bool(value < wanted[0])
        case "prefix":
            return bool(value.startswith(wanted[0]))
        case "contains":
            return wanted[0] in value
        case "all_of":
            return all(one in value for one in wanted)
        case "exactly":
            return all(one in value for one in wanted) and all(one in wanted for one in value)
        case other:
            raise ValueError(other)
