"""Conditions on one field, for partial indexes, sparse keys and patterns: equality is written as the plain constant."""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from keywright.ir.pattern import Condition

from .declared import Declared, subject
from .names import Constant

Tested: TypeAlias = Constant | Enum
"""A value that can stand in a condition, by itself or as a member of an Enum."""


class OneOf(Declared):
    """The field equals one of these constants."""

    values: list[Tested] = subject(kw_only=False)
    """The accepted constants."""


class AtLeast(Declared):
    """The field is this constant or greater."""

    value: Tested = subject(kw_only=False)
    """The smallest accepted value."""


class Below(Declared):
    """The field is smaller than this constant."""

    value: Tested = subject(kw_only=False)
    """The first value that is too large."""


class Present(Declared):
    """The field is there and not null."""


class Not(Declared):
    """The field differs from this constant: a filter after the read, never part of an index."""

    value: Tested = subject(kw_only=False)
    """The excluded value."""


Conditions: TypeAlias = Mapping[str, Tested | OneOf | AtLeast | Below | Present | Not]
"""Conditions that a query can carry."""

if TYPE_CHECKING:
    Indexable: TypeAlias = Mapping[str, Tested | OneOf | AtLeast | Below | Present]
    """Conditions that an index can carry; at run time `Not` passes: rule MDB011 says what to write instead."""
else:
    Indexable: TypeAlias = Conditions


def conditions(where: Conditions) -> tuple[Condition, ...]:
    """Declared conditions in the form that everything behind the frontend reads; a plain constant is equality."""
    return tuple(_condition(field, test) for field, test in where.items())


def _condition(field: str, test: object) -> Condition:
    match test:
        case OneOf():
            return Condition(field, "one_of", tuple(map(_constant, test.values)))
        case AtLeast():
            return Condition(field, "at_least", (_constant(test.value),))
        case Below():
            return Condition(field, "below", (_constant(test.value),))
        case Present():
            return Condition(field, "present")
        case Not():
            return Condition(field, "not", (_constant(test.value),))
        case _:
            return Condition(field, "equals", (_constant(test),))


def _constant(test: object) -> Constant:
    return test.value if isinstance(test, Enum) else test  # type: ignore[return-value]  # what is left is a Constant
