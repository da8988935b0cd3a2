"""Indexes that hold no order of values: of words, of places, and of all paths below one."""

from dataclasses import replace

from keywright.access.path import Rejected
from keywright.access.request import Asked, Request

from ..fields import ID
from .chosen import Chosen, Way, selection
from .implied import is_implied
from .match import terms
from .view import IndexView, View


def by_words(view: View, index: IndexView, asked: Request, search: Asked) -> Way:
    """By words, where the index is over just the fields that are searched."""
    by = index.by
    fields = {field for field, direction in index.keys if direction == "text"}
    wanted = set(search.field.split(" "))
    if not fields:
        return 0, Rejected(by, f'index "{by.name}" holds no words: searching needs a text index')
    if fields != wanted:
        more, less = sorted(fields - wanted), sorted(wanted - fields)
        odd = f'searches "{more[0]}" too' if more else f'does not search "{less[0]}"'
        return 1, Rejected(by, f'text index "{by.name}" {odd}: a search is over all of its fields')
    if asked.order:
        return 1, Rejected(by, f'hits come by relevance, and not in the order of "{asked.order[0].field}"')
    if index.is_partial and (index.filter is None or not is_implied(view, asked.asked, index.filter, ())):
        return 1, Rejected(by, f'text index "{by.name}" holds only a part of the documents')
    picked = replace(selection(view, terms(view, asked)), hint=None)  # there is one text index, and no hint with it
    return Chosen(by, picked, (search,), "memory", notes=(_RELEVANCE,), index=index)


_RELEVANCE = "hits for any of the words, by relevance: every hit is read and scored, and the best are kept in memory"


def by_place(view: View, index: IndexView, asked: Request, near: Asked) -> Way:
    """By distance from a point."""
    by = index.by
    if index.keys[0] != (near.field, "2dsphere"):
        return 0, Rejected(by, f'index "{by.name}" holds no distances of "{near.field}": it needs a GeoIndex')
    if asked.order:
        return 1, Rejected(by, f'places come by distance, and not in the order of "{asked.order[0].field}"')
    if index.is_partial and (index.filter is None or not is_implied(view, asked.asked, index.filter, ())):
        return 1, Rejected(by, f'index "{by.name}" holds only a part of the documents')
    picked = replace(selection(view, terms(view, asked)), hint=None)  # the stage names its field
    return Chosen(by, picked, (near,), "index", notes=(_RINGS,), index=index)


_RINGS = "the nearest first; the server reads rings around the point, so that it examines more than it returns"


def wildcard_field(view: View, index: IndexView, asked: Request) -> str | None:
    """The field of a request for which a wildcard index is what an ordinary one would be."""
    path, _ = index.target.keys[-1]
    root = path.removesuffix("$**")
    if len(index.keys) > 1:
        return None
    for one in asked.asked:
        stored = view.path(one.field)
        if one.how in _BY_WILDCARD and stored != ID and stored.startswith(root) and not view.array(one.field):
            return one.field
    return None


_BY_WILDCARD = ("equals", "one_of", "between", "at_least", "below", "prefix")
