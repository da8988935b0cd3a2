"""Implication between conditions: sound, but not complete."""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from keywright.ir.attribute import Attribute, Many, Map, Scalar
from keywright.ir.entity import resolve
from keywright.record import Record

from .query import Condition


class FieldTest(Record):
    """A condition on one field."""

    field: str
    """Dotted path of Python names."""
    kind: Literal["equals", "one_of", "at_least", "above", "at_most", "below", "present", "type"]
    """The comparison; `type` lists the types that the value can have."""
    values: tuple[Any, ...] = ()
    """The constants."""


class All(Record):
    """All of several conditions."""

    parts: tuple["Predicate", ...]
    """The conditions; without any, always true."""


class Some(Record):
    """At least one of several conditions."""

    parts: tuple["Predicate", ...]
    """The conditions; without any, never true."""


Predicate: TypeAlias = FieldTest | All | Some


class _ValueFacts(Record):
    """Properties of a field's value in every item that meets a query's conditions."""

    values: tuple[Any, ...] | None
    """The only possible values."""
    least: Any = None
    """The inclusive lower bound."""
    limit: Any = None
    """The exclusive upper bound."""
    is_present: bool = False
    """Whether the value exists and is not null."""
    kind: str = ""
    """Its logical kind, if it exists."""


def implies(
    conditions: Iterable[Condition], predicate: Predicate, attributes: tuple[Attribute, ...], *, by_type: bool
) -> bool:
    """Whether every item that meets all conditions meets the predicate.

    by_type: whether the types of fields count too. They do if keywright itself fills the index; a server, which sees
    only the query, does not know them.
    """
    conditions = tuple(conditions)
    match predicate:
        case All(parts):
            return all(implies(conditions, part, attributes, by_type=by_type) for part in parts)
        case Some(parts):
            return any(implies(conditions, part, attributes, by_type=by_type) for part in parts) or _by_cases(
                conditions, predicate, attributes, by_type=by_type
            )
        case FieldTest():
            return _holds(predicate, _value_facts(conditions, predicate.field, attributes, by_type=by_type))


def _by_cases(
    conditions: tuple[Condition, ...], some: Some, attributes: tuple[Attribute, ...], *, by_type: bool
) -> bool:
    """Whether each value of a finite condition implies a part: `a in (1, 2)` implies `a = 1 or a = 2`."""
    for condition in conditions:
        if condition.kind == "one_of" and condition.constants:
            others = tuple(another for another in conditions if another is not condition)
            cases = (Condition(condition.field, "equals", (value,)) for value in condition.constants)
            if all(
                any(implies((*others, case), part, attributes, by_type=by_type) for part in some.parts)
                for case in cases
            ):
                return True
    return False


def _value_facts(
    conditions: tuple[Condition, ...], field: str, attributes: tuple[Attribute, ...], *, by_type: bool
) -> _ValueFacts:
    attributes_of_path = resolve(attributes, field)
    kind = attributes_of_path[-1].type if attributes_of_path else None
    may_be_null = not attributes_of_path or any(
        attribute.is_nullable or (by_type and isinstance(attribute.type, (Many, Map)))
        for attribute in attributes_of_path
    )
    values: tuple[Any, ...] | None = None
    is_present = False
    if by_type and attributes_of_path and isinstance(kind, Scalar) and not may_be_null:
        is_present = True
        if kind.constants or kind.kind == "boolean":
            values = kind.constants or (False, True)
    least = limit = None
    for condition in conditions:
        if condition.field != field:
            continue
        match condition.kind, condition.constants:
            case (("equals" | "one_of"), tuple() as constants):
                values = constants if values is None else tuple(value for value in values if value in constants)
                is_present = is_present or None not in constants
            case (("equals" | "one_of"), None):
                # A caller can pass null if the field can be null.
                is_present = is_present or not may_be_null
            case "at_least", (value,):
                least, is_present = value if least is None or _precedes(least, value) else least, True
            case "below", (value,):
                limit, is_present = value if limit is None or _precedes(value, limit) else limit, True
            case (("present" | "prefix" | "between"), _):
                is_present = True
            case (("contains" | "all_of"), _):
                is_present = is_present or not (isinstance(kind, Many) and kind.has_null_elements)
            case _:
                pass
    return _ValueFacts(values, least, limit, is_present, kind.kind if isinstance(kind, Scalar) else "")


def _holds(test: FieldTest, facts: _ValueFacts) -> bool:
    values = facts.values
    match test.kind:
        case "present":
            return facts.is_present
        case "type":
            return facts.is_present and facts.kind in test.values
        case "equals" | "one_of":
            return values is not None and all(_in(value, test.values) for value in values)
        case "at_least":
            return _compared(values, facts.least, lambda value: value >= test.values[0])
        case "above":
            return _compared(values, facts.least, lambda value: value > test.values[0])
        case "below":
            return _compared(values, None, lambda value: value < test.values[0]) or _is_below(facts, test)
        case "at_most":
            return _compared(values, None, lambda value: value <= test.values[0]) or _is_below(facts, test)


def _in(value: Any, values: tuple[Any, ...]) -> bool:
    """Whether a value is in a tuple; true is not 1, because stores distinguish them."""
    return any(type(value) is type(allowed) and value == allowed for allowed in values)


def _compared(values: tuple[Any, ...] | None, end: Any, holds: Any) -> bool:
    try:
        if values:
            return all(holds(value) for value in values)
        return end is not None and bool(holds(end))
    except TypeError:
        return False


def _is_below(facts: _ValueFacts, test: FieldTest) -> bool:
    """Whether the value's upper bound is at most the value of the test."""
    end = test.values[0]
    return facts.limit is not None and (facts.limit == end or _precedes(facts.limit, end))


def _precedes(first: Any, second: Any) -> bool:
    """Whether the first value is smaller; values of different types are not compared."""
    try:
        return bool(first < second)
    except TypeError:
        return False
