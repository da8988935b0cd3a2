"""Chooses the calls by which a pattern is proved: the busiest values, others at random, and some that nothing has."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from keywright.access.request import Asked, Request
from keywright.runtime.given import Given

from .values import Read, holds

_MARKS = ".,;:!?\"'()"

SUBJECTS = 3
"""Calls with values that some item has."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The values of one call."""

    values: dict[str, Any]
    """By field path; the words of a search under `search`."""
    is_missing: bool = False
    """Whether no item has them."""

    @property
    def given(self) -> Given:
        """As the evaluation takes them."""
        return Given(self.values)


def choose(asked: Request, instances: Sequence[Any], read: Read, rng: Random) -> Iterator[Chosen]:
    """Some calls of a pattern that selects: none where no instance can lend its values."""
    constant = [one for one in asked.asked if one.constants is not None]
    fitting = [
        instance for instance in instances if all(holds(instance, one, one.constants or (), read) for one in constant)
    ]
    lending = [instance for instance in fitting or instances if _lends(instance, asked, read)]
    if not any(one.is_given for one in asked.asked):
        yield Chosen({})
        return
    for subject in _subjects(lending, asked, read, rng):
        group = [instance for instance in lending if _same(instance, subject, asked, read)]
        yield Chosen(_values(asked, subject, group, lending, read, rng))
    if lending and (missing := _missing(asked, lending, read, rng)):
        yield missing


def _lends(instance: Any, asked: Request, read: Read) -> bool:
    """Whether an instance has a value for everything that a call gives."""
    for one in asked.asked:
        if one.is_given and one.how != "search":
            values = read(instance, one.field)
            if not values or (one.how in ("contains", "all_of", "exactly") and not values[0]):
                return False
    return True


def _equal(instance: Any, asked: Request, read: Read) -> tuple[Any, ...]:
    fields = (one.field for one in asked.asked if one.is_given and one.how == "equals")
    return tuple(read(instance, field)[0] for field in fields)


def _same(instance: Any, subject: Any, asked: Request, read: Read) -> bool:
    return _equal(instance, asked, read) == _equal(subject, asked, read)


def _subjects(lending: list[Any], asked: Request, read: Read, rng: Random) -> Iterator[Any]:
    """The instance whose values most others share, then some at random."""
    if not lending:
        return
    counts = Counter(_equal(instance, asked, read) for instance in lending)
    busiest, _ = max(counts.items(), key=lambda pair: (pair[1], str(pair[0])))
    group = [instance for instance in lending if _equal(instance, asked, read) == busiest]
    yield group[len(group) // 2]
    yield from rng.sample(lending, min(SUBJECTS - 1, len(lending)))


def _values(
    asked: Request, subject: Any, group: list[Any], lending: list[Any], read: Read, rng: Random
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in asked.asked:
        if not one.is_given:
            continue
        if one.how == "search":
            found["search"] = _rarest(one.field.split(" "), subject, lending, read)
            continue
        found[one.field] = _value(one, asked, subject, group, lending, read, rng)
    return found


def _rarest(fields: list[str], subject: Any, lending: list[Any], read: Read) -> str:
    """The word of an instance that the fewest others have: whatever the ranking, it is among the first."""

    def words(instance: Any) -> set[str]:
        texts = (str(value) for field in fields for value in read(instance, field))
        return {word.strip(_MARKS).lower() for text in texts for word in text.split()}

    counts = Counter(word for instance in lending for word in words(instance))
    return min(words(subject), key=lambda word: (counts[word], -len(word), word), default="")


def _value(
    one: Asked, asked: Request, subject: Any, group: list[Any], lending: list[Any], read: Read, rng: Random
) -> Any:
    own = read(subject, one.field)[0]
    match one.how:
        case "one_of":
            others = [read(other, one.field)[0] for other in rng.sample(lending, min(3, len(lending)))]
            return list(dict.fromkeys([own, *others]))
        case "between":
            return _range(sorted(read(other, one.field)[0] for other in group), asked.pattern.span_seconds)
        case "prefix":
            return str(own)[: max(1, len(str(own)) // 2)]
        case "contains":
            return sorted(own, key=str)[0]
        case "all_of":
            return sorted(own, key=str)[:2]
        case "exactly":
            return list(own)
        case "near":
            return _place(own)
        case _:
            return own


def _range(values: list[Any], span_seconds: int | None) -> tuple[Any, Any]:
    """The middle half of the values; of times no more than the pattern's usual span, up to the last."""
    low, high = values[len(values) // 4], values[(3 * len(values)) // 4]
    if isinstance(high, datetime) and span_seconds is not None:
        low = max(low, high - timedelta(seconds=span_seconds))
    return low, high


def _place(value: Any) -> tuple[float, float]:
    """Longitude and latitude of a place in one of the forms that models give it."""
    if hasattr(value, "coordinates"):
        longitude, latitude = value.coordinates
        return float(longitude), float(latitude)
    return float(value.longitude), float(value.latitude)


def _missing(asked: Request, lending: list[Any], read: Read, rng: Random) -> Chosen | None:
    """A call with a value that no instance has, if some field can take one."""
    chosen = _values(asked, lending[0], [lending[0]], lending, read, rng)
    for one in asked.asked:
        if one.is_given and one.how == "equals":
            other = _other(chosen[one.field], [read(instance, one.field)[0] for instance in lending])
            if other is not None:
                return Chosen({**chosen, one.field: other}, is_missing=True)
    return None


def _other(value: Any, taken: list[Any]) -> Any:
    match value:
        case bool():
            return None
        case int():
            return max(taken) + 1 if max(taken) < 2**31 - 1 else None
        case UUID():
            return UUID(int=(value.int ^ 0xFFFF) & (2**128 - 1))
        case str() if len(value) > 1:
            other = value[:-1] + ("a" if value[-1] != "a" else "b")
            return other if other not in taken else None
        case _:
            return None
