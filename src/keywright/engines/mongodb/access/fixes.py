"""Declarations that would let an unserved pattern be served: one new index each, within the limits of a collection."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.cost import Band
from keywright.access.path import Fix
from keywright.access.request import Asked, Request, request
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ..capabilities import INDEX_FIELDS, INDEXES
from ..indexes import AnyIndex, GeoIndex, Index, TextIndex
from ..lower_index import default_name, lowered
from ..target import CollectionTarget, DatabaseTarget, IndexTarget
from .lookups import lookups
from .match import RANGES
from .size import entries, entry_bytes
from .view import View, collection_of, shape_of, view

_CHANGES = frozenset(("update", "increment"))
"""Kinds of pattern that need a key or a unique index, since they are about one document."""


def fixes(target: DatabaseTarget, binding: Binding, pattern: Pattern) -> Iterator[Fix[DatabaseTarget]]:
    """See `Engine.fixes`."""
    found = view(target, binding)
    if found is None or pattern.kind not in ("get", "read", "count", "aggregate", "delete", *_CHANGES):
        return
    for text, index in _indexes(found, pattern):
        if _fits(found.collection, index):
            yield _fix(found, binding.name, found.collection, text, index)
    yield from _joined(found, pattern)


def _indexes(view: View, pattern: Pattern) -> Iterator[tuple[str, IndexTarget]]:
    """(declaration, index) of everything that could help."""
    asked = request(pattern, view.key_fields)
    if pattern.search:
        if not any(index.weights for index in view.collection.indexes):  # a collection has one at the most
            fields = list(pattern.search)
            yield f"kw.TextIndex({_listed(fields)})", lowered(view.binding, TextIndex(fields))
        return
    if pattern.near:
        yield f'kw.GeoIndex("{pattern.near}")', lowered(view.binding, GeoIndex(pattern.near))
        return
    is_unique = pattern.kind in _CHANGES
    if is_unique and (not pattern.eq or view.collection.series is not None):
        return
    keys = list(pattern.eq) if is_unique else _keys(view, asked)
    if keys and all(view.knows(key.removeprefix("-")) for key in keys):
        yield _declared(view, keys, is_unique)


def _keys(view: View, asked: Request) -> list[str]:
    """Fields of an index for a request: equality, then the order, then a range; one list at the most."""
    found: list[str] = []
    lists: set[str] = set()

    def add(field: str, written: str) -> None:
        array = view.array(field)
        if field not in (one.removeprefix("-") for one in found) and not (array and lists):
            found.append(written)
            lists.update({array} - {""})

    equal = [one.field for one in asked.asked if one.how == "equals"]
    elements = [one.field for one in asked.asked if one.how in ("contains", "all_of", "exactly")]
    several = [one.field for one in asked.asked if one.how == "one_of" and one.field not in _ordered(asked)]
    for field in (*equal, *elements, *several):
        add(field, field)
    for one in asked.order:
        add(one.field, f"-{one.field}" if one.is_descending else one.field)
    ranged = next((one.field for one in asked.asked if _is_range(view, one)), None)
    if ranged is not None:
        add(ranged, ranged)
    return found if len(found) > 1 else [one.removeprefix("-") for one in found]  # one field is read both ways


def _ordered(asked: Request) -> set[str]:
    return {one.field for one in asked.order}


def _is_range(view: View, one: Asked) -> bool:
    return one.how in RANGES or (one.how == "present" and view.is_nullable(one.field))


def _declared(view: View, keys: list[str], is_unique: bool) -> tuple[str, IndexTarget]:
    """An index as declared; with a name of its own where another one has the usual name."""
    index: AnyIndex = Index(keys, unique=is_unique)
    made = lowered(view.binding, index)
    options = ", unique=True" if is_unique else ""
    taken = {one.name for one in view.collection.indexes}
    if made.name in taken:
        name = next(name for at in range(2, 99) if (name := f"{default_name(made.keys)}_{at}") not in taken)
        made, options = replace(made, name=name), f'{options}, name="{name}"'
    return f"kw.Index({_listed(keys)}{options})", made


def _listed(names: list[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def _fits(collection: CollectionTarget, index: IndexTarget) -> bool:
    """Whether a collection may have one more index, and does not have this one already."""
    if len(collection.indexes) + 2 > INDEXES.value or len(index.keys) > INDEX_FIELDS.value:
        return False
    return all(_identity(one) != _identity(index) for one in collection.indexes)


def _identity(index: IndexTarget) -> tuple[object, ...]:
    return index.keys, index.is_unique, index.filter, index.collation


def _fix(view: View, subject: str, collection: CollectionTarget, text: str, index: IndexTarget) -> Fix[DatabaseTarget]:
    written, stored = entries(view, index), entry_bytes(view, index)
    made = _with(view.database, collection, index)
    return Fix(text, subject, "indexes", made, max(1, _usual(written)), _usual(stored))


def _usual(band: Band) -> float:
    """What is usual, or at the most, or at the least: whatever is known, in this order."""
    return next((value for value in (band.expected, band.high) if value is not None), band.low)


def _with(database: DatabaseTarget, collection: CollectionTarget, index: IndexTarget) -> DatabaseTarget:
    indexes = tuple(sorted((*collection.indexes, index), key=lambda one: one.name))
    changed = replace(collection, indexes=indexes)
    collections = tuple(changed if one is collection else one for one in database.collections)
    return replace(database, collections=collections)


def _joined(view: View, pattern: Pattern) -> Iterator[Fix[DatabaseTarget]]:
    """An index of the other collection, where a join finds none."""
    if pattern.kind != "read" or not isinstance(lookups(view, pattern), str):
        return
    for join in pattern.joins:
        shape = shape_of(view.database, join.entity)
        collection = collection_of(view.database, shape) if shape else None
        if shape is None or collection is None:
            continue
        there = join.on[0][1]
        stored = next((field.stored for field in shape.fields if field.name == there), there)
        index = IndexTarget(default_name(((stored, 1),)), ((stored, 1),), collation=collection.collation)
        if _fits(collection, index):
            yield Fix(f'kw.Index("{there}")', join.entity, "indexes", _with(view.database, collection, index), 1, 0)
