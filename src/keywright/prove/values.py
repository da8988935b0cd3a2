"""Values of instances by field path, and whether a condition holds for them: the plain meaning of a pattern."""

from collections.abc import Callable, Iterator
from typing import Any

from keywright.access.request import Asked
from keywright.ir.binding import Binding
from keywright.runtime.fill import writer
from keywright.runtime.text import plain

Read = Callable[[Any, str], list[Any]]
"""(instance, path): every value there; several where the path leads through a list, none where something is null."""


def reading(binding: Binding) -> Read:
    """How the values of a binding's instances are read, computed attributes included."""

    def values(instance: Any, path: str) -> list[Any]:
        if path in binding.computed:
            return [_computed(instance, path)]
        return list(_along(instance, path.split(".")))

    def _computed(instance: Any, name: str) -> str:
        parts = binding.computed[name].parts
        return "".join(
            part if isinstance(part, str) else writer(part)(values(instance, part.path)[0]) for part in parts
        )

    return values


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


def holds(instance: Any, asked: Asked, given: tuple[Any, ...], read: Read) -> bool:
    """Whether a condition holds for an instance.

    given: the condition's constants, or the values of the call. Text relevance is not decided here: any field that
    contains one of the words counts.
    """
    if asked.how == "search":
        words = str(given[0]).lower().split()
        texts = [str(value).lower() for field in asked.field.split(" ") for value in read(instance, field)]
        return any(word in text for word in words for text in texts)
    if asked.how == "near":
        return bool(read(instance, asked.field))
    values = [one for value in read(instance, asked.field) for one in _spread(value)]
    return _TESTS[asked.how](values, given)


def _spread(value: Any) -> list[Any]:
    return [plain(one) for one in value] if isinstance(value, (list, tuple, set, frozenset)) else [value]


def _between(values: list[Any], ends: tuple[Any, ...]) -> bool:
    low, high = ends
    return any((low is None or value >= low) and (high is None or value <= high) for value in values)


_TESTS: dict[str, Callable[[list[Any], tuple[Any, ...]], bool]] = {
    "equals": lambda values, given: given[0] in values or (given[0] is None and not values),
    "one_of": lambda values, given: any(value in given for value in values),
    "between": _between,
    "at_least": lambda values, given: any(value >= given[0] for value in values),
    "below": lambda values, given: any(value < given[0] for value in values),
    "prefix": lambda values, given: any(str(value).startswith(given[0]) for value in values),
    "present": lambda values, given: bool(values),
    "not": lambda values, given: given[0] not in values,
    "contains": lambda values, given: given[0] in values,
    "all_of": lambda values, given: all(one in values for one in given),
    "exactly": lambda values, given: set(values) == set(given) and len(values) == len(given),
}
