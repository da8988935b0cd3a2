"""Joins: `$lookup` reads other collections of the same database, if an index selects their documents."""

from keywright.engines.contract.shape import by_path
from keywright.ir.pattern import Join, Pattern

from ...schema.fields import ID
from ...schema.target import CollectionTarget
from ..calls import Lookup
from ..layout import Layout, collection_of, parsed, shape_of

JOINED = "_kw_joined"
"""The prefix of the path of joined documents; the number of the join follows."""


def lookups(view: Layout, pattern: Pattern) -> tuple[Lookup, ...] | str:
    """The lookups of a pattern's joins, or the reason why one of them is impossible."""
    result: list[Lookup] = []
    for at, join in enumerate(pattern.joins):
        lookup = _lookup(view, join, at)
        if isinstance(lookup, str):
            return lookup
        result.append(lookup)
    return tuple(result)


def _lookup(view: Layout, join: Join, at: int) -> Lookup | str:
    shape = shape_of(view.database, join.entity)
    collection = collection_of(view.database, shape) if shape else None
    if shape is None or collection is None:
        return f'"{join.entity}" is not in the same database: copy its fields, or read it by its key'
    if collection.view is not None:
        return f'"{join.entity}" is a view: join "{collection.view.on}"'
    stored = {name: field.stored for name, field in by_path(shape).items()}
    text = dict(shape.keys).get("id")
    template = parsed(text) if text else None
    if template is not None and template.lone is not None:
        stored[template.lone.path] = ID
    on = tuple((stored.get(foreign, foreign), view.path(local)) for local, foreign in join.on)
    if not _is_indexed(collection, {path for path, _ in on}):
        names = ", ".join(foreign for _, foreign in join.on)
        return f'no index of "{collection.physical_name}" finds "{join.entity}" by "{names}": each join would scan it'
    fields = tuple((field, stored.get(field, field)) for field in join.fields)
    return Lookup(join, collection.physical_name, on, fields, f"{JOINED}{at}")


def _is_indexed(collection: CollectionTarget, paths: set[str]) -> bool:
    """Whether an index of all documents begins with one of the paths."""
    if ID in paths:
        return True
    return any(
        index.keys[0][0] in paths
        and index.keys[0][1] in (1, -1)
        and index.filter is None
        and not index.is_sparse
        and not index.is_hidden
        and index.collation == collection.collation
        for index in collection.indexes
    )
