"""Partial indexes: a filter as a predicate, and the test whether a query implies it.

The server compares the text of a query with the text of the filter; it does not know the types of fields. Therefore the
constants of both are converted to one form, and a value from the caller implies only that the field is present.
Source: https://www.mongodb.com/docs/manual/core/index-partial/#query-coverage, 2026-11-21.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from keywright.access.implication import All, FieldTest, Predicate, Some, implies
from keywright.access.query import Condition
from keywright.ir.json import Json
from keywright.ir.pattern import Value
from keywright.record import replace

from ..schema.filters import constant

if TYPE_CHECKING:
    from .layout import Layout

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TESTS: dict[str, Any] = {
    "$eq": "equals", "$gte": "at_least", "$gt": "above", "$lte": "at_most", "$lt": "below", "$in": "one_of",
}  # fmt: skip
_COMBINATIONS: dict[str, type[All] | type[Some]] = {"$and": All, "$or": Some}


def predicate_of(filter: Json, names: Mapping[str, str]) -> Predicate | None:
    """A partialFilterExpression as a predicate over fields as patterns name them; None for unsupported operators.

    names: name in Python by path in documents.
    """
    if not isinstance(filter, dict):
        return None
    parts: list[Predicate | None] = []
    for key, test in filter.items():
        if key in _COMBINATIONS and isinstance(test, list):
            operands = [predicate_of(operand, names) for operand in test]
            understood = tuple(operand for operand in operands if operand is not None)
            parts.append(_COMBINATIONS[key](understood) if len(understood) == len(operands) else None)
        else:
            parts += tests_of_field(names.get(key, key), test)
    predicates = tuple(part for part in parts if part is not None)
    return All(predicates) if len(predicates) == len(parts) else None


def by_types(predicate: Predicate, admitted: Callable[[str], tuple[str, ...]]) -> Predicate:
    """A predicate whose tests of types are tests of presence, or never true, by the BSON types that a field admits.

    Those of alternatives remain: the server infers no types, and a request that repeats alternatives helps it no more.
    Source: mongod 6.0.5, 2026-11-28.
    """
    match predicate:
        case All(parts):
            return All(tuple(by_types(part, admitted) for part in parts))
        case FieldTest(field, "type", types):
            is_met = bool(admitted(field)) and all(_is_one_of(type, types) for type in admitted(field))
            return FieldTest(field, "present") if is_met else Some(())
        case _:
            return predicate


def _is_one_of(type: str, types: tuple[str, ...]) -> bool:
    return type in types or ("number" in types and type in ("int", "long", "double", "decimal"))


def is_implied(view: "Layout", conditions: tuple[Condition, ...], filter: Predicate, present: Iterable[str]) -> bool:
    """Whether an index contains every document of a query; of alternatives, the server must infer one by itself.

    present: fields for which the call rejects null.
    """
    present = tuple(present)
    match filter:
        case All(parts):
            return all(is_implied(view, conditions, part, present) for part in parts)
        case Some(parts):
            return any(is_inferred(view, conditions, part, present) for part in parts)
        case FieldTest():
            plain = tuple(comparable(view, condition) for condition in conditions)
            presence = tuple(Condition(field, "present") for field in present)
            return implies((*plain, *presence), filter, view.attributes, by_type=False)


def is_inferred(view: "Layout", conditions: tuple[Condition, ...], filter: Predicate, present: Iterable[str]) -> bool:
    """Whether the server infers from the conditions alone that an index contains every document of a query.

    It does not compare a list of several values with another list, and it infers no types. Source: mongod 6.0.5,
    2026-11-28.
    """
    present = tuple(present)
    match filter:
        case All(parts):
            return all(is_inferred(view, conditions, part, present) for part in parts)
        case Some(parts):
            return any(is_inferred(view, conditions, part, present) for part in parts)
        case FieldTest(kind="type"):
            return False
        case FieldTest(field, "one_of", values):
            own = [comparable(view, entry) for entry in conditions if entry.field == field and entry.kind == "one_of"]
            is_equal = any({*map(repr, entry.constants or ())} == {*map(repr, values)} for entry in own)
            return is_equal or (not own and is_implied(view, conditions, filter, present))
        case FieldTest():
            return is_implied(view, conditions, filter, present)


def is_decided(view: "Layout", condition: Condition, filter: Predicate) -> bool:
    """Whether every document in an index meets a condition, so that no document is read in vain."""
    if condition.constants is None and condition.kind != "present":
        return False
    filter_form = comparable(view, condition)
    tests = filter.parts if isinstance(filter, All) else (filter,)
    for test in tests:
        if not isinstance(test, FieldTest) or test.field != condition.field:
            continue
        if condition.kind == "present" and test.kind == "present":
            return not view.is_nullable(condition.field)
        if test.kind in ("equals", "one_of") and condition.kind in ("equals", "one_of"):
            return all(value in (filter_form.constants or ()) for value in test.values)
        if test.kind == condition.kind and test.values == filter_form.constants:
            return True
    return False


def comparable(view: "Layout", condition: Condition) -> Condition:
    """A condition whose constants have the form of a filter's constants."""
    if not condition.constants:
        return condition
    native = view.types.get(condition.field, "string")
    return replace(condition, constants=tuple(native_constant(value, native) for value in condition.constants))


def native_constant(value: Value, native: str) -> Any:
    """A constant as the value of a filter's Extended JSON."""
    return _plain(constant(value, native))


def tests_of_field(field: str, test: Json) -> list[Predicate | None]:
    """The tests of one field in a filter; None for each unsupported operator."""
    if not isinstance(test, dict) or not any(key in _TESTS or key in ("$exists", "$type") for key in test):
        return [FieldTest(field, "equals", (_plain(test),))]
    tests: list[Predicate | None] = []
    for operator, value in test.items():
        if operator == "$in" and isinstance(value, list):
            tests.append(FieldTest(field, "one_of", tuple(map(_plain, value))))
        elif operator == "$exists" and value is True:
            tests.append(FieldTest(field, "present"))
        elif operator == "$type":
            types = tuple(map(str, value)) if isinstance(value, list) else (str(value),)
            tests.append(FieldTest(field, "type", types))
        elif operator in _TESTS:
            tests.append(FieldTest(field, _TESTS[operator], (_plain(value),)))
        else:
            tests.append(None)
    return tests


def _plain(value: Json) -> Any:
    """The value of relaxed Extended JSON; values without a simple form are unchanged."""
    match value:
        case {"$date": str() as text}:
            return datetime.fromisoformat(text.replace("Z", "+00:00"))
        case {"$date": {"$numberLong": str() as number}}:
            return _EPOCH + timedelta(milliseconds=int(number))
        case {"$numberDecimal": str() as number}:
            return Decimal(number)
        case {"$numberLong": str() as number} | {"$numberInt": str() as number}:
            return int(number)
        case {"$oid": str() as text}:
            return text
        case _:
            return value
