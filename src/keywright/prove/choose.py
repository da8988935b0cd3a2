"""Calls that prove a pattern: with the most frequent values, with random ones, and with values that no item has."""

import string
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from keywright.access.query import Condition, Query
from keywright.ir.distinct import distinct
from keywright.record import Record
from keywright.runtime.validate.arguments import Arguments

from .values import ReadValues, holds

_MARKS = ".,;:!?\"'()"

SUBJECTS = 3
"""Calls with the values of existing items."""


class CallValues(Record):
    """The values of one call."""

    values: dict[str, Any]
    """Values by field path; the words of a search under `search`."""
    is_missing: bool = False
    """Whether no item has these values."""

    @property
    def given(self) -> Arguments:
        """The values as arguments for evaluating conditions."""
        return Arguments(self.values)


def choose(query: Query, instances: Sequence[Any], read: ReadValues, rng: Random) -> Iterator[CallValues]:
    """Calls of a pattern that selects items; none if no instance has all values that a call needs."""
    constant = [condition for condition in query.conditions if condition.constants is not None]
    matching = [
        instance
        for instance in instances
        if all(holds(instance, condition, condition.constants or (), read) for condition in constant)
    ]
    donors = [instance for instance in matching or instances if _lends(instance, query, read)]
    if not any(condition.is_given for condition in query.conditions):
        yield CallValues({})
        return
    for subject in _subjects(donors, query, read, rng):
        group = [instance for instance in donors if _has_same_values(instance, subject, query, read)]
        yield CallValues(_values(query, subject, group, donors, read, rng))
    if donors and (missing := _missing(query, donors, read, rng)):
        yield missing


def _lends(instance: Any, query: Query, read: ReadValues) -> bool:
    """Whether an instance has a value for every argument of a call."""
    for condition in query.conditions:
        if condition.is_given and condition.kind != "search":
            values = read(instance, condition.field)
            if not values or (condition.kind in ("contains", "all_of", "exactly") and not values[0]):
                return False
    return True


def _equality_values(instance: Any, query: Query, read: ReadValues) -> tuple[Any, ...]:
    fields = (condition.field for condition in query.conditions if condition.is_given and condition.kind == "equals")
    return tuple(read(instance, field)[0] for field in fields)


def _has_same_values(instance: Any, subject: Any, query: Query, read: ReadValues) -> bool:
    return _equality_values(instance, query, read) == _equality_values(subject, query, read)


def _subjects(donors: list[Any], query: Query, read: ReadValues, rng: Random) -> Iterator[Any]:
    """An instance with the most frequent values, then random instances."""
    if not donors:
        return
    texts = [str(_equality_values(instance, query, read)) for instance in donors]  # not every value has a hash
    busiest, _ = max(Counter(texts).items(), key=lambda pair: (pair[1], pair[0]))
    group = [instance for instance, text in zip(donors, texts, strict=True) if text == busiest]
    yield group[len(group) // 2]
    yield from rng.sample(donors, min(SUBJECTS - 1, len(donors)))


def _values(
    query: Query, subject: Any, group: list[Any], donors: list[Any], read: ReadValues, rng: Random
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for condition in query.conditions:
        if not condition.is_given:
            continue
        if condition.kind == "search":
            values["search"] = _rarest(condition.field.split(" "), subject, donors, read)
            continue
        values[condition.field] = _value(condition, query, subject, group, donors, read, rng)
    return values


def _rarest(fields: list[str], subject: Any, donors: list[Any], read: ReadValues) -> str:
    """The rarest word of an instance, so that a search finds the instance whatever the ranking."""

    def words(instance: Any) -> set[str]:
        texts = (str(value) for field in fields for value in read(instance, field))
        return {word.strip(_MARKS).lower() for text in texts for word in text.split()}

    counts = Counter(word for instance in donors for word in words(instance))
    return min(words(subject), key=lambda word: (counts[word], -len(word), word), default="")


def _value(
    condition: Condition, query: Query, subject: Any, group: list[Any], donors: list[Any], read: ReadValues, rng: Random
) -> Any:
    own_value = read(subject, condition.field)[0]
    match condition.kind:
        case "one_of":
            others = [read(other, condition.field)[0] for other in rng.sample(donors, min(3, len(donors)))]
            return distinct([own_value, *others])
        case "between":
            return _range(sorted(read(other, condition.field)[0] for other in group), query.pattern.span_seconds)
        case "prefix":
            return str(own_value)[: max(1, len(str(own_value)) // 2)]
        case "contains":
            return sorted(own_value, key=str)[0]
        case "all_of":
            return sorted(own_value, key=str)[:2]
        case "exactly":
            return list(own_value)
        case "near" if isinstance(own_value, list):
            return _vector(own_value, read(rng.choice(donors), condition.field)[0])
        case "near":
            return _place(own_value)
        case _:
            return own_value


def _range(values: list[Any], span_seconds: int | None) -> tuple[Any, Any]:
    """The middle half of the values; a range of times is shortened to the pattern's usual span before its end."""
    low, high = values[len(values) // 4], values[(3 * len(values)) // 4]
    if isinstance(high, datetime) and span_seconds is not None:
        low = max(low, high - timedelta(seconds=span_seconds))
    return low, high


def _vector(first: list[float], second: list[float]) -> list[float]:
    """A vector near the first one, on the way to the second."""
    return [(3 * a + b) / 4 for a, b in zip(first, second, strict=True)]


def _place(value: Any) -> tuple[float, float]:
    """Longitude and latitude of a place, in either form that models use."""
    if hasattr(value, "coordinates"):
        longitude, latitude = value.coordinates
        return float(longitude), float(latitude)
    return float(value.longitude), float(value.latitude)


def _missing(query: Query, donors: list[Any], read: ReadValues, rng: Random) -> CallValues | None:
    """A call with a value that no instance has; None if no field can take such a value."""
    values = _values(query, donors[0], [donors[0]], donors, read, rng)
    for condition in query.conditions:
        if condition.is_given and condition.kind == "equals":
            unused = _unused_value(values[condition.field], [read(instance, condition.field)[0] for instance in donors])
            if unused is not None:
                return CallValues({**values, condition.field: unused}, is_missing=True)
    return None


def _unused_value(value: Any, used_values: list[Any]) -> Any:
    match value:
        case bool():
            return None
        case int():
            largest = max(used for used in used_values if isinstance(used, int))
            return largest + 1 if largest < 2**31 - 1 else None
        case UUID():
            return UUID(int=(value.int ^ 0xFFFF) & (2**128 - 1))
        case str() if len(value) > 1:
            others = (value[:-1] + letter for letter in _similar_letters(value[-1]))
            return next((other for other in others if other not in used_values), None)
        case _:
            return None


def _similar_letters(letter: str) -> str:
    """Other characters of the same kind: the patterns of most fields allow these in the same position."""
    alphabets = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    return next((alphabet for alphabet in alphabets if letter in alphabet), string.ascii_lowercase).replace(letter, "")
