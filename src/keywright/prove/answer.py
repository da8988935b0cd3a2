"""Expected answers of patterns, computed in Python from the loaded instances."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import pairwise, product
from typing import Any

from keywright.access.query import Ordering, Query
from keywright.ir.binding import Binding
from keywright.ir.template import parse
from keywright.runtime.items.fill import writer
from keywright.runtime.validate.arguments import Arguments

from .values import ReadValues, first_of, holds, is_less


def matching(instances: Iterable[Any], query: Query, arguments: Arguments, read: ReadValues) -> list[Any]:
    """Instances that meet all conditions, unordered."""
    conditions = [(condition, arguments.of(condition)) for condition in query.conditions]
    return [
        instance
        for instance in instances
        if all(holds(instance, condition, values, read) for condition, values in conditions)
    ]


def misplaced(items: Sequence[Any], order: Sequence[Ordering], read: ReadValues) -> tuple[int, Ordering] | None:
    """The first pair of neighbours in the wrong order: the index of the left item, and the ordering it breaks.

    Items with equal values may come in either order, and so may values that Python does not compare.
    """
    for position, (left, right) in enumerate(pairwise(items)):
        for ordering in order:
            first, second = first_of(left, ordering.field, read), first_of(right, ordering.field, read)
            if first == second:
                continue
            if is_less(first, second) is ordering.is_descending:
                return position, ordering
            break
    return None


def surplus(actual: Sequence[Any], expected: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """(unexpected items, missing items), with duplicates."""
    missing, extra = list(expected), list[Any]()
    for item in actual:
        if item in missing:
            missing.remove(item)
        else:
            extra.append(item)
    return extra, missing


def places(instance: Any, rivals: Sequence[Any], order: Ordering, read: ReadValues) -> range:
    """Ranks that an instance may have among its rivals; several if rivals have an equal value."""
    own_value = read(instance, order.field)[0]
    values = [read(rival, order.field)[0] for rival in rivals]
    better = sum(value > own_value if order.is_descending else value < own_value for value in values)
    return range(better, better + sum(value == own_value for value in values))


def aggregated(instances: Iterable[Any], query: Query, binding: Binding, read: ReadValues) -> list[dict[str, Any]]:
    """Unordered rows of an aggregate; a path into a list makes one row for each element."""
    pattern = query.pattern
    groups: dict[tuple[str, ...], dict[str, list[Any]]] = {}
    templates = [parse(text) for text in pattern.group]
    paths = [part.path for template in templates for part in template.placeholders]
    paths += [measure.of for measure in pattern.measures]
    for instance in instances:
        for row in _rows(instance, paths, read):
            key = tuple(
                "".join(part if isinstance(part, str) else writer(part)(row[part.path]) for part in template.parts)
                for template in templates
            )
            values_by_measure = groups.setdefault(key, {measure.name: [] for measure in pattern.measures})
            for measure in pattern.measures:
                values_by_measure[measure.name].append(row[measure.of])
    return [
        {
            **dict(zip(pattern.group, key, strict=True)),
            **{measure.name: _FIGURES[measure.figure](values_by_measure[measure.name]) for measure in pattern.measures},
        }
        for key, values_by_measure in groups.items()
    ]


_FIGURES: dict[str, Callable[[list[Any]], Any]] = {
    "sum": sum,
    "avg": lambda values: sum(values) / len(values),
    "distinct": lambda values: len(set(values)),
}


def _rows(instance: Any, paths: Sequence[str], read: ReadValues) -> Iterable[dict[str, Any]]:
    """Values by path, one row for each element of a list; paths into the same list share a row."""
    lists = {path.rpartition(".")[0] for path in paths if "." in path}
    plain_values = {
        path: read(instance, path) for path in paths if path.rpartition(".")[0] not in lists or "." not in path
    }
    common = {path: values[0] for path, values in plain_values.items() if values}
    elements_by_list = [
        [
            {path: getattr(element, path.rpartition(".")[2]) for path in paths if path.rpartition(".")[0] == name}
            for element in read(instance, name)[0]
        ]
        for name in sorted(lists)
    ]
    for combination in product(*elements_by_list):
        row = dict(common)
        for values in combination:
            row |= values
        yield row


def is_close(actual: Any, expected: Any, tolerance: float = 1e-9) -> bool:
    """Whether two figures are equal up to the rounding of floating-point sums."""
    if isinstance(actual, (int, float, Decimal)) and isinstance(expected, (int, float, Decimal)):
        return abs(float(actual) - float(expected)) <= tolerance * max(1.0, abs(float(actual)), abs(float(expected)))
    return bool(actual == expected)
