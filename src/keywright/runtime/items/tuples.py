"""Generated expressions of tuples, each element in its own type; an engine stores them as lists or tuples."""

from collections.abc import Callable
from typing import TypeAlias

from keywright.ir.attribute import Tuple, Type
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.validate.stored_types import elements_of

Convert: TypeAlias = Callable[[Type], str]
"""Python expression that converts an element, named `v`."""


def written(type: Tuple, value: str, source: FunctionSource, convert: Convert, null: str = "None") -> str:
    """Python expression of the list of native elements. null: the native form of None."""
    return _called(type, value, source, convert, f"({null} if v is None else {{}})")


def read(type: Tuple, value: str, source: FunctionSource, convert: Convert, is_null: str = "v is None") -> str:
    """Python expression of the list of elements of a stored value. is_null: the test of a null element, named `v`."""
    checked = f"{source.use(elements_of(len(type.elements)), 'elements')}({value})"
    return _called(type, checked, source, convert, f"(None if {is_null} else {{}})")


def _called(type: Tuple, value: str, source: FunctionSource, convert: Convert, nullable: str) -> str:
    """A call of a generated function that converts one element after the other. nullable: the form around `{}`."""
    name = source.fresh("tuple")
    body = ["made = []"]
    for position, element in enumerate(type.elements):
        converted = convert(element)
        if position in type.nullable:
            converted = nullable.replace("{}", converted)
        body += [f"v = t[{position}]", f"made.append({converted})"]
    source.define(f"{name}(t)", [*body, "return made"])
    return f"{name}({value})"
