"""Conditions that no key decides, judged on instances that were read."""

from collections.abc import Callable
from typing import Any

from keywright.access.request import Asked
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.runtime import text as forms
from keywright.runtime.given import Given

Test = Callable[[Any], bool]


def judge(residual: tuple[Asked, ...], attributes: tuple[Attribute, ...]) -> Callable[[Given], Test] | None:
    """A function from a call to the test of an instance; None where nothing is left to judge."""
    if not residual:
        return None
    fields = [(one, value_of(one.field), _form(one, attributes)) for one in residual]

    def made(given: Given) -> Test:
        tests = [(read, form, _HOLDS[one.how], tuple(map(form, given.of(one)))) for one, read, form in fields]
        return lambda item: all(holds(form(read(item)), asked) for read, form, holds, asked in tests)

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


def _form(asked: Asked, attributes: tuple[Attribute, ...]) -> Callable[[Any], Any]:
    """What makes values of the model and of a call alike: classes whose text is stored are compared as text."""
    found = resolve(attributes, asked.field)
    if found and isinstance(found[-1].type, Scalar) and found[-1].type.is_converted:
        return lambda value: value if value is None else str(value)
    return forms.plain


def _between(value: Any, ends: tuple[Any, ...]) -> bool:
    first, last = ends
    return value is not None and (first is None or value >= first) and (last is None or value <= last)


def _holds_all(value: Any, wanted: tuple[Any, ...]) -> bool:
    inside = [forms.plain(one) for one in value or ()]
    return all(one in inside for one in wanted)


def _holds_only(value: Any, wanted: tuple[Any, ...]) -> bool:
    return _holds_all(value, wanted) and all(forms.plain(one) in wanted for one in value or ())


_HOLDS: dict[str, Callable[[Any, tuple[Any, ...]], bool]] = {
    "equals": lambda value, wanted: value == wanted[0],
    "one_of": lambda value, wanted: value in wanted,
    "between": _between,
    "at_least": lambda value, wanted: value is not None and value >= wanted[0],
    "below": lambda value, wanted: value is not None and value < wanted[0],
    "prefix": lambda value, wanted: value is not None and str(value).startswith(wanted[0]),
    "present": lambda value, _: value is not None,
    "not": lambda value, wanted: value != wanted[0],
    "contains": lambda value, wanted: _holds_all(value, wanted),
    "all_of": _holds_all,
    "exactly": _holds_only,
}
