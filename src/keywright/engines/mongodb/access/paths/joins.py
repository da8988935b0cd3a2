"""Joins: other collections of the same database, read along by `$lookup` where an index finds their documents."""

from keywright.ir.pattern import Join, Pattern

from ..fields import ID
from ..target import CollectionTarget
from .calls import Lookup
from .view import View, collection_of, parsed, shape_of

JOINED = "_kw_joined"
"""Under this path, and the number of the join, stand the documents found."""


def lookups(view: View, pattern: Pattern) -> tuple[Lookup, ...] | str:
    """The lookups of a pattern's joins, or why one of them cannot be."""
    found: list[Lookup] = []
    for at, join in enumerate(pattern.joins):
        one = _lookup(view, join, at)
        if isinstance(one, str):
            return one
        found.append(one)
    return tuple(found)


def _lookup(view: View, join: Join, at: int) -> Lookup | str:
    shape = shape_of(view.database, join.entity)
    collection = collection_of(view.database, shape) if shape else None
    if shape is None or collection is None:
        return f'"{join.entity}" is not in the same database: copy its fields, or read it by its key'
    stored = {field.name: field.stored for field in shape.fields}
    text = dict(shape.keys).get("id")
    template = parsed(text) if text else None
    if template is not None and template.lone is not None:
        stored[template.lone.path] = ID
    on = tuple((stored.get(there, there), view.path(here)) for here, there in join.on)
    if not _is_indexed(collection, {path for path, _ in on}):
        names = ", ".join(there for _, there in join.on)
        return f'no index of "{collection.physical_name}" finds "{join.entity}" by "{names}": each join would scan it'
    wanted = tuple((field, stored.get(field, field)) for field in join.fields)
    return Lookup(join, collection.physical_name, on, wanted, f"{JOINED}{at}")


def _is_indexed(collection: CollectionTarget, paths: set[str]) -> bool:
    """Whether an index that holds every document begins with one of the paths."""
    if ID in paths:
        return True
    return any(
        index.keys[0][0] in paths
        and index.keys[0][1] in (1, -1)
        and index.filter is None
        and not index.is_hidden
        and index.collation == collection.collation
        for index in collection.indexes
    )
