"""Whether one condition implies another: sound, so that what it calls implied is; not complete."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from keywright.ir.attribute import Attribute, Many, Map, Scalar
from keywright.ir.entity import resolve

from .request import Asked


@dataclass(frozen=True, slots=True)
class Test:
    """A condition on one field."""

    field: str
    """Dotted path of Python names."""
    how: Literal["equals", "one_of", "at_least", "above", "at_most", "below", "present", "type"]
    """How it is compared; `type` names the types that the value may have."""
    values: tuple[Any, ...] = ()
    """The constants."""


@dataclass(frozen=True, slots=True)
class All:
    """All of several conditions."""

    parts: tuple["Predicate", ...]
    """The conditions; none is always true."""


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of several conditions."""

    parts: tuple["Predicate", ...]
    """The conditions; none is never true."""


Predicate: TypeAlias = Test | All | Some


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a field's value wherever a request's conditions hold."""

    values: tuple[Any, ...] | None
    """The only values that it can have."""
    least: Any = None
    """It is this or greater."""
    limit: Any = None
    """It is smaller than this."""
    is_present: bool = False
    """It is there, and not null."""
    kind: str = ""
    """Its logical kind, where it is there."""


def implies(asked: Iterable[Asked], predicate: Predicate, attributes: tuple[Attribute, ...], *, by_type: bool) -> bool:
    """Whether every item that fulfils all conditions fulfils the predicate.

    by_type: whether the types of fields count too. They do where keywright itself decides what is in an index; a server
    that looks at a query alone does not know them.
    """
    asked = tuple(asked)
    match predicate:
        case All(parts):
            return all(implies(asked, part, attributes, by_type=by_type) for part in parts)
        case Some(parts):
            return any(implies(asked, part, attributes, by_type=by_type) for part in parts) or _by_cases(
                asked, predicate, attributes, by_type=by_type
            )
        case Test():
            return _holds(predicate, _known(asked, predicate.field, attributes, by_type=by_type))


def _by_cases(asked: tuple[Asked, ...], some: Some, attributes: tuple[Attribute, ...], *, by_type: bool) -> bool:
    """Whether each value of a finite condition implies some part: `a in (1, 2)` implies `a = 1 or a = 2`."""
    for one in asked:
        if one.how == "one_of" and one.constants:
            others = tuple(other for other in asked if other is not one)
            cases = (Asked(one.field, "equals", (value,)) for value in one.constants)
            if all(
                any(implies((*others, case), part, attributes, by_type=by_type) for part in some.parts)
                for case in cases
            ):
                return True
    return False


def _known(asked: tuple[Asked, ...], field: str, attributes: tuple[Attribute, ...], *, by_type: bool) -> _Known:
    found = resolve(attributes, field)
    kind = found[-1].type if found else None
    may_be_null = not found or any(one.is_nullable or isinstance(one.type, (Many, Map)) for one in found)
    values: tuple[Any, ...] | None = None
    is_present = False
    if by_type and found and isinstance(kind, Scalar) and not may_be_null:
        is_present = True
        if kind.constants or kind.kind == "boolean":
            values = kind.constants or (False, True)
    least = limit = None
    for one in asked:
        if one.field != field:
            continue
        match one.how, one.constants:
            case (("equals" | "one_of"), tuple() as constants):
                values = constants if values is None else tuple(value for value in values if value in constants)
                is_present = is_present or None not in constants
            case (("equals" | "one_of"), None):
                # A caller may ask for null where the field may be null.
                is_present = is_present or not may_be_null
            case "at_least", (value,):
                least, is_present = value if least is None or _precedes(least, value) else least, True
            case "below", (value,):
                limit, is_present = value if limit is None or _precedes(value, limit) else limit, True
            case (("present" | "prefix" | "between"), _):
                is_present = True
            case _:
                pass
    return _Known(values, least, limit, is_present, kind.kind if isinstance(kind, Scalar) else "")


def _holds(test: Test, known: _Known) -> bool:
    values = known.values
    match test.how:
        case "present":
            return known.is_present
        case "type":
            return known.is_present and known.kind in test.values
        case "equals" | "one_of":
            return values is not None and all(_in(value, test.values) for value in values)
        case "at_least":
            return _compared(values, known.least, lambda value: value >= test.values[0])
        case "above":
            return _compared(values, known.least, lambda value: value > test.values[0])
        case "below":
            return _compared(values, None, lambda value: value < test.values[0]) or _ends(known, test)
        case "at_most":
            return _compared(values, None, lambda value: value <= test.values[0]) or _ends(known, test)


def _in(value: Any, values: tuple[Any, ...]) -> bool:
    """Whether a value is one of some; true is not 1, as no store takes them for the same."""
    return any(type(value) is type(other) and value == other for other in values)


def _compared(values: tuple[Any, ...] | None, end: Any, holds: Any) -> bool:
    try:
        if values:
            return all(holds(value) for value in values)
        return end is not None and bool(holds(end))
    except TypeError:
        return False


def _ends(known: _Known, test: Test) -> bool:
    """Whether the value is known to be smaller than the test's, or than something before it."""
    end = test.values[0]
    return known.limit is not None and (known.limit == end or _precedes(known.limit, end))


def _precedes(one: Any, other: Any) -> bool:
    """Whether one value is smaller; values of different types are not compared."""
    try:
        return bool(one < other)
    except TypeError:
        return False
