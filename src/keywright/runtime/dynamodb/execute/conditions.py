"""Filters and guards: conditions of a pattern as expressions of one request."""

from collections.abc import Callable, Sequence
from typing import Any

from keywright.access.request import Asked
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.runtime import text as forms
from keywright.runtime.given import Given

from .natives import Native, element_of, writer_of


class Expression:
    """Names and values of the expressions of one request, each under a sign of its own."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Native] = {}

    def name(self, *path: str) -> str:
        """The sign of an attribute, or of a path into one."""
        return ".".join(self._sign(one) for one in path)

    def _sign(self, name: str) -> str:
        for sign, known in self.names.items():
            if known == name:
                return sign
        stem = "#" + "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
        sign = stem if stem not in self.names else f"{stem}_{len(self.names)}"
        self.names[sign] = name
        return sign

    def value(self, native: Native) -> str:
        """The sign of a value."""
        sign = f":v{len(self.values)}"
        self.values[sign] = native
        return sign

    def parts(self) -> dict[str, Any]:
        """Names and values as a request carries them; what is empty is left out."""
        found: dict[str, Any] = {}
        if self.names:
            found["ExpressionAttributeNames"] = self.names
        if self.values:
            found["ExpressionAttributeValues"] = self.values
        return found


Judge = Callable[[Expression, Given], str]
"""Writes one condition with the values of a call."""


def judge_of(binding: Binding, asked: Asked) -> Judge:
    """How a condition is written."""
    path = stored(binding, asked.field)
    if asked.how == "present":
        return _present(binding, asked, path)
    if asked.how in ("contains", "all_of", "exactly"):
        return _of_list(binding, asked, path)
    write = writer_of(binding, asked.field)

    def judged(expression: Expression, given: Given) -> str:
        values = [forms.plain(value) for value in given.of(asked)]
        return _TESTS[asked.how](expression, expression.name(*path), values, write)

    return judged


def stored(binding: Binding, path: str) -> tuple[str, ...]:
    """Stored names along a field's path; those of a computed attribute are its own."""
    found = resolve(binding.entity.attributes, path)
    return tuple(one.stored for one in found) if found else (path,)


def _present(binding: Binding, asked: Asked, path: tuple[str, ...]) -> Judge:
    found = resolve(binding.entity.attributes, asked.field)
    is_list = found is not None and isinstance(found[-1].type, Many)

    def judged(expression: Expression, given: Given) -> str:
        name = expression.name(*path)
        test = _is_there(expression, name)
        return f"{test} AND size({name}) > {expression.value({'N': '0'})}" if is_list else test

    return judged


def _is_there(expression: Expression, name: str) -> str:
    """That an attribute has a value which is not null."""
    return f"attribute_exists({name}) AND NOT attribute_type({name}, {expression.value({'S': 'NULL'})})"


def _of_list(binding: Binding, asked: Asked, path: tuple[str, ...]) -> Judge:
    write = element_of(binding, asked.field)

    def judged(expression: Expression, given: Given) -> str:
        name, values = expression.name(*path), list(dict.fromkeys(given.of(asked)))
        tests = [f"contains({name}, {expression.value(write(value))})" for value in values]
        if asked.how == "exactly":
            # No empty set is stored.
            size = f"size({name}) = {expression.value({'N': str(len(values))})}"
            tests.append(size if values else f"(attribute_not_exists({name}) OR {size})")
        # A condition without values asks for nothing, and is true of every item.
        return " AND ".join(tests) or f"(attribute_exists({name}) OR attribute_not_exists({name}))"

    return judged


def _equals(expression: Expression, name: str, value: Any, write: Callable[[Any], Native]) -> str:
    if value is None:
        return f"(attribute_not_exists({name}) OR attribute_type({name}, {expression.value({'S': 'NULL'})}))"
    return f"{name} = {expression.value(write(value))}"


def _one_of(expression: Expression, name: str, values: Sequence[Any], write: Callable[[Any], Native]) -> str:
    signs = [expression.value(write(value)) for value in dict.fromkeys(values) if value is not None]
    if not signs:
        return f"attribute_exists({name}) AND attribute_not_exists({name})"  # never: nothing equals null
    # IN takes 100 values. Source: .../developerguide/Expressions.OperatorsAndFunctions.html, 2026-11-21.
    tests = [f"{name} IN ({', '.join(signs[at : at + 100])})" for at in range(0, len(signs), 100)]
    # The service refuses parentheses that it does not need.
    return tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})"


def _between(expression: Expression, name: str, values: Sequence[Any], write: Callable[[Any], Native]) -> str:
    low, high = values
    tests = [f"{name} >= {expression.value(write(low))}"] if low is not None else []
    tests += [f"{name} <= {expression.value(write(high))}"] if high is not None else []
    # Whatever is null or not there is in no range, not even in one without ends.
    return " AND ".join(tests) or _is_there(expression, name)


def _not(expression: Expression, name: str, values: Sequence[Any], write: Callable[[Any], Native]) -> str:
    if values[0] is None:
        return _is_there(expression, name)
    return f"(attribute_not_exists({name}) OR {name} <> {expression.value(write(values[0]))})"


def _prefix(expression: Expression, name: str, values: Sequence[Any], write: Callable[[Any], Native]) -> str:
    return f"begins_with({name}, {expression.value(write(values[0]))})"


_Write = Callable[[Expression, str, Sequence[Any], Callable[[Any], Native]], str]

_TESTS: dict[str, _Write] = {
    "equals": lambda expression, name, values, write: _equals(expression, name, values[0], write),
    "one_of": _one_of,
    "between": _between,
    "at_least": lambda expression, name, values, write: f"{name} >= {expression.value(write(values[0]))}",
    "below": lambda expression, name, values, write: f"{name} < {expression.value(write(values[0]))}",
    "prefix": _prefix,
    "not": _not,
}  # fmt: skip
"""How each comparison of a single value is written."""
