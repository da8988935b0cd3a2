"""Residual filters: conditions that no key decides, checked on instances after reading."""

from collections.abc import Callable
from typing import Any

from keywright.access.query import Condition
from keywright.runtime.items import text as forms
from keywright.runtime.items.codec import Unreadable
from keywright.runtime.validate.arguments import Arguments

Judge = Callable[[Any], bool]
"""Whether an instance meets the conditions."""

Form = Callable[[Any], Any]
"""Converts values of the model and of a call to the stored form, so that they compare as in the store."""


def residual_filter(
    residual: tuple[Condition, ...], form_of: Callable[[Condition], Form]
) -> Callable[[Arguments], Judge] | None:
    """A function from a call's arguments to its filter of instances; None if there are no residual conditions.

    form_of: the conversion of values of a condition's field to the stored form.
    """
    if not residual:
        return None
    readers = [(condition, value_of(condition.field), form_of(condition)) for condition in residual]

    def bind(arguments: Arguments) -> Judge:
        tests = [
            (
                read,
                form,
                _test_of(condition),
                tuple(map(form, () if condition.kind == "present" else arguments.of(condition))),
            )
            for condition, read, form in readers
        ]
        return lambda item: (
            type(item) is Unreadable
            or all(holds(_compared(read(item), form), operands) for read, form, holds, operands in tests)
        )

    return bind


def value_of(path: str) -> Callable[[Any], Any]:
    """A function from an instance to the value of a field; None if a value along the path is None."""
    names = path.split(".")

    def value(item: Any) -> Any:
        for name in names:
            if item is None:
                return None
            item = getattr(item, name)
        return forms.plain(item)

    return value


def _compared(value: Any, form: Form) -> Any:
    return [form(element) for element in value] if isinstance(value, (list, tuple, set, frozenset)) else form(value)


def _between(value: Any, ends: tuple[Any, ...]) -> bool:
    first, last = ends
    return value is not None and (first is None or value >= first) and (last is None or value <= last)


def _test_of(condition: Condition) -> Callable[[Any, tuple[Any, ...]], bool]:
    holds = _HOLDS[condition.kind]
    if not condition.excludes:
        return holds

    def is_inside(value: Any, ends: tuple[Any, ...]) -> bool:
        is_end = (condition.excludes_first and value == ends[0]) or (condition.excludes_last and value == ends[1])
        return holds(value, ends) and not is_end

    return is_inside


def _holds_all(value: Any, operands: tuple[Any, ...]) -> bool:
    return all(operand in (value or ()) for operand in operands)


_HOLDS: dict[str, Callable[[Any, tuple[Any, ...]], bool]] = {
    "equals": lambda value, operands: value == operands[0],
    "one_of": lambda value, operands: value in operands,
    "between": _between,
    "at_least": lambda value, operands: value is not None and value >= operands[0],
    "above": lambda value, operands: value is not None and value > operands[0],
    "at_most": lambda value, operands: value is not None and value <= operands[0],
    "below": lambda value, operands: value is not None and value < operands[0],
    "prefix": lambda value, operands: value is not None and str(value).startswith(operands[0]),
    "present": lambda value, _: value is not None,
    "not": lambda value, operands: value != operands[0],
    "contains": _holds_all,
    "all_of": _holds_all,
    "exactly": lambda value, operands: (
        _holds_all(value, operands) and all(element in operands for element in value or ())
    ),
}
