"""Patterns, requests and fields in a few words."""

from typing import Any

from keywright.access.request import Asked, Request, request
from keywright.errors import NOWHERE
from keywright.ir.attribute import Attribute, Many, Scalar, Type
from keywright.ir.pattern import Condition, Pattern, PatternKind


def a_field(name: str, type: Type | str = "string", *, nullable: bool = False) -> Attribute:
    """A field of that kind."""
    kind = Scalar(type) if isinstance(type, str) else type  # type: ignore[arg-type]
    return Attribute(name, name, name, kind, is_nullable=nullable)


def a_list(name: str) -> Attribute:
    """A list of texts."""
    return Attribute(name, name, name, Many("list", Scalar("string")))


def a_pattern(kind: PatternKind = "read", **asked: Any) -> Pattern:
    """A pattern that asks this; `where` takes pairs of field and constant."""
    where = tuple(
        one if isinstance(one, Condition) else Condition(one[0], "equals", (one[1],)) for one in asked.pop("where", ())
    )
    return Pattern("wanted", kind, "models.case", "Case", NOWHERE, where=where, **asked)


def asking(kind: PatternKind = "read", **asked: Any) -> Request:
    """What such a pattern asks."""
    return request(a_pattern(kind, **asked), ("id",))


def equals(field: str, *constants: Any) -> Asked:
    """A condition of equality: with a constant, or with what the caller gives."""
    return Asked(field, "equals", constants or None)
