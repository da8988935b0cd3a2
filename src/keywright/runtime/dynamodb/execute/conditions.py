"""Filters and guards: conditions of a pattern as expressions of one request."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from keywright.access.query import Condition
from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.keys import field_type
from keywright.ir.attribute import Many, Type
from keywright.ir.binding import Binding
from keywright.ir.distinct import distinct
from keywright.ir.entity import resolve
from keywright.ir.pattern import Excluded
from keywright.runtime.items import text as forms
from keywright.runtime.validate.arguments import Arguments

from .natives import ToNative, element_of, writer_of


class RequestExpression:
    """Names and values of the expressions of one request, with unique placeholders."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, ToNative] = {}

    def name(self, *path: str) -> str:
        """Placeholder of an attribute, or of a path into one."""
        return ".".join(self._placeholder(part) for part in path)

    def _placeholder(self, name: str) -> str:
        for placeholder, existing in self.names.items():
            if existing == name:
                return placeholder
        stem = "#" + "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
        placeholder = stem if stem not in self.names else f"{stem}_{len(self.names)}"
        self.names[placeholder] = name
        return placeholder

    def value(self, native: ToNative) -> str:
        """Placeholder of a value."""
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = native
        return placeholder

    def parts(self) -> dict[str, Any]:
        """Names and values as parameters of the request; empty ones are left out."""
        parameters: dict[str, Any] = {}
        if self.names:
            parameters["ExpressionAttributeNames"] = self.names
        if self.values:
            parameters["ExpressionAttributeValues"] = self.values
        return parameters


ConditionWriter = Callable[[RequestExpression, Arguments], str]
"""Function that writes one condition with the values of a call."""


def filter_of(binding: Binding[Item], condition: Condition) -> ConditionWriter:
    """Function that writes a condition."""
    if condition.kind == "any_of":
        return _any_of(binding, condition)
    path = stored(binding, condition.field)
    if condition.kind == "length":
        return _length(binding, condition, path)
    if condition.kind == "contains" and not isinstance(_type_of(binding, condition.field), Many):
        return _substring(path, writer_of(binding, condition.field), str((condition.constants or ("",))[0]))
    if condition.kind == "present":
        return _present(binding, condition, path)
    if condition.kind in ("contains", "all_of", "exactly"):
        return _list_condition(binding, condition, path)
    write = writer_of(binding, condition.field)
    test = _range(condition.excludes) if condition.kind == "between" else _TESTS[condition.kind]

    def write_condition(expression: RequestExpression, arguments: Arguments) -> str:
        values = [forms.plain(value) for value in arguments.of(condition)]
        return test(expression, expression.name(*path), values, write)

    return write_condition


def stored(binding: Binding[Item], path: str) -> tuple[str, ...]:
    """Stored names along a field's path; for a computed attribute, its own name."""
    attributes = resolve(binding.entity.attributes, path)
    return tuple(attribute.stored for attribute in attributes) if attributes else (path,)


def _present(binding: Binding[Item], condition: Condition, path: tuple[str, ...]) -> ConditionWriter:
    is_list = isinstance(_type_of(binding, condition.field), Many)

    def write_condition(expression: RequestExpression, arguments: Arguments) -> str:
        name = expression.name(*path)
        test = _is_there(expression, name)
        return f"{test} AND size({name}) > {expression.value({'N': '0'})}" if is_list else test

    return write_condition


def _type_of(binding: Binding[Item], path: str) -> Type | None:
    attributes = resolve(binding.entity.attributes, path)
    return attributes[-1].type if attributes else None


def _any_of(binding: Binding[Item], condition: Condition) -> ConditionWriter:
    """Function that writes alternatives; the service rejects redundant parentheses, and AND binds closer than OR."""
    parts = [[filter_of(binding, test) for test in part] for part in condition.alternatives]

    def write_condition(expression: RequestExpression, arguments: Arguments) -> str:
        texts = (" AND ".join(write(expression, arguments) for write in part) for part in parts)
        return f"({' OR '.join(texts)})"

    return write_condition


def _length(binding: Binding[Item], condition: Condition, path: tuple[str, ...]) -> ConditionWriter:
    """Function that writes bounds of a number of elements; an empty set is not stored."""
    least, most = condition.constants or (None, None)
    is_set = field_type(binding, condition.field) in ("SS", "NS", "BS")

    def write_condition(expression: RequestExpression, arguments: Arguments) -> str:
        name = expression.name(*path)
        tests = [f"size({name}) >= {expression.value({'N': str(least)})}"] if least else []
        tests += [f"size({name}) <= {expression.value({'N': str(most)})}"] if most is not None else []
        if is_set and not least:
            return f"(attribute_not_exists({name}) OR {tests[0]})" if tests else _always(name)
        # Without a lower bound, size() of an absent or null attribute fails the test too.
        return " AND ".join(tests) or f"size({name}) >= {expression.value({'N': '0'})}"

    return write_condition


