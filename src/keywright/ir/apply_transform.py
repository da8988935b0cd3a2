"""Applies a transform: computes in Python the values that it writes into one stored item."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Final, TypeAlias

from .template import Template
from .text_form import UnsupportedValue, fill, moment, text
from .transform import Split, Transform

PlainItem: TypeAlias = Mapping[str, Any]
"""A stored item: plain Python values by stored name, embedded documents as mappings."""

ChangedValues: TypeAlias = dict[str, Any]
"""New values by path; REMOVED for removed values."""


class Marker(Enum):
    """A marker that is not a value."""

    REMOVED = "removed"


REMOVED: Final = Marker.REMOVED
"""The absence of a value; None is a null."""

_WHOLE = re.compile(r"-?[0-9]+")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


class Poison(Exception):
    """An item that cannot be transformed; the message gives the reason, without values of the item."""


def reason_of(error: Exception) -> str:
    """The reason why a value is rejected; Python's own messages would quote the value."""
    return str(error) if isinstance(error, UnsupportedValue) else "the value cannot be stored there"


StoredFormOf: TypeAlias = Callable[[str, Any], Any]
"""The stored form of a value at a path."""


def as_it_is(path: str, value: Any) -> Any:
    """The stored form of a value in a store that accepts every Python value."""
    return value


def apply(transform: Transform, item: PlainItem, form: StoredFormOf = as_it_is) -> ChangedValues | None:
    """The values that a transform changes in an item; None if it changes none.

    form: the stored form of a value at a path, as a read returns it; ValueError for a value that the store does not
    accept. Raises Poison for an item that cannot be transformed.
    """
    return applied(transform, form)(item)


def applied(transform: Transform, form: StoredFormOf = as_it_is) -> Callable[[PlainItem], ChangedValues | None]:
    """`apply` for many items."""
    steps = tuple(step for kind, step in STEPS.items() if getattr(transform, kind))

    def changes(item: PlainItem) -> ChangedValues | None:
        state = _State(item)
        for step in steps:
            # A dict first, because steps of a kind do not see each other's values.
            state.written.update(dict(step(transform, state)))
        changed_values: ChangedValues = {}
        for path, value in state.written.items():
            if value is not REMOVED:
                value = _formed(form, path, value)
            if not is_same(value, at(item, path)):
                _check_outer(item, path, value)
                changed_values[path] = value
        return changed_values or None

    return changes


def _formed(form: StoredFormOf, path: str, value: Any) -> Any:
    try:
        return form(path, value)
    except (ValueError, OverflowError, ArithmeticError) as error:
        raise Poison(f'"{path}": {reason_of(error)}') from error


class _State:
    """An item during its transformation."""

    __slots__ = ("item", "written")

    def __init__(self, item: PlainItem) -> None:
        self.item, self.written = item, ChangedValues()

    def now(self, path: str) -> Any:
        """The present value at a path; REMOVED if there is none."""
        return self.written[path] if path in self.written else at(self.item, path)

    def or_none(self, path: str) -> Any:
        """The present value at a path; None if there is none."""
        value = self.now(path)
        return None if value is REMOVED else value


def at(item: PlainItem, path: str) -> Any:
    """The value at a path of an item; REMOVED if there is none, Poison if the path leads through a list or a
    single value.
    """
    if "." not in path:
        return item.get(path, REMOVED)
    value: Any = item
    for name in path.split("."):
        if value is None or value is REMOVED:
            return REMOVED
        if not isinstance(value, Mapping):
            raise Poison(f'"{path}" leads through a {type(value).__name__}')
        value = value.get(name, REMOVED)
    return value


def is_same(value: Any, stored: Any) -> bool:
    """Whether two values have the same stored form: numbers of different types or digits do not."""
    kind = type(value)
    if kind is str or value is REMOVED:
        return kind is type(stored) and bool(value == stored)
    if kind is not type(stored):
        are_whole = isinstance(value, int) and isinstance(stored, int)
        return are_whole and not isinstance(value, bool) and not isinstance(stored, bool) and value == stored
    match value:
        case Decimal():
            return bool(value.as_tuple() == stored.as_tuple())
        case float():
            return repr(value) == repr(stored)
        case list() | tuple():
            return len(value) == len(stored) and all(map(is_same, value, stored))
        case dict():
            return value.keys() == stored.keys() and all(is_same(inner, stored[key]) for key, inner in value.items())
        case _:
            return bool(value == stored)


def _check_outer(item: PlainItem, path: str, value: Any) -> None:
    """Raise Poison if a value would be written into a missing embedded document."""
    if "." in path and value is not REMOVED:
        outer = path.rpartition(".")[0]
        if not isinstance(at(item, outer), Mapping):
            raise Poison(f'"{outer}" is not an embedded document, so "{path}" cannot be written')


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
        value = state.or_none(path)
        if value is None:
            continue
        if not isinstance(value, str):
            raise Poison(f'"{path}" is a {type(value).__name__}, and only text can be split')
        yield from _parts(split, value)


def _parts(split: Split, value: str) -> Iterator[tuple[str, str]]:
    yield from zip(split.into, value.split(split.on, len(split.into) - 1), strict=False)


def _cast(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for path, type_ in transform.cast:
        value = state.or_none(path)
        if value is None:
            continue
        try:
            yield path, CASTS[type_](value)
        except (ValueError, ArithmeticError) as error:
            raise Poison(f'"{path}" is a {type(value).__name__} that cannot be read as {type_}') from error


def _map(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for path, pairs in transform.map:
        value = state.or_none(path)
        if isinstance(value, (str, bool, int)) and (new := dict(pairs).get(text(value))) is not None:
            yield path, new


def _set(transform: Transform, state: _State) -> Iterator[tuple[str, Any]]:
    for path, template in transform.set:
        if not isinstance(template, Template):
            if state.or_none(path) is None:
                yield path, template
            continue
        try:
            value = fill(template, state.or_none)
        except ValueError as error:
            raise Poison(f'"{template.text}": {reason_of(error)}') from error
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
    values = {"true": True, "false": False} if isinstance(value, str) else {0: False, 1: True}
    if isinstance(value, (str, int, Decimal)) and value in values:
        return values[value]  # type: ignore[index]
    raise ValueError


def _to_datetime(value: Any) -> datetime:
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return moment(value)


CASTS: dict[str, Callable[[Any], Any]] = {
    "str": text, "int": _to_int, "decimal": _to_decimal, "bool": _to_bool, "datetime": _to_datetime,
}  # fmt: skip
"""Functions that convert a value to another type; ValueError if it cannot be converted."""

STEPS: dict[str, Callable[[Transform, _State], Iterable[tuple[str, Any]]]] = {
    "copy": _copy, "rename": _rename, "split": _split, "cast": _cast, "map": _map, "set": _set, "unset": _unset,
}  # fmt: skip
"""The steps of each kind, in the order of their execution; each kind sees the values of the kinds before."""
