"""What a pattern asks of its entity, field by field: the form in which every engine's path finder reads it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from keywright.ir.pattern import Pattern, Value

How: TypeAlias = Literal[
    "equals", "one_of", "between", "at_least", "below", "prefix", "present", "not", "contains", "all_of", "exactly",
    "search", "near",
]  # fmt: skip
"""How a field is compared. `between` includes both ends, either of which a caller may leave open with None."""

CALLER_LIST = "one_of", "all_of", "exactly"
"""Comparisons for which the caller gives several values."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One condition on one field; all conditions of a request must hold."""

    field: str
    """Dotted path of Python names, or a computed attribute."""
    how: How
    """How it is compared."""
    constants: tuple[Value, ...] | None = None
    """The values, where the declaration gives them; None where the caller does."""

    @property
    def is_given(self) -> bool:
        """Whether the caller gives the value."""
        return self.constants is None and self.how != "present"

    @property
    def is_single(self) -> bool:
        """Whether it leaves the field exactly one value in a call."""
        return self.how == "equals"

    def __str__(self) -> str:
        """As reports word it."""
        match self.how, self.constants:
            case "equals", None:
                return f"{self.field} = :{self.field}"
            case "equals", (value,):
                return f"{self.field} = {value!r}"
            case "one_of", None:
                return f"{self.field} in :{self.field}"
            case "one_of", values:
                return f"{self.field} in ({', '.join(map(repr, values or ()))})"
            case "at_least", (value,):
                return f"{self.field} >= {value!r}"
            case "below", (value,):
                return f"{self.field} < {value!r}"
            case "not", (value,):
                return f"{self.field} != {value!r}"
            case "present", _:
                return f"{self.field} is present"
            case how, _:
                return f"{self.field} {how.replace('_', ' ')} :{self.field}"


@dataclass(frozen=True, slots=True)
class Ordering:
    """One field of an order."""

    field: str
    """Dotted path of Python names."""
    is_descending: bool = False
    """Whether the largest comes first."""


@dataclass(frozen=True, slots=True)
class Request:
    """What one pattern asks."""

    pattern: Pattern
    """The pattern."""
    asked: tuple[Asked, ...]
    """Its conditions, equality first; for writes those that choose the item come before those that guard it."""
    order: tuple[Ordering, ...] = ()
    """The wanted order."""

    def on(self, field: str) -> tuple[Asked, ...]:
        """The conditions on one field."""
        return tuple(one for one in self.asked if one.field == field)

    def fixed(self, field: str) -> Asked | None:
        """The condition that leaves the field one value, if there is one."""
        for one in self.asked:
            if one.field == field and one.how == "equals":
                return one
        return None

    def one(self, field: str, *how: How) -> Asked | None:
        """The first condition of these kinds on a field, if there is one."""
        for one in self.asked:
            if one.field == field and one.how in how:
                return one
        return None


CHOOSING = frozenset(("get", "rank", "update", "increment", "delete", "take"))
"""Kinds that mean the primary key where they name no field."""


def request(pattern: Pattern, key_fields: tuple[str, ...] = ()) -> Request:
    """What a pattern asks.

    key_fields: fields that identify an item of the entity in this store; taken where the pattern chooses an item and
    names no field by which.
    """
    equal = pattern.eq or (key_fields if pattern.kind in CHOOSING else ())
    asked = [Asked(field, "equals") for field in equal]
    asked += (Asked(condition.field, condition.test, condition.values) for condition in pattern.where)
    asked += (Asked(field, "one_of") for field in pattern.one_of)
    if pattern.kind in SELECTING:
        asked += _selecting(pattern)
    order = tuple(Ordering(name.removeprefix("-"), name.startswith("-")) for name in pattern.order)
    return Request(pattern, tuple(asked), order)


SELECTING = frozenset(("read", "count", "aggregate"))
"""Kinds that choose items by more than equality."""


def _selecting(pattern: Pattern) -> Iterator[Asked]:
    if pattern.range is not None:
        yield Asked(pattern.range, "between")
    if pattern.prefix is not None:
        yield Asked(pattern.prefix, "prefix")
    if pattern.contains is not None:
        yield Asked(pattern.contains, "contains")
    if pattern.all_of is not None:
        yield Asked(pattern.all_of, "all_of")
    if pattern.exactly is not None:
        yield Asked(pattern.exactly, "exactly")
    if pattern.near is not None:
        yield Asked(pattern.near, "near")
    if pattern.search:
        yield Asked(" ".join(pattern.search), "search")


def parameters(asked: Request) -> Iterator[tuple[str, Any]]:
    """(field, how it is compared) of every value that a caller gives to choose items, in order; search is `search`."""
    for one in asked.asked:
        if one.is_given:
            yield ("search" if one.how == "search" else one.field), one.how
