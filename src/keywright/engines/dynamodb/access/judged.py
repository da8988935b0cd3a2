"""What of a pattern's conditions a key decides, and how its items are told from those of other entities."""

from keywright.access.predicate import Test, implies
from keywright.access.request import Asked
from keywright.ir.attribute import Many
from keywright.ir.entity import resolve

from .halves import Halves
from .layout import Entity, Route

Mark = tuple[str, str]
"""An attribute and what it holds, or begins with."""


def told_by(entity: Entity, route: Route) -> tuple[Mark | None, Mark | None] | None:
    """(discriminator, beginning of the table's key) by which its items are filtered; None where neither tells."""
    mark, telling = entity.shape.mark, entity.telling(route)
    if mark and telling.by_mark and (route.held is None or mark[0] in route.held):
        return mark, None
    head = telling.by_key
    is_filtered = head is not None and all(part.attribute != head[0] for part in route.key)
    return (None, head) if is_filtered else None


def is_decided(entity: Entity, route: Route, halves: Halves, one: Asked) -> bool:
    """Whether a condition holds for all that is read."""
    if one in halves.decides or one in route.where:
        return True
    if one.how == "present":
        found = resolve(entity.attributes, one.field)
        # A list is present when something is in it.
        is_certain = found is not None and not any(along.is_nullable or isinstance(along.type, Many) for along in found)
        return is_certain or (bool(route.index) and one.field in route.optional)
    if one.how in ("equals", "one_of", "at_least", "below") and one.constants and route.where:
        return implies(route.where, Test(one.field, one.how, one.constants), entity.attributes, by_type=True)
    return False


def is_mixed(entity: Entity, route: Route, halves: Halves) -> bool:
    """Whether what is read could hold items of other entities; in the table none share a key or its beginning."""
    if not route.index:
        return False
    telling = entity.telling(route)
    return not (telling.is_alone or telling.by_head or (telling.by_one and halves.is_whole and bool(route.sorts)))
