"""Queries: access patterns as conditions on fields, the input of every engine's planner."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from keywright.ir.pattern import ConstantCondition, Excluded, Pattern, Value
from keywright.record import Record

ConditionKind: TypeAlias = Literal[
    "equals", "one_of", "between", "at_least", "above", "at_most", "below", "prefix", "present", "not", "contains",
    "all_of", "exactly", "search", "near", "length", "any_of",
]  # fmt: skip
"""Comparisons. `between` includes both ends by default; a caller can leave one end open with None."""

CALLER_LIST = "one_of", "all_of", "exactly"
"""Comparisons with several values from the caller."""


_SIGNS = {"at_least": ">=", "above": ">", "at_most": "<=", "below": "<", "not": "!="}
"""Signs of comparisons with one constant in reports."""


class Condition(Record):
    """One condition on one field; all conditions of a query must hold."""

    field: str
    """Dotted path of Python names, or a computed attribute."""
    kind: ConditionKind
    """The comparison."""
    constants: tuple[Value, ...] | None = None
    """The values in the declaration; None if the caller passes them."""
    excludes: Excluded = ""
    """The ends of a range that do not belong to it."""
    alternatives: tuple[tuple["Condition", ...], ...] = ()
    """For `any_of`: the conditions of each alternative."""

    @property
    def tested(self) -> tuple["Condition", ...]:
        """The conditions on single fields in it."""
        return tuple(condition for part in self.alternatives for condition in part) or (self,)

    @property
    def excludes_first(self) -> bool:
        """Whether the first end of a range does not belong to it."""
        return self.excludes in ("first", "both")

    @property
    def excludes_last(self) -> bool:
        """Whether the last end of a range does not belong to it."""
        return self.excludes in ("last", "both")

    @property
    def is_given(self) -> bool:
        """Whether the caller passes the value."""
        return self.constants is None and self.kind != "present"

    @property
    def is_single(self) -> bool:
        """Whether it allows exactly one value of the field in a call."""
        return self.kind == "equals"

    def __str__(self) -> str:
        """The condition in reports."""
        match self.kind, self.constants:
            case "equals", None:
                return f"{self.field} = :{self.field}"
            case "equals", (value,):
                return f"{self.field} = {value!r}"
            case "one_of", None:
                return f"{self.field} in :{self.field}"
            case "one_of", values:
                return f"{self.field} in ({', '.join(map(repr, values or ()))})"
            case kind, (value,) if kind in _SIGNS:
                return f"{self.field} {_SIGNS[kind]} {value!r}"
            case "present", _:
                return f"{self.field} is present"
            case "length", (least, most):
                bounds = f"{least or 0} or more" if most is None else f"{least or 0} to {most}"
                return f"length of {self.field} is {bounds}"
            case "any_of", _:
                return "(" + " or ".join(" and ".join(map(str, part)) for part in self.alternatives) + ")"
            case "prefix" | "contains" as kind, (value,):
                return f"{self.field} {'begins with' if kind == 'prefix' else kind} {value!r}"
            case "between", _ if self.excludes:
                ends = "both ends" if self.excludes == "both" else f"its {self.excludes} end"
                return f"{self.field} between :{self.field} without {ends}"
            case kind, _:
                return f"{self.field} {kind.replace('_', ' ')} :{self.field}"


class Ordering(Record):
    """One field of an order."""

    field: str
    """Dotted path of Python names."""
    is_descending: bool = False
    """Whether the largest comes first."""


class Query(Record):
    """The engine-neutral form of one pattern."""

    pattern: Pattern
    """The pattern."""
    conditions: tuple[Condition, ...]
    """Its conditions, equality first; for writes, the conditions that choose the item come before its guards."""
    order: tuple[Ordering, ...] = ()
    """The order."""

    def on(self, field: str) -> tuple[Condition, ...]:
        """The conditions on one field."""
        return tuple(condition for condition in self.conditions if condition.field == field)

    def fixed(self, field: str) -> Condition | None:
        """The condition that allows only one value of the field; None if there is none."""
        for condition in self.conditions:
            if condition.field == field and condition.kind == "equals":
                return condition
        return None

    def first(self, field: str, *kinds: ConditionKind) -> Condition | None:
        """The first condition of these kinds on a field; None if there is none."""
        for condition in self.conditions:
            if condition.field == field and condition.kind in kinds:
                return condition
        return None


CHOOSING = frozenset(("get", "rank", "rank_around", "update", "increment", "delete", "take"))
"""Kinds of pattern whose default condition is the primary key."""


def request(pattern: Pattern, key_fields: tuple[str, ...] = ()) -> Query:
    """The query of a pattern.

    key_fields: fields of an entity's key in this store, used for patterns that choose an item without naming
    fields.
    """
    equal = pattern.eq or (key_fields if pattern.kind in CHOOSING else ())
    conditions = [Condition(field, "equals") for field in equal]
    conditions += _constant(pattern.where)
    if pattern.any_of:
        alternatives = tuple(map(_constant, pattern.any_of))
        named = dict.fromkeys(condition.field for part in alternatives for condition in part)
        conditions.append(Condition(" ".join(named), "any_of", (), alternatives=alternatives))
    conditions += (Condition(field, "one_of") for field in pattern.one_of)
    if pattern.kind in SELECTING:
        conditions += _selecting(pattern)
    order = tuple(Ordering(name.removeprefix("-"), name.startswith("-")) for name in pattern.order)
    return Query(pattern, tuple(conditions), order)


def _constant(where: tuple[ConstantCondition, ...]) -> tuple[Condition, ...]:
    return tuple(Condition(condition.field, condition.test, condition.values) for condition in where)


SELECTING = frozenset(("read", "count", "aggregate"))
"""Kinds that choose items by more than equality."""


def _selecting(pattern: Pattern) -> Iterator[Condition]:
    if pattern.range is not None:
        yield Condition(pattern.range, "between", excludes=pattern.excludes)
    if pattern.prefix is not None:
        yield Condition(pattern.prefix, "prefix")
    if pattern.contains is not None:
        yield Condition(pattern.contains, "contains")
    if pattern.all_of is not None:
        yield Condition(pattern.all_of, "all_of")
    if pattern.exactly is not None:
        yield Condition(pattern.exactly, "exactly")
    if pattern.near is not None:
        yield Condition(pattern.near, "near")
    if pattern.search:
        yield Condition(" ".join(pattern.search), "search")


def arguments_of_parts(parts: Sequence[Pattern]) -> tuple[dict[str, str], ...]:
    """For each read of several entities at once: the argument of the call for each of its fields with another name.

    The fields of `eq` take the same values in all reads, under the names of the first read that has the place.
    """
    names: list[str] = []
    arguments: list[dict[str, str]] = []
    for pattern in parts:
        names += pattern.eq[len(names) :]
        arguments.append({field: name for field, name in zip(pattern.eq, names, strict=False) if field != name})
    return tuple(arguments)


def parameters(query: Query) -> Iterator[tuple[str, Any]]:
    """(field, comparison) of every value that a caller passes to choose items, in order; a text search is `search`."""
    for condition in query.conditions:
        if condition.is_given:
            yield ("search" if condition.kind == "search" else condition.field), condition.kind
