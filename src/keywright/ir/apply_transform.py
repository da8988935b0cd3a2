"""What a transform means: the values that it writes into one stored item, computed in Python."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Final, TypeAlias

from .template import Template
from .transform import Split, Transform
from .written import fill, moment, text

Item: TypeAlias = Mapping[str, Any]
"""A stored item: plain Python values by stored name, embedded documents as mappings."""

Values: TypeAlias = dict[str, Any]
"""New values by path; REMOVED for what goes."""


class Marker(Enum):
    """A sign that is no value."""

    REMOVED = "removed"


REMOVED: Final = Marker.REMOVED
"""There is no value, where None would be a null."""

_WHOLE = re.compile(r"-?[0-9]+")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


class Poison(Exception):
    """An item that cannot be transformed, with the reason; the reason holds no value of the item."""


Form: TypeAlias = Callable[[str, Any], Any]
"""The stored form of a value at a path."""


def as_it_is(path: str, value: Any) -> Any:
    """The stored form of a value in a store that holds every Python value."""
    return value


def apply(transform: Transform, item: Item, form: Form = as_it_is) -> Values | None:
    """The values that a transform writes into an item: those that differ from what is there; None where none does.

    form: the form in which the store holds a value at a path, as a read would give it; ValueError for one that it does
    not hold. Raises Poison for an item that cannot be transformed.
    """
    return applied(transform, form)(item)


def applied(transform: Transform, form: Form = as_it_is) -> Callable[[Item], Values | None]:
    """`apply` for many items."""
    steps = tuple(step for kind, step in STEPS.items() if getattr(transform, kind))

    def changes(item: Item) -> Values | None:
        state = _State(item)
        for step in steps:
            state.made.update(dict(step(transform, state)))  # all of it first: steps of a kind do not see each other
        found: Values = {}
        for path, value in state.made.items():
            if value is not REMOVED:
                value = _formed(form, path, value)
            if not is_same(value, at(item, path)):
                _must_hold(item, path, value)
                found[path] = value
        return found or None

    return changes


def _formed(form: Form, path: str, value: Any) -> Any:
    try:
        return form(path, value)
    except (ValueError, OverflowError, ArithmeticError) as error:
        raise Poison(f'"{path}": {error}') from error


class _State:
    """An item while it is transformed."""

    __slots__ = ("item", "made")

    def __init__(self, item: Item) -> None:
        self.item, self.made = item, Values()

    def now(self, path: str) -> Any:
        """The present value at a path; REMOVED where there is none."""
        return self.made[path] if path in self.made else at(self.item, path)

    def given(self, path: str) -> Any:
        """The present value at a path; None where there is none."""
        value = self.now(path)
        return None if value is REMOVED else value


def at(item: Item, path: str) -> Any:
    """The value at a path of an item; REMOVED where there is none, Poison where the path leads through a list or a
    single value.
    """
    if "." not in path:
        return item.get(path, REMOVED)
    found: Any = item
    for name in path.split("."):
        if found is None or found is REMOVED:
            return REMOVED
        if not isinstance(found, Mapping):
            raise Poison(f'"{path}" leads through a {type(found).__name__}')
        found = found.get(name, REMOVED)
    return found


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are stored alike: numbers of different types or digits are not."""
    kind = type(one)
    if kind is str or one is REMOVED:
        return kind is type(other) and bool(one == other)
    if kind is not type(other):
        are_whole = isinstance(one, int) and isinstance(other, int)
        return are_whole and not isinstance(one, bool) and not isinstance(other, bool) and one == other
    match one:
        case Decimal():
            return bool(one.as_tuple() == other.as_tuple())
        case float():
            return repr(one) == repr(other)
        case list() | tuple():
            return len(one) == len(other) and all(map(is_same, one, other))
        case dict():
            return one.keys() == other.keys() and all(is_same(value, other[key]) for key, value in one.items())
        case _:
            return bool(one == other)


def _must_hold(item: Item, path: str, value: Any) -> None:
    """A value is written only into an embedded document that is there."""
    if "." in path and value is not REMOVED:
        outer = path.rpartition(".")[0]
        if not isinstance(at(item, outer), Mapping):
            raise Poison(f'"{outer}" is no embedded document, so "{path}" cannot be written')


def _copy(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for new, old in transform.copy:
        if (value := state.now(old)) is not REMOVED:
            yield new, value


def _rename(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    moved = [(new, old, state.now(old)) for new, old in transform.rename]
    yield from ((old, REMOVED) for _, old, value in moved if value is not REMOVED)
    yield from ((new, value) for new, _, value in moved if value is not REMOVED)


def _split(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for path, split in transform.split:
        value = state.given(path)
        if value is None:
            continue
        if not isinstance(value, str):
            raise Poison(f'"{path}" is a {type(value).__name__} and no text to split')
        yield from _parts(split, value)


def _parts(split: Split, value: str) -> Iterator[tuple[str, str]]:
    yield from zip(split.into, value.split(split.on, len(split.into) - 1), strict=False)


def _cast(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for path, type_ in transform.cast:
        value = state.given(path)
        if value is None:
            continue
        try:
            yield path, CASTS[type_](value)
        except (ValueError, ArithmeticError) as error:
            raise Poison(f'"{path}" is a {type(value).__name__} that cannot be read as {type_}') from error


def _map(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for path, pairs in transform.map:
        value = state.given(path)
        if isinstance(value, (str, bool, int)) and (known := dict(pairs).get(text(value))) is not None:
            yield path, known


def _set(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for path, made in transform.set:
        if not isinstance(made, Template):
            if state.given(path) is None:
                yield path, made
            continue
        try:
            value = fill(made, state.given)
        except ValueError as error:
            raise Poison(f'"{made.text}": {error}') from error
        if value is not None:
            yield path, value


def _unset(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    yield from ((path, REMOVED) for path in transform.unset)


def _to_int(value: Any) -> int:
    match value:
        case bool():
            return int(value)
        case int():
            return value
        case str() if _WHOLE.fullmatch(value) and len(value) < 1000:
            return int(value)
        case float() | Decimal() if value == value.__trunc__():
            return int(value)
    raise ValueError


def _to_decimal(value: Any) -> Decimal:
    match value:
        case Decimal():
            return value
        case str() if _NUMBER.fullmatch(value):
            return Decimal(value)
        case int() if not isinstance(value, bool):
            return Decimal(value)
        case float() if value == value and abs(value) != float("inf"):
            return Decimal(repr(value))
    raise ValueError


def _to_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    known = {"true": True, "false": False} if isinstance(value, str) else {0: False, 1: True}
    if isinstance(value, (str, int, Decimal)) and value in known:
        return known[value]  # type: ignore[index]
    raise ValueError


def _to_datetime(value: Any) -> datetime:
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return moment(value)


CASTS: dict[str, Callable[[Any], Any]] = {
    "str": text, "int": _to_int, "decimal": _to_decimal, "bool": _to_bool, "datetime": _to_datetime,
}  # fmt: skip
"""How a value is read as one of another type; ValueError for what cannot be."""

STEPS: dict[str, Callable[[Transform, _State], Iterable[tuple[str, Any]]]] = {
    "copy": _copy, "rename": _rename, "split": _split, "cast": _cast, "map": _map, "set": _set, "unset": _unset,
}  # fmt: skip
"""What the steps of each kind write, in the order in which they are carried out; each kind sees what it found."""