def _substring(path: tuple[str, ...], write: Callable[[Any], ToNative], text: str) -> ConditionWriter:
    """Function that writes the condition that a text contains another one."""
    return lambda expression, arguments: f"contains({expression.name(*path)}, {expression.value(write(text))})"


def _always(name: str) -> str:
    """A condition that is true of every item."""
    return f"(attribute_exists({name}) OR attribute_not_exists({name}))"


def _is_there(expression: RequestExpression, name: str) -> str:
    """Condition that an attribute has a value which is not null."""
    return f"attribute_exists({name}) AND NOT attribute_type({name}, {expression.value({'S': 'NULL'})})"


def _list_condition(binding: Binding[Item], condition: Condition, path: tuple[str, ...]) -> ConditionWriter:
    write = element_of(binding, condition.field)

    def write_condition(expression: RequestExpression, arguments: Arguments) -> str:
        name, values = expression.name(*path), distinct(arguments.of(condition))
        tests = [f"contains({name}, {expression.value(write(value))})" for value in values]
        if condition.kind == "exactly":
            # Empty sets are not stored.
            size = f"size({name}) = {expression.value({'N': str(len(values))})}"
            tests.append(size if values else f"(attribute_not_exists({name}) OR {size})")
        # A condition without values is true of every item.
        return " AND ".join(tests) or _always(name)

    return write_condition


def _equals(expression: RequestExpression, name: str, value: Any, write: Callable[[Any], ToNative]) -> str:
    if value is None:
        return f"(attribute_not_exists({name}) OR attribute_type({name}, {expression.value({'S': 'NULL'})}))"
    return f"{name} = {expression.value(write(value))}"


def _one_of(expression: RequestExpression, name: str, values: Sequence[Any], write: Callable[[Any], ToNative]) -> str:
    placeholders = [expression.value(write(value)) for value in distinct(values) if value is not None]
    if not placeholders:
        return f"attribute_exists({name}) AND attribute_not_exists({name})"  # never true: nothing equals null
    # IN accepts 100 values. Source: .../developerguide/Expressions.OperatorsAndFunctions.html, 2026-11-21.
    tests = [
        f"{name} IN ({', '.join(placeholders[start : start + 100])})" for start in range(0, len(placeholders), 100)
    ]
    # The service rejects redundant parentheses.
    return tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})"


def _range(excludes: Excluded) -> "_Write":
    """Function that writes a range without some of its ends."""
    above, below = ">" if excludes in ("first", "both") else ">=", "<" if excludes in ("last", "both") else "<="
    return partial(_between, signs=(above, below))


def _between(
    expression: RequestExpression,
    name: str,
    values: Sequence[Any],
    write: Callable[[Any], ToNative],
    signs: tuple[str, str] = (">=", "<="),
) -> str:
    low, high = values
    tests = [f"{name} {signs[0]} {expression.value(write(low))}"] if low is not None else []
    tests += [f"{name} {signs[1]} {expression.value(write(high))}"] if high is not None else []
    # Null and absent values are in no range, not even in one without ends.
    return " AND ".join(tests) or _is_there(expression, name)


def _not(expression: RequestExpression, name: str, values: Sequence[Any], write: Callable[[Any], ToNative]) -> str:
    if values[0] is None:
        return _is_there(expression, name)
    return f"(attribute_not_exists({name}) OR {name} <> {expression.value(write(values[0]))})"


def _prefix(expression: RequestExpression, name: str, values: Sequence[Any], write: Callable[[Any], ToNative]) -> str:
    return f"begins_with({name}, {expression.value(write(values[0]))})"


_Write = Callable[[RequestExpression, str, Sequence[Any], Callable[[Any], ToNative]], str]

_TESTS: dict[str, _Write] = {
    "equals": lambda expression, name, values, write: _equals(expression, name, values[0], write),
    "one_of": _one_of,
    "at_least": lambda expression, name, values, write: f"{name} >= {expression.value(write(values[0]))}",
    "above": lambda expression, name, values, write: f"{name} > {expression.value(write(values[0]))}",
    "at_most": lambda expression, name, values, write: f"{name} <= {expression.value(write(values[0]))}",
    "below": lambda expression, name, values, write: f"{name} < {expression.value(write(values[0]))}",
    "prefix": _prefix,
    "not": _not,
}  # fmt: skip
"""Functions that write the comparisons of a single value."""
