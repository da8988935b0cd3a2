"""Partial indexes: a filter as a predicate, and whether a request implies it.

The server compares the text of a query with the text of the filter; what fields can hold it does not know. So constants
of both are brought into one form, and a value that the caller gives implies no more than that there is one.
Source: https://www.mongodb.com/docs/manual/core/index-partial/#query-coverage, 2026-11-21.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from keywright.access.predicate import All, Predicate, Some, Test, implies
from keywright.access.request import Asked
from keywright.ir.json import Json
from keywright.ir.pattern import Value

from ..filters import constant

if TYPE_CHECKING:
    from .view import View

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HOWS: dict[str, Any] = {
    "$eq": "equals", "$gte": "at_least", "$gt": "above", "$lte": "at_most", "$lt": "below", "$in": "one_of",
}  # fmt: skip
_TOGETHER: dict[str, type[All] | type[Some]] = {"$and": All, "$or": Some}


def predicate_of(filter: Json, names: Mapping[str, str]) -> Predicate | None:
    """A partialFilterExpression as a predicate over fields as patterns name them; None where it is not understood.

    names: name in Python by path in documents.
    """
    if not isinstance(filter, dict):
        return None
    parts: list[Predicate | None] = []
    for key, test in filter.items():
        if key in _TOGETHER and isinstance(test, list):
            inner = [predicate_of(one, names) for one in test]
            whole = tuple(one for one in inner if one is not None)
            parts.append(_TOGETHER[key](whole) if len(whole) == len(inner) else None)
        else:
            parts += _tests(names.get(key, key), test)
    known = tuple(part for part in parts if part is not None)
    return All(known) if len(known) == len(parts) else None


def is_implied(view: "View", asked: tuple[Asked, ...], filter: Predicate, present: Iterable[str]) -> bool:
    """Whether the server finds that every document of a request is in an index.

    present: fields for which the call refuses null.
    """
    plain = tuple(comparable(view, one) for one in asked)
    there = tuple(Asked(field, "present") for field in present)
    return implies((*plain, *there), filter, view.attributes, by_type=False)


def is_decided(view: "View", one: Asked, filter: Predicate) -> bool:
    """Whether a condition holds for everything in an index, so that nothing is read for it in vain."""
    if one.constants is None and one.how != "present":
        return False
    alike = comparable(view, one)
    tests = filter.parts if isinstance(filter, All) else (filter,)
    for test in tests:
        if not isinstance(test, Test) or test.field != one.field:
            continue
        if one.how == "present" and test.how == "present":
            return not view.is_nullable(one.field)
        if test.how in ("equals", "one_of") and one.how in ("equals", "one_of"):
            return all(value in (alike.constants or ()) for value in test.values)
        if test.how == one.how and test.values == alike.constants:
            return True
    return False


def comparable(view: "View", one: Asked) -> Asked:
    """A condition whose constants are in the form in which a filter has them."""
    if not one.constants:
        return one
    native = view.types.get(one.field, "string")
    return replace(one, constants=tuple(native_constant(value, native) for value in one.constants))


def native_constant(value: Value, native: str) -> Any:
    """A constant as the value that a filter's Extended JSON stands for."""
    return _plain(constant(value, native))


def _tests(field: str, test: Json) -> list[Predicate | None]:
    if not isinstance(test, dict) or not any(key in _HOWS or key in ("$exists", "$type") for key in test):
        return [Test(field, "equals", (_plain(test),))]
    found: list[Predicate | None] = []
    for operator, value in test.items():
        if operator == "$in" and isinstance(value, list):
            found.append(Test(field, "one_of", tuple(map(_plain, value))))
        elif operator == "$exists" and value is True:
            found.append(Test(field, "present"))
        elif operator in _HOWS:
            found.append(Test(field, _HOWS[operator], (_plain(value),)))
        else:
            found.append(None)
    return found


def _plain(value: Json) -> Any:
    """The value of relaxed Extended JSON; what has no simple one is left as it is."""
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
