"""Values of instances by field path, and conditions evaluated on them in Python."""

from collections.abc import Callable, Iterator
from typing import Any

from keywright.access.query import Condition
from keywright.ir.binding import Binding
from keywright.ir.pattern import Collation
from keywright.runtime.items.fill import writer
from keywright.runtime.items.text import plain

from .collation import collated
from .moment import moment

ReadValues = Callable[[Any, str], list[Any]]
"""(instance, path): all values at the path; several if the path leads through a list, none if a value on it is None."""


def reading(binding: Binding, rules: Collation | None = None) -> ReadValues:
    """Reader of the values of a binding's instances, computed attributes included.

    rules: language rules by which texts are compared.
    """
    timeuuids = {field for field, native in getattr(binding.spec, "types", {}).items() if native == "timeuuid"}

    def values(instance: Any, path: str) -> list[Any]:
        if path in binding.computed:
            return [_computed(instance, path)]
        along = _along(instance, path.split("."))
        return [moment(value) for value in along] if path in timeuuids else list(along)

    def collated_values(instance: Any, path: str) -> list[Any]:
        assert rules is not None
        return [collated(rules, value) for value in values(instance, path)]

    def _computed(instance: Any, name: str) -> str:
        parts = binding.computed[name].parts
        return "".join(
            part if isinstance(part, str) else writer(part)(values(instance, part.path)[0]) for part in parts
        )

    return values if rules is None else collated_values


def _along(value: Any, names: list[str]) -> Iterator[Any]:
    if value is None:
        return
    if not names:
        yield plain(value)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for element in value:
            yield from _along(element, names)
    else:
        yield from _along(getattr(value, names[0]), names[1:])


def holds(instance: Any, condition: Condition, operands: tuple[Any, ...], read: ReadValues) -> bool:
    """Whether a condition holds for an instance.

    operands: the condition's constants, or the values of the call. A search matches any field that contains one of the
    words; relevance is not computed.
    """
    if condition.kind == "search":
        words = str(operands[0]).lower().split()
        texts = [str(value).lower() for field in condition.field.split(" ") for value in read(instance, field)]
        return any(word in text for word in words for text in texts)
    if condition.kind == "any_of":
        return any(
            all(holds(instance, other, other.constants or (), read) for other in part)
            for part in condition.alternatives
        )
    if condition.kind == "length" or (condition.kind == "contains" and condition.constants is not None):
        return _holds_constant(condition, read(instance, condition.field), operands)
    if condition.kind == "near":
        return bool(read(instance, condition.field))
    values = [element for value in read(instance, condition.field) for element in _spread(value)]
    if condition.kind in ("equals", "one_of"):  # a collection is also compared as a whole
        values += [value for value in read(instance, condition.field) if isinstance(value, _COLLECTIONS)]
    if condition.kind == "between":
        values = [value for value in values if not _is_excluded(condition, value, operands)]
    return _TESTS[condition.kind](values, operands)


def _holds_constant(condition: Condition, values: list[Any], operands: tuple[Any, ...]) -> bool:
    """Whether the number of elements is within bounds, or a list or text contains a constant."""
    if condition.kind == "length":
        least, most = operands
        return any(len(value) >= (least or 0) and (most is None or len(value) <= most) for value in values)
    (constant,) = operands
    return any(constant in value if isinstance(value, str) else constant in _spread(value) for value in values)


def _is_excluded(condition: Condition, value: Any, ends: tuple[Any, ...]) -> bool:
    """Whether a value is an end of a range that does not belong to it."""
    return (condition.excludes_first and value == ends[0]) or (condition.excludes_last and value == ends[1])


_COLLECTIONS = (list, tuple, set, frozenset)


def _spread(value: Any) -> list[Any]:
    return [plain(element) for element in value] if isinstance(value, _COLLECTIONS) else [value]


def first_of(instance: Any, field: str, read: ReadValues) -> Any:
    """The first value of a field; None if it has none."""
    return next(iter(read(instance, field)), None)


def is_less(left: Any, right: Any) -> bool | None:
    """Whether a value is smaller; None for values that Python does not compare, such as those of two types in a field
    of any type."""
    try:
        return bool(left < right)
    except TypeError:
        return None


def _between(values: list[Any], ends: tuple[Any, ...]) -> bool:
    low, high = ends
    return any((low is None or value >= low) and (high is None or value <= high) for value in values)


_TESTS: dict[str, Callable[[list[Any], tuple[Any, ...]], bool]] = {
    "equals": lambda values, operands: operands[0] in values or (operands[0] is None and not values),
    "one_of": lambda values, operands: any(value in operands for value in values),
    "between": _between,
    "at_least": lambda values, operands: any(value >= operands[0] for value in values),
    "above": lambda values, operands: any(value > operands[0] for value in values),
    "at_most": lambda values, operands: any(value <= operands[0] for value in values),
    "below": lambda values, operands: any(value < operands[0] for value in values),
    "prefix": lambda values, operands: any(str(value).startswith(operands[0]) for value in values),
    "present": lambda values, operands: bool(values),
    "not": lambda values, operands: operands[0] not in values,
    "contains": lambda values, operands: operands[0] in values,
    "all_of": lambda values, operands: all(value in values for value in operands),
    "exactly": lambda values, operands: (
        len(values) == len(operands)
        and all(value in operands for value in values)
        and all(value in values for value in operands)
    ),
}
