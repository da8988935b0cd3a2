"""What a pattern must answer, computed in Python from the instances that were loaded."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import pairwise, product
from typing import Any

from keywright.access.request import Ordering, Request
from keywright.ir.binding import Binding
from keywright.ir.template import parse
from keywright.runtime.fill import writer
from keywright.runtime.given import Given

from .values import Read, holds


def matching(instances: Iterable[Any], asked: Request, given: Given, read: Read) -> list[Any]:
    """The instances for which all conditions hold, in no order."""
    conditions = [(one, given.of(one)) for one in asked.asked]
    return [instance for instance in instances if all(holds(instance, one, values, read) for one, values in conditions)]


def misplaced(items: Sequence[Any], order: Sequence[Ordering], read: Read) -> str | None:
    """The first pair of neighbours in the wrong order, in words; items that are equal in it may come either way."""
    for at, (left, right) in enumerate(pairwise(items)):
        for one in order:
            first, second = read(left, one.field)[0], read(right, one.field)[0]
            if first == second:
                continue
            if (first < second) == one.is_descending:
                return f'items {at} and {at + 1} are in the wrong order of "{one.field}": {first!r}, {second!r}'
            break
    return None


def surplus(found: Sequence[Any], wanted: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """(what was found and not wanted, what was wanted and not found); each as often as it is."""
    rest, extra = list(wanted), list[Any]()
    for item in found:
        if item in rest:
            rest.remove(item)
        else:
            extra.append(item)
    return extra, rest


def places(instance: Any, rivals: Sequence[Any], order: Ordering, read: Read) -> range:
    """The places that an instance may have among others; several where some are equal to it."""
    own = read(instance, order.field)[0]
    values = [read(rival, order.field)[0] for rival in rivals]
    before = sum(value > own if order.is_descending else value < own for value in values)
    return range(before, before + sum(value == own for value in values))


def aggregated(instances: Iterable[Any], asked: Request, binding: Binding, read: Read) -> list[dict[str, Any]]:
    """The rows of an aggregate, in no order: a path into a list makes one row for each element."""
    pattern = asked.pattern
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
            figures = groups.setdefault(key, {measure.name: [] for measure in pattern.measures})
            for measure in pattern.measures:
                figures[measure.name].append(row[measure.of])
    return [
        {
            **dict(zip(pattern.group, key, strict=True)),
            **{measure.name: _FIGURES[measure.figure](figures[measure.name]) for measure in pattern.measures},
        }
        for key, figures in groups.items()
    ]


_FIGURES: dict[str, Callable[[list[Any]], Any]] = {
    "sum": sum,
    "avg": lambda values: sum(values) / len(values),
    "distinct": lambda values: len(set(values)),
}


def _rows(instance: Any, paths: Sequence[str], read: Read) -> Iterable[dict[str, Any]]:
    """The values by path, for each element of the list that paths lead into; of one list, elements stay together."""
    lists = {path.rpartition(".")[0] for path in paths if "." in path}
    alone = {path: read(instance, path) for path in paths if path.rpartition(".")[0] not in lists or "." not in path}
    single = {path: values[0] for path, values in alone.items() if values}
    choices = [
        [
            {path: getattr(element, path.rpartition(".")[2]) for path in paths if path.rpartition(".")[0] == name}
            for element in read(instance, name)[0]
        ]
        for name in sorted(lists)
    ]
    for combination in product(*choices):
        row = dict(single)
        for part in combination:
            row |= part
        yield row


def is_close(found: Any, wanted: Any, tolerance: float = 1e-9) -> bool:
    """Whether two figures are the same but for what sums of binary fractions lose."""
    if isinstance(found, (int, float, Decimal)) and isinstance(wanted, (int, float, Decimal)):
        return abs(float(found) - float(wanted)) <= tolerance * max(1.0, abs(float(found)), abs(float(wanted)))
    return bool(found == wanted)
