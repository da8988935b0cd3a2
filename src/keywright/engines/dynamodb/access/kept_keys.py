"""Keys in sparse indexes that an update keeps or removes, but never computes again.

An update by `where={"status": "open"}` finds its item in an index of open items. If only the status changes, the stored
key stays right as long as the item is in the index, so that the call need not give the other fields of the key.
"""

from keywright.access.implication import implies
from keywright.access.query import Condition, Query
from keywright.record import replace

from .calls import TemplateAttribute
from .derived import touches
from .layout import Layout, Route


def kept_key(
    entity: Layout, query: Query, attribute: TemplateAttribute, changed: tuple[str, ...]
) -> TemplateAttribute | None:
    """The key with only the conditions that the update may end; None if the update may need a new key.

    changed: paths of fields that the update changes.
    """
    route = next((route for route in entity.routes if route.index == attribute.index), None)
    if route is None or not attribute.index:
        return None
    removed = query.pattern.unset
    if absent := tuple(path for path in attribute.optional if path in removed):
        return replace(attribute, where=(), optional=absent, is_kept=True)
    ended = tuple(condition for condition in attribute.where if condition.field in removed and _needs_value(condition))
    if ended:
        return replace(attribute, where=ended, optional=(), is_kept=True)
    if any(touches(path, (*_sources(entity, attribute), *attribute.optional)) for path in changed):
        return None
    tested = tuple(
        condition
        for condition in attribute.where
        if any(touches(path, entity.sources(condition.field)) for path in changed)
    )
    is_known = all(condition.field in (*query.pattern.sets, *removed) for condition in tested)
    if not is_known or not _is_inside(entity, query, route):
        return None
    return replace(attribute, where=tested, optional=(), is_kept=True)


def _is_inside(entity: Layout, query: Query, route: Route) -> bool:
    """Whether each item that the update finds fulfils the conditions of the index."""
    return bool(route.where) and implies(query.conditions, route.holds, entity.attributes, by_type=True)


def _needs_value(condition: Condition) -> bool:
    """Whether no item without the field fulfils a condition."""
    return condition.kind != "not" and None not in (condition.constants or ())


def _sources(entity: Layout, attribute: TemplateAttribute) -> tuple[str, ...]:
    """Fields from which the key is made."""
    templates = (template for _, _, template in attribute.attributes)
    paths = (placeholder.path for template in templates for placeholder in template.placeholders if placeholder.path)
    return tuple(dict.fromkeys(source for path in paths for source in (path, *entity.sources(path))))
