"""Declarations that would serve an unserved pattern: one new index each, within the limits of a collection."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.access.path import PatternFix
from keywright.access.query import Condition, Query, request
from keywright.declare.collation import Collation
from keywright.engines.contract.shape import by_path
from keywright.ir.binding import Binding
from keywright.ir.pattern import Collation as Rules
from keywright.ir.pattern import Pattern
from keywright.record import replace

from ..declare.indexes import AnyIndex, GeoIndex, Index, TextIndex
from ..declare.options import AnyCollection
from ..schema.capabilities import INDEX_FIELDS, INDEXES
from ..schema.lower_index import default_name, lowered
from ..schema.target import CollectionTarget, DatabaseTarget, IndexTarget
from .layout import Layout, collection_of, shape_of, view
from .paths.joins import lookups
from .paths.key_match import RANGES
from .paths.special import is_vector_field
from .size import entries, entry_bytes

_CHANGES = frozenset(("update", "increment"))
"""Kinds of pattern that need a key or a unique index because they change one document."""


def fixes(
    target: DatabaseTarget, binding: Binding[AnyCollection], pattern: Pattern
) -> Iterator[PatternFix[DatabaseTarget]]:
    """See `Engine.fixes`."""
    layout = view(target, binding)
    if layout is None or pattern.kind not in ("get", "read", "count", "aggregate", "delete", *_CHANGES):
        return
    for text, index in _indexes(layout, pattern):
        if _fits(layout.collection, index):
            yield _fix(layout, binding.name, layout.collection, text, index)
    yield from _joined(layout, pattern)


def _indexes(view: Layout, pattern: Pattern) -> Iterator[tuple[str, IndexTarget]]:
    """(declaration, index) for each index that could serve the pattern."""
    query = request(pattern, view.key_fields)
    if pattern.search:
        if not any(index.weights for index in view.collection.indexes):  # a collection has at most one text index
            fields = list(pattern.search)
            yield f"kw.TextIndex({_listed(fields)})", lowered(view.binding, TextIndex(fields))
        return
    if pattern.near and is_vector_field(view, pattern.near):
        return
    if pattern.near:
        yield f'kw.GeoIndex("{pattern.near}")', lowered(view.binding, GeoIndex(pattern.near))
        return
    is_unique = pattern.kind in _CHANGES
    if is_unique and (not pattern.eq or view.collection.series is not None):
        return
    keys = list(pattern.eq) if is_unique else _keys(view, query)
    if keys and all(view.knows(key.removeprefix("-")) for key in keys):
        yield _declared(view, keys, is_unique, pattern.collation)


def _keys(view: Layout, query: Query) -> list[str]:
    """Fields of an index for a query: equality, then the order, then a range; at most one list."""
    keys: list[str] = []
    lists: set[str] = set()

    def add(field: str, key: str) -> None:
        array = view.array(field)
        if field not in (key.removeprefix("-") for key in keys) and not (array and lists):
            keys.append(key)
            lists.update({array} - {""})

    equal = [condition.field for condition in query.conditions if condition.kind == "equals"]
    elements = [
        condition.field for condition in query.conditions if condition.kind in ("contains", "all_of", "exactly")
    ]
    value_lists = [
        condition.field
        for condition in query.conditions
        if condition.kind == "one_of" and condition.field not in _ordered(query)
    ]
    for field in (*equal, *elements, *value_lists):
        add(field, field)
    for ordering in query.order:
        add(ordering.field, f"-{ordering.field}" if ordering.is_descending else ordering.field)
    ranged = next((condition.field for condition in query.conditions if _is_range(view, condition)), None)
    if ranged is not None:
        add(ranged, ranged)
    return keys if len(keys) > 1 else [key.removeprefix("-") for key in keys]  # one field is read both ways


def _ordered(query: Query) -> set[str]:
    return {ordering.field for ordering in query.order}


def _is_range(view: Layout, condition: Condition) -> bool:
    return condition.kind in RANGES or (condition.kind == "present" and view.is_nullable(condition.field))


def _declared(view: Layout, keys: list[str], is_unique: bool, rules: Rules | None) -> tuple[str, IndexTarget]:
    """An index as declared, with an explicit name if another index has the default name."""
    collation = Collation(locale=rules.locale, strength=rules.strength) if rules else None  # type: ignore[arg-type]
    index: AnyIndex = Index(keys, unique=is_unique, collation=collation)
    target = lowered(view.binding, index)
    options = ", unique=True" if is_unique else ""
    if rules is not None:
        options += f', collation=kw.Collation(locale="{rules.locale}", strength={rules.strength})'
    taken_names = {index.name for index in view.collection.indexes}
    if target.name in taken_names:
        name = next(name for at in range(2, 99) if (name := f"{default_name(target.keys)}_{at}") not in taken_names)
        target, options = replace(target, name=name), f'{options}, name="{name}"'
    return f"kw.Index({_listed(keys)}{options})", target


def _listed(names: list[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def _fits(collection: CollectionTarget, index: IndexTarget) -> bool:
    """Whether a collection has room for an index, and no equal index."""
    if len(collection.indexes) + 2 > INDEXES.value or len(index.keys) > INDEX_FIELDS.value:
        return False
    return all(_identity(existing) != _identity(index) for existing in collection.indexes)


def _identity(index: IndexTarget) -> tuple[object, ...]:
    return index.keys, index.is_unique, index.is_sparse, index.filter, index.collation


def _fix(
    view: Layout, subject: str, collection: CollectionTarget, text: str, index: IndexTarget
) -> PatternFix[DatabaseTarget]:
    written, stored = entries(view, index), entry_bytes(view, index)
    database = _with(view.database, collection, index)
    return PatternFix(text, subject, "indexes", database, max(1, _usual(written)), _usual(stored))


def _usual(band: Band) -> float:
    """The first known figure: expected, highest, lowest."""
    return next((value for value in (band.expected, band.high) if value is not None), band.low)


def _with(database: DatabaseTarget, collection: CollectionTarget, index: IndexTarget) -> DatabaseTarget:
    indexes = tuple(sorted((*collection.indexes, index), key=lambda existing: existing.name))
    changed = replace(collection, indexes=indexes)
    collections = tuple(changed if existing is collection else existing for existing in database.collections)
    return replace(database, collections=collections)


def _joined(view: Layout, pattern: Pattern) -> Iterator[PatternFix[DatabaseTarget]]:
    """An index of the other collection, if no index serves a join."""
    if pattern.kind != "read" or not isinstance(lookups(view, pattern), str):
        return
    for join in pattern.joins:
        shape = shape_of(view.database, join.entity)
        collection = collection_of(view.database, shape) if shape else None
        if shape is None or collection is None:
            continue
        field_name = join.on[0][1]
        field_shape = by_path(shape).get(field_name)
        stored = field_shape.stored if field_shape else field_name
        index = IndexTarget(default_name(((stored, 1),)), ((stored, 1),), collation=collection.collation)
        if _fits(collection, index):
            yield PatternFix(
                f'kw.Index("{field_name}")', join.entity, "indexes", _with(view.database, collection, index), 1, 0
            )
