"""Conditions that a filter or condition expression can check exactly."""

from keywright.access.query import Condition
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Type, is_vector
from keywright.ir.entity import resolve

from .layout import Layout

_ORDERED = ("between", "at_least", "above", "at_most", "below")
_LISTS = ("contains", "all_of", "exactly")
_AS_TEXT = {("integer", "S"), ("float", "S"), ("decimal", "S"), ("duration", "S")}
"""Numbers stored as text, whose order is not that of the numbers."""
_SEVERAL_TEXTS = {("decimal", "S"), ("float", "S")}
"""Number types whose values can have several texts."""


def unfilterable(entity: Layout, condition: Condition) -> str | None:
    """Reason why a filter cannot check a condition; None if it can.

    Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html,
    2026-11-21.
    """
    if condition.kind == "any_of":
        return next(filter(None, (unfilterable(entity, part) for part in condition.tested)), None)
    if condition.kind in ("search", "near"):
        attributes = resolve(entity.attributes, condition.field)
        has_vector = is_vector(attributes[-1].type if attributes else None)
        index = "geographic index" if not has_vector else "index of vectors"
        return f'DynamoDB has no {"text search" if condition.kind == "search" else index} for "{condition.field}"'
    if condition.field in entity.computed:
        return _of_text(condition, "string", entity.native(condition.field))
    attributes = resolve(entity.attributes, condition.field)
    if attributes is None:
        return f'"{condition.field}" is not a field'
    if any(isinstance(outer.type, (Many, Map)) for outer in attributes[:-1]):
        return f'a filter cannot test the elements of "{condition.field.rpartition(".")[0]}"'
    kind = attributes[-1].type
    if condition.kind == "length":
        return _of_length(entity, condition, attributes)
    if condition.kind == "contains" and isinstance(kind, Scalar) and kind.kind == "string":
        return None if entity.native(condition.field) == "S" else f'"{condition.field}" is not stored as text'
    if condition.kind in _LISTS:
        return _of_list(condition, kind)
    if condition.kind == "present":
        return None
    if not isinstance(kind, Scalar):
        return f'a filter cannot compare "{condition.field}", which is not a single value'
    if kind.kind == "json":
        return f'a filter cannot compare "{condition.field}", whose contents are not declared'
    return _of_text(condition, kind.kind, entity.native(condition.field))


def _of_text(condition: Condition, kind: str, native: str) -> str | None:
    """Reason for a condition on a single value."""
    if condition.kind in _ORDERED and ((kind, native) in _AS_TEXT or native == "BOOL"):
        return f'"{condition.field}" is stored as {native}, which has another order'
    if condition.kind == "prefix" and native not in ("S", "B"):
        return f'"{condition.field}" is stored as {native}, and only text has prefixes'
    if (kind, native) in _SEVERAL_TEXTS:
        return f'"{condition.field}" is stored as text, and one number has several texts'
    return None


def _of_length(entity: Layout, condition: Condition, attributes: tuple[Attribute, ...]) -> str | None:
    """Reason for a condition on a number of elements."""
    least = (condition.constants or (None,))[0]
    is_set = entity.native(condition.field) in ("SS", "NS", "BS")
    if is_set and not least and any(attribute.is_nullable for attribute in attributes):
        return f'"{condition.field}" may be None or empty, which a set does not distinguish'
    return None


def _of_list(condition: Condition, kind: Type) -> str | None:
    if not isinstance(kind, Many):
        return f'"{condition.field}" is not a list'
    if not isinstance(kind.element, Scalar) or kind.element.kind == "json":
        return f'a filter cannot compare the elements of "{condition.field}", which are not single values'
    return None
