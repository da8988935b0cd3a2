"""Conditions on one field, for partial indexes, sparse keys and patterns: equality is written as the plain constant."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from keywright.ir.pattern import Condition

from .declared import Declared, subject
from .names import Constant


class OneOf(Declared):
    """The field equals one of these constants."""

    values: list[Constant] = subject(kw_only=False)
    """The accepted constants."""


class AtLeast(Declared):
    """The field is this constant or greater."""

    value: Constant = subject(kw_only=False)
    """The smallest accepted value."""


class Below(Declared):
    """The field is smaller than this constant."""

    value: Constant = subject(kw_only=False)
    """The first value that is too large."""


class Present(Declared):
    """The field is there and not null."""


class Not(Declared):
    """The field differs from this constant: a filter after the read, never part of an index."""

    value: Constant = subject(kw_only=False)
    """The excluded value."""


Conditions: TypeAlias = Mapping[str, Constant | OneOf | AtLeast | Below | Present | Not]
"""Conditions that a query can carry."""

if TYPE_CHECKING:
    Indexable: TypeAlias = Mapping[str, Constant | OneOf | AtLeast | Below | Present]
    """Conditions that an index can carry; at run time `Not` passes: rule MDB011 says what to write instead."""
else:
    Indexable: TypeAlias = Conditions


def conditions(where: Conditions) -> tuple[Condition, ...]:
    """Declared conditions in the form that everything behind the frontend reads; a plain constant is equality."""
    return tuple(_condition(field, test) for field, test in where.items())


def _condition(field: str, test: object) -> Condition:
    match test:
        case OneOf():
            return Condition(field, "one_of", tuple(test.values))
        case AtLeast():
            return Condition(field, "at_least", (test.value,))
        case Below():
            return Condition(field, "below", (test.value,))
        case Present():
            return Condition(field, "present")
        case Not():
            return Condition(field, "not", (test.value,))
        case _:
            return Condition(field, "equals", (test,))  # type: ignore[arg-type]  # what is left is a Constant
