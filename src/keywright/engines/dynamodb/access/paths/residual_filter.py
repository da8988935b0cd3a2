"""Residual filters: conditions that a key does not decide, and the discriminator."""

from keywright.access.implication import FieldTest, implies
from keywright.access.query import Condition, Query
from keywright.engines.contract.shape import Discriminator
from keywright.ir.attribute import Many
from keywright.ir.entity import resolve
from keywright.ir.text import counted

from ..filters import unfilterable
from ..layout import Layout, Route
from .key_match import KeyMatch

Prefix = tuple[str, str]
"""An attribute and the prefix of its value."""


def residual_of(entity: Layout, route: Route, query: Query, key_match: KeyMatch) -> tuple[Condition, ...] | str:
    """Conditions that a filter checks after reading, or the reason why it cannot."""
    residual = tuple(condition for condition in query.conditions if not is_decided(entity, route, key_match, condition))
    for condition in residual:
        if reason := unfilterable(entity, condition):
            return reason
        for part in condition.tested:
            stored = entity.stored(part.field)
            if stored == (stored[0],) and any(key.attribute == stored[0] for key in route.key):
                return f'"{part.field}" is a part of the key, which a filter cannot test'
    filtered = [entity.stored(part.field)[0] for condition in residual for part in condition.tested]
    if route.projected is not None and (lacking := [name for name in filtered if name not in route.projected]):
        return f'it does not contain "{lacking[0]}", which the filter needs'
    return residual


def decided_by_key(entity: Layout, route: Route) -> tuple[Discriminator | None, Prefix | None] | None:
    """(discriminator, prefix of the table's key) that filters its items; None if neither distinguishes them."""
    discriminator, conditions = entity.shape.discriminator, entity.discriminators(route)
    is_projected = discriminator and (route.projected is None or discriminator.attribute in route.projected)
    if is_projected and conditions.by_attribute:
        return discriminator, None
    prefix = conditions.by_key
    is_filtered = prefix is not None and all(part.attribute != prefix[0] for part in route.key)
    return (None, prefix) if is_filtered else None


def is_decided(entity: Layout, route: Route, key_match: KeyMatch, condition: Condition) -> bool:
    """Whether a condition holds for all items that are read."""
    if condition in key_match.decides or condition in route.where:
        return True
    if condition.kind == "present":
        attributes = resolve(entity.attributes, condition.field)
        # A list is present if it has elements.
        is_certain = attributes is not None and not any(
            attribute.is_nullable or isinstance(attribute.type, Many) for attribute in attributes
        )
        return is_certain or (bool(route.index) and condition.field in route.optional)
    if condition.kind in ("equals", "one_of", "at_least", "above", "at_most", "below"):
        test = FieldTest(condition.field, condition.kind, condition.constants or ())
        has_tests = bool(condition.constants and route.where)
        return has_tests and implies(route.where, test, entity.attributes, by_type=True)
    return False


def is_mixed(entity: Layout, route: Route, key_match: KeyMatch) -> bool:
    """Whether a read of an index could return items of other entities; keys in the table share no prefix."""
    if not route.index:
        return False
    conditions = entity.discriminators(route)
    return not (
        conditions.is_alone
        or conditions.by_prefix
        or (conditions.by_sort_key and key_match.is_complete and bool(route.sorts))
    )


def stored_names(entity: Layout, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Stored names of the attributes of some fields."""
    return tuple(dict.fromkeys(entity.stored(path)[0] for path in fields))


def of_entity(discriminator: Discriminator | None, prefix: Prefix | None) -> Condition:
    """The condition that filters out items of other entities."""
    if discriminator is not None:
        return Condition(discriminator.attribute, "one_of" if discriminator.former else "equals", discriminator.values)
    attribute, value = prefix or ("", "")
    return Condition(attribute, "prefix", (value,))


def unsuited_reason(entity: Layout, route: Route, query: Query) -> str | None:
    """Reason why a key does not serve although its partition key has values."""
    if route.by.kind == "gsi":
        if query.pattern.consistency != "eventual":
            return 'a global index is read eventually: read by the table\'s key, or accept consistency="eventual"'
        if entity.shape.copies > 1:
            return f"it contains each of the {counted(entity.shape.copies, 'read copy', 'read copies')} of an item"
    if route.where and not implies(query.conditions, route.holds, entity.attributes, by_type=True):
        return f"it contains only items with {' and '.join(map(str, route.where))}: add the condition to where="
    for path in route.optional if route.index else ():
        condition = query.first(path, "equals", "one_of")
        is_given = condition is not None and None not in (condition.constants or ())
        if not is_given and not implies(query.conditions, FieldTest(path, "present"), entity.attributes, by_type=True):
            return f'items without "{path}" are not in it: add where={{"{path}": kw.Present()}}'
    return None
