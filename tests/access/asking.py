"""Patterns, queries and fields in short form."""

from typing import Any

from keywright.access.query import Condition, Query, request
from keywright.errors import NOWHERE
from keywright.ir.attribute import Attribute, Many, Scalar, Type
from keywright.ir.pattern import ConstantCondition, Pattern, PatternKind


def a_field(name: str, type: Type | str = "string", *, nullable: bool = False) -> Attribute:
    """A field of a kind."""
    kind = Scalar(type) if isinstance(type, str) else type  # type: ignore[arg-type]
    return Attribute(name, name, name, kind, is_nullable=nullable)


def a_list(name: str) -> Attribute:
    """A list of texts."""
    return Attribute(name, name, name, Many("list", Scalar("string")))


def a_pattern(kind: PatternKind = "read", **options: Any) -> Pattern:
    """A pattern with these options; `where` takes pairs of field and constant."""
    where = tuple(
        pair if isinstance(pair, ConstantCondition) else ConstantCondition(pair[0], "equals", (pair[1],))
        for pair in options.pop("where", ())
    )
    return Pattern("wanted", kind, "models.case", "Case", NOWHERE, where=where, **options)


def asking(kind: PatternKind = "read", **options: Any) -> Query:
    """The query of such a pattern."""
    return request(a_pattern(kind, **options), ("id",))


def equals(field: str, *constants: Any) -> Condition:
    """A condition of equality: with a constant, or with a value of the caller."""
    return Condition(field, "equals", constants or None)
