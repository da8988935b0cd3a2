"""Indexes without an order of values: text indexes, geo indexes and wildcard indexes."""

from keywright.access.path import Rejected
from keywright.access.query import Condition, Query
from keywright.ir.attribute import is_vector
from keywright.ir.entity import resolve
from keywright.record import replace

from ...schema.fields import ID
from ...schema.projection import contains
from ..layout import IndexView, Layout
from ..partial_index import is_implied
from .candidate import ChoiceKind, DocumentChoice, selection
from .key_match import terms


def by_words(view: Layout, index: IndexView, query: Query, search: Condition) -> ChoiceKind:
    """A text index serves if its fields are exactly those of the search."""
    by = index.by
    fields = {field for field, direction in index.keys if direction == "text"}
    parts = set(search.field.split(" "))
    if not fields:
        return 0, Rejected(by, f'"{view.name}" has no text index, which a search needs')
    if fields != parts:
        extra, absent = sorted(fields - parts), sorted(parts - fields)
        difference = f'searches "{extra[0]}" too' if extra else f'does not search "{absent[0]}"'
        return 1, Rejected(by, f'text index "{by.name}" {difference}: a search is over all of its fields')
    if query.order:
        return 1, Rejected(by, f'results are in the order of relevance, not of "{query.order[0].field}"')
    if index.is_partial and (index.filter is None or not is_implied(view, query.conditions, index.filter, ())):
        return 1, Rejected(by, f'text index "{by.name}" contains only some documents')
    picked = replace(selection(view, terms(view, query)), hint=None)  # $text accepts no hint
    return DocumentChoice(by, picked, (search,), "memory", notes=(_RELEVANCE,), index=index)


_RELEVANCE = "matches of any of the words, by relevance: every match is read and scored, and the best remain in memory"


def by_place(view: Layout, index: IndexView, query: Query, near: Condition) -> ChoiceKind:
    """A geo index serves by distance from a point."""
    by = index.by
    if index.keys[0] != (near.field, "2dsphere"):
        return 0, Rejected(by, f'index "{by.name}" has no distances of "{near.field}": declare a GeoIndex')
    if query.order:
        return 1, Rejected(by, f'results are in the order of distance, not of "{query.order[0].field}"')
    if index.is_partial and (index.filter is None or not is_implied(view, query.conditions, index.filter, ())):
        return 1, Rejected(by, f'index "{by.name}" contains only some documents')
    picked = replace(selection(view, terms(view, query)), hint=None)  # the stage names its field
    return DocumentChoice(by, picked, (near,), "index", notes=(_RINGS,), index=index)


def is_vector_field(view: Layout, field: str) -> bool:
    """Whether a field is a vector, whose nearest values no index of a collection finds."""
    attributes = resolve(view.attributes, field)
    return is_vector(attributes[-1].type if attributes else None)


_RINGS = "the nearest first; the server reads rings around the point, so that it examines more than it returns"


def wildcard_field(view: Layout, index: IndexView, query: Query) -> str | None:
    """The field of a query that a wildcard index serves like an ordinary index; None if there is none."""
    path, _ = index.target.keys[-1]
    root = path.removesuffix("$**")
    if len(index.keys) > 1:
        return None
    for condition in query.conditions:
        stored = view.path(condition.field)
        if (
            condition.kind in _BY_WILDCARD
            and stored != ID
            and stored.startswith(root)
            and contains(index.target.projection, stored)
            and not view.array(condition.field)
        ):
            return condition.field
    return None


_BY_WILDCARD = ("equals", "one_of", "between", "at_least", "above", "at_most", "below", "prefix")
