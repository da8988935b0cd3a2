"""Conditions on one field, for partial indexes, sparse keys and patterns; a plain constant means equality."""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from keywright.ir.pattern import ConstantCondition

from .declared import Declared, subject
from .names import ConditionConstant

ConditionValue: TypeAlias = ConditionConstant | Enum
"""A constant of a condition, or a member of an Enum."""


class OneOf(Declared):
    """The field equals one of these constants."""

    values: list[ConditionValue] = subject(kw_only=False)
    """The accepted constants."""


class AtLeast(Declared):
    """The field is this constant or greater."""

    value: ConditionValue = subject(kw_only=False)
    """The smallest accepted value."""


class Above(Declared):
    """The field is greater than this constant."""

    value: ConditionValue = subject(kw_only=False)
    """The last value that is too small."""


class AtMost(Declared):
    """The field is this constant or smaller."""

    value: ConditionValue = subject(kw_only=False)
    """The greatest accepted value."""


class Below(Declared):
    """The field is smaller than this constant."""

    value: ConditionValue = subject(kw_only=False)
    """The first value that is too large."""


class Present(Declared):
    """The field exists and is not null."""


class Not(Declared):
    """The field differs from this constant: a filter after the read, never part of an index."""

    value: ConditionValue = subject(kw_only=False)
    """The excluded value."""


class Contains(Declared):
    """The list contains this constant, or the text contains this text: a filter after the read."""

    value: ConditionValue = subject(kw_only=False)
    """The element, or the part of the text."""


class StartsWith(Declared):
    """The text begins with this text."""

    text: str = subject(kw_only=False)
    """The beginning."""


class Length(Declared):
    """The list has so many elements: a filter after the read."""

    at_least: int | None = None
    """Fewest elements."""
    at_most: int | None = None
    """Most elements."""

    def check(self) -> None:
        """See `Declared.check`."""
        least, most = self.at_least or 0, self.at_most
        if self.at_least is None and most is None:
            self.wrong("E0615", "Length() tests nothing", "write at_least= or at_most=")
        elif least < 0 or (most is not None and most < least):
            problem = f"no list has a length with at_least={self.at_least} and at_most={most}"
            self.wrong("E0615", problem, "write numbers from 0, the smaller one as at_least=")


FILTERS = (Contains, StartsWith, Length)
"""Conditions that only the filters of some engines test."""

Conditions: TypeAlias = Mapping[str, ConditionValue | OneOf | AtLeast | Above | AtMost | Below | Present | Not]
"""Conditions of a write."""

Filters: TypeAlias = Mapping[
    str,
    ConditionValue | OneOf | AtLeast | Above | AtMost | Below | Present | Not | Contains | StartsWith | Length,
]
"""Conditions of a query."""

if TYPE_CHECKING:
    Indexable: TypeAlias = Mapping[str, ConditionValue | OneOf | AtLeast | Above | AtMost | Below | Present]
    """Conditions of an index. `Not` is accepted at run time, and reported by rule MDB011."""
else:
    Indexable: TypeAlias = Conditions


def conditions(where: Conditions | Filters) -> tuple[ConstantCondition, ...]:
    """Declared conditions in the form of the representation; a plain constant is equality."""
    return tuple(_condition(field, test) for field, test in where.items())


def _condition(field: str, test: object) -> ConstantCondition:
    match test:
        case OneOf():
            return ConstantCondition(field, "one_of", tuple(map(_constant, test.values)))
        case AtLeast():
            return ConstantCondition(field, "at_least", (_constant(test.value),))
        case Above():
            return ConstantCondition(field, "above", (_constant(test.value),))
        case AtMost():
            return ConstantCondition(field, "at_most", (_constant(test.value),))
        case Below():
            return ConstantCondition(field, "below", (_constant(test.value),))
        case Present():
            return ConstantCondition(field, "present")
        case Not():
            return ConstantCondition(field, "not", (_constant(test.value),))
        case Contains():
            return ConstantCondition(field, "contains", (_constant(test.value),))
        case StartsWith():
            return ConstantCondition(field, "prefix", (test.text,))
        case Length():
            return ConstantCondition(field, "length", (test.at_least, test.at_most))
        case _:
            return ConstantCondition(field, "equals", (_constant(test),))


def _constant(test: object) -> ConditionConstant:
    return test.value if isinstance(test, Enum) else test  # type: ignore[return-value]  # the rest is a ConditionConstant
