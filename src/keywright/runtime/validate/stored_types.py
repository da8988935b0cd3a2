"""Checks of the classes of stored values on reading, because a model would silently convert another type.

A value that is read and put back is unchanged, or reading it fails. Whole numbers and floats replace each other without
loss, because shells and other languages write one for the other.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NoReturn

from ..function_source import FunctionSource


class WrongType(TypeError):
    """A stored value of a type that its field rejects."""


def expected(source: FunctionSource, kind: str, value: str) -> str:
    """Python text that returns a value of the expected class unchanged, and converts or rejects any other.

    kind: kind of a scalar, one of `CLASSES`. value: the text of a name.
    """
    own_class, convert = CLASSES[kind]
    return f"({value} if {value}.__class__ is {own_class.__name__} else {source.use(convert, kind)}({value}))"


def refuse(value: Any) -> NoReturn:
    """Raise WrongType."""
    raise WrongType(type(value).__name__)


def whole_number(value: Any) -> int:
    """A number of any class as an int; WrongType for a fraction and for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
        refuse(value)
    return int(value)


def real(value: Any) -> float:
    """A number as a float; WrongType for anything else, and for a whole number that no float represents."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        refuse(value)
    number = float(value)
    return number if number == value or number != number else refuse(value)


def exact(value: Any) -> Decimal:
    """A number as a decimal; a float becomes the shortest decimal that reads as the same float."""
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        refuse(value)
    return Decimal(value)


def text(value: Any) -> str:
    """A text; WrongType for anything else."""
    return value if isinstance(value, str) else refuse(value)


def octets(value: Any) -> bytes:
    """Bytes, subclasses included; WrongType for anything else."""
    return value if isinstance(value, bytes) else refuse(value)


def elements(value: Any) -> list[Any]:
    """A list; WrongType for anything else, because Python also iterates over texts and mappings."""
    return value if isinstance(value, list) else refuse(value)


def elements_of(count: int) -> Callable[[Any], Any]:
    """A function that returns a list or tuple of a number of elements; WrongType for anything else."""

    def elements(value: Any) -> Any:
        return value if isinstance(value, (list, tuple)) and len(value) == count else refuse(value)

    return elements


def members(value: Any) -> Mapping[str, Any]:
    """A mapping; WrongType for anything else, because `in` also works on texts and lists."""
    return value if isinstance(value, (dict, Mapping)) else refuse(value)


CLASSES: dict[str, tuple[type, Any]] = {
    "string": (str, refuse), "boolean": (bool, refuse), "integer": (int, whole_number), "float": (float, real),
    "bytes": (bytes, octets),
}  # fmt: skip
"""By kind: the class that needs no check, and the converter of other classes."""
