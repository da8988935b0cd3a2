"""Implication between conditions: sound, but not complete."""

from collections.abc import Callable, Iterable
from operator import ge, gt, le, lt
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
    low: tuple[tuple[Any, bool], ...] = ()
    """Lower bounds, each with whether it is a possible value."""
    high: tuple[tuple[Any, bool], ...] = ()
    """Upper bounds, each with whether it is a possible value."""
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
            return any(implies(conditions, part, attributes, by_type=by_type) for part in parts)
        case FieldTest():
            return _holds(predicate, _value_facts(conditions, predicate.field, attributes, by_type=by_type))


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
            case (("at_least" | "above" | "at_most" | "below" | "present" | "prefix" | "between"), _):
                is_present = True
            case (("contains" | "all_of"), _):
                is_present = is_present or not (isinstance(kind, Many) and kind.has_null_elements)
            case _:
                pass
    low, high = (_bounds(conditions, field, *kinds) for kinds in (("at_least", "above"), ("at_most", "below")))
    return _ValueFacts(values, low, high, is_present, kind.kind if isinstance(kind, Scalar) else "")


def _bounds(conditions: tuple[Condition, ...], field: str, closed: str, open: str) -> tuple[tuple[Any, bool], ...]:
    return tuple(
        (condition.constants[0], condition.kind == closed)
        for condition in conditions
        if condition.field == field and condition.kind in (closed, open) and condition.constants
    )


def _holds(test: FieldTest, facts: _ValueFacts) -> bool:
    values = facts.values
    match test.kind:
        case "present":
            return facts.is_present
        case "type":
            return facts.is_present and facts.kind in test.values
        case "equals" | "one_of":
            return values is not None and all(_in(value, test.values) for value in values)
        case "at_least" | "above":
            return _all_within(values, test) or any(_is_within(bound, test, "above") for bound in facts.low)
        case "at_most" | "below":
            return _all_within(values, test) or any(_is_within(bound, test, "below") for bound in facts.high)


def _in(value: Any, values: tuple[Any, ...]) -> bool:
    """Whether a value is in a tuple; true is not 1, because stores distinguish them."""
    return any(type(value) is type(allowed) and value == allowed for allowed in values)


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {"at_least": ge, "above": gt, "at_most": le, "below": lt}


def _all_within(values: tuple[Any, ...] | None, test: FieldTest) -> bool:
    """Whether there are possible values, and each of them meets the test."""
    try:
        return bool(values) and all(_SIGNS[test.kind](value, test.values[0]) for value in values or ())
    except TypeError:
        return False


def _is_within(bound: tuple[Any, bool], test: FieldTest, exclusive: Literal["above", "below"]) -> bool:
    """Whether every value within a bound meets the test. exclusive: the kind of test that its own constant fails."""
    end, is_possible = bound
    if end == test.values[0]:
        return test.kind != exclusive or not is_possible
    try:
        return bool(_SIGNS[exclusive](end, test.values[0]))
    except TypeError:
        return False
