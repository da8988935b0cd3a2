"""Conditions that no key decides, judged on instances that were read."""

from collections.abc import Callable
from typing import Any

from keywright.access.request import Asked
from keywright.runtime import text as forms
from keywright.runtime.given import Given

Judge = Callable[[Any], bool]
"""Whether the conditions hold for an instance."""

Form = Callable[[Any], Any]
"""Makes values of the model and of a call alike, as the store keeps them."""


def judge(residual: tuple[Asked, ...], form_of: Callable[[Asked], Form]) -> Callable[[Given], Judge] | None:
    """A function from a call to the judge of an instance; None where nothing is left to judge.

    form_of: how the values of a condition's field are made alike.
    """
    if not residual:
        return None
    fields = [(one, value_of(one.field), form_of(one)) for one in residual]

    def made(given: Given) -> Judge:
        tests = [
            (read, form, _HOLDS[one.how], tuple(map(form, () if one.how == "present" else given.of(one))))
            for one, read, form in fields
        ]
        return lambda item: all(holds(_alike(read(item), form), wanted) for read, form, holds, wanted in tests)

    return made


def value_of(path: str) -> Callable[[Any], Any]:
    """A function from an instance to the value of a field; None where something on the way is None."""
    names = path.split(".")

    def value(item: Any) -> Any:
        for name in names:
            if item is None:
                return None
            item = getattr(item, name)
        return forms.plain(item)

    return value


def _alike(value: Any, form: Form) -> Any:
    return [form(one) for one in value] if isinstance(value, (list, tuple, set, frozenset)) else form(value)


def _between(value: Any, ends: tuple[Any, ...]) -> bool:
    first, last = ends
    return value is not None and (first is None or value >= first) and (last is None or value <= last)


def _holds_all(value: Any, wanted: tuple[Any, ...]) -> bool:
    return all(one in (value or ()) for one in wanted)


_HOLDS: dict[str, Callable[[Any, tuple[Any, ...]], bool]] = {
    "equals": lambda value, wanted: value == wanted[0],
    "one_of": lambda value, wanted: value in wanted,
    "between": _between,
    "at_least": lambda value, wanted: value is not None and value >= wanted[0],
    "below": lambda value, wanted: value is not None and value < wanted[0],
    "prefix": lambda value, wanted: value is not None and str(value).startswith(wanted[0]),
    "present": lambda value, _: value is not None,
    "not": lambda value, wanted: value != wanted[0],
    "contains": _holds_all,
    "all_of": _holds_all,
    "exactly": lambda value, wanted: _holds_all(value, wanted) and all(one in wanted for one in value or ()),
}
