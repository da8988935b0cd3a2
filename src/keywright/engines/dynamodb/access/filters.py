"""Which conditions a filter or condition expression judges exactly."""

from keywright.access.request import Asked
from keywright.ir.attribute import Many, Map, Scalar, Struct, Type
from keywright.ir.entity import resolve

from .layout import Entity

_ORDERED = ("between", "at_least", "below")
_LISTS = ("contains", "all_of", "exactly")
_AS_TEXT = {("integer", "S"), ("float", "S"), ("decimal", "S"), ("duration", "S")}
"""Numbers stored as text, whose order is not that of the numbers."""
_SEVERAL_TEXTS = {("decimal", "S"), ("float", "S")}
"""Numbers of which one has several texts."""


def unjudged(entity: Entity, one: Asked) -> str | None:
    """Why a filter cannot judge a condition; None where it can.

    Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html,
    2026-11-21.
    """
    if one.how in ("search", "near"):
        return f'DynamoDB has no {"text search" if one.how == "search" else "geographic index"} for "{one.field}"'
    if one.field in entity.computed:
        return _of_text(one, "string", entity.native(one.field))
    found = resolve(entity.attributes, one.field)
    if found is None:
        return f'"{one.field}" is no field'
    if any(isinstance(outer.type, (Many, Map)) for outer in found[:-1]):
        return f'a filter does not look into the elements of "{one.field.rpartition(".")[0]}"'
    kind = found[-1].type
    if one.how in _LISTS:
        return _of_list(one, kind)
    if one.how == "present":
        return None
    if not isinstance(kind, Scalar):
        return f'a filter does not compare "{one.field}", which is no single value'
    if kind.kind == "json":
        return f'a filter does not compare "{one.field}", whose inside nobody declares'
    return _of_text(one, kind.kind, entity.native(one.field))


def _of_text(one: Asked, kind: str, native: str) -> str | None:
    """Of a single value."""
    if one.how in _ORDERED and ((kind, native) in _AS_TEXT or native == "BOOL"):
        return f'"{one.field}" is stored as {native}, whose order is another'
    if one.how == "prefix" and native not in ("S", "B"):
        return f'"{one.field}" is stored as {native}, and only text begins with something'
    if (kind, native) in _SEVERAL_TEXTS:
        return f'"{one.field}" is stored as text, of which one number has several'
    return None


def _of_list(one: Asked, kind: Type) -> str | None:
    if not isinstance(kind, Many):
        return f'"{one.field}" is no list'
    if isinstance(kind.element, (Many, Map, Struct)) or kind.element.kind == "json":
        return f'a filter does not compare the elements of "{one.field}", which are no single values'
    return None
