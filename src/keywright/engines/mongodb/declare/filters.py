"""Filters of partial indexes: conditions on fields, with those that only MongoDB has."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.declare.predicates import Above, AtLeast, AtMost, Below, ConditionValue, Not, OneOf, Present, conditions
from keywright.ir.pattern import ConstantCondition
from keywright.record import Record

BsonName: TypeAlias = Literal[
    "double", "string", "object", "array", "binData", "undefined", "objectId", "bool", "date", "null", "regex",
    "dbPointer", "javascript", "symbol", "javascriptWithScope", "int", "timestamp", "long", "decimal", "minKey",
    "maxKey", "number",
]  # fmt: skip
"""A BSON type as the server names it; `number` is every type of numbers.

Source: https://www.mongodb.com/docs/manual/reference/bson-types/, 2026-11-28."""


class OfType(Declared):
    """The stored value has one of these BSON types, whatever the model declares."""

    types: BsonName | list[BsonName] = subject(kw_only=False)
    """One type, or a list of types."""


class AllOf(Declared):
    """All of these tests hold for the field: a range with both ends, for example."""

    tests: list[OneOf | AtLeast | Above | AtMost | Below | Present | OfType] = subject(kw_only=False)
    """The tests."""


_Test: TypeAlias = ConditionValue | OneOf | AtLeast | Above | AtMost | Below | Present | OfType | AllOf

if TYPE_CHECKING:
    Filter: TypeAlias = Mapping[str, _Test]
    """Conditions of an index. `Not` is accepted at run time, and reported by rule MDB011."""
else:
    Filter: TypeAlias = Mapping[
        str, ConditionValue | OneOf | AtLeast | Above | AtMost | Below | Present | OfType | AllOf | Not
    ]


Selected: TypeAlias = Mapping[str, _Test | Not]
"""Conditions of the documents of a view."""


class TypeTest(Record):
    """A test of the stored type, which patterns do not have."""

    field: str
    """Dotted path of Python names."""
    types: tuple[str, ...]
    """BSON types."""


def tests_of(where: Filter | Selected) -> tuple[ConstantCondition | TypeTest, ...]:
    """The tests of a filter, one after the other; each of them must hold."""
    return tuple(condition for field, test in where.items() for condition in _tests(field, test))


def simple_tests(where: Filter | Selected) -> Iterator[ConstantCondition]:
    """The tests that patterns have too: without those of types."""
    return (test for test in tests_of(where) if isinstance(test, ConstantCondition))


def _tests(field: str, test: object) -> Iterator[ConstantCondition | TypeTest]:
    match test:
        case AllOf():
            for part in test.tests:
                yield from _tests(field, part)
        case OfType():
            types = [test.types] if isinstance(test.types, str) else test.types
            yield TypeTest(field, tuple(types))
        case _:
            yield from conditions({field: test})  # type: ignore[dict-item]  # the rest are conditions of patterns
