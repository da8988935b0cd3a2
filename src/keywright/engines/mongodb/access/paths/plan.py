"""The keys and indexes that serve a pattern, with the native query, or the reasons why none does."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Query, request
from keywright.access.search import Planned
from keywright.ir.attribute import Many, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern
from keywright.record import replace

from ...declare.options import AnyCollection
from ...schema.target import DatabaseTarget
from ..calls import DeleteDocuments, IncrementDocument, PutDocuments, Transaction, UpdateDocument
from ..layout import Layout, view
from .collations import refused_rules
from .group import group_paths
from .read import read_paths
from .write import put_path, write_paths


def key_fields(target: DatabaseTarget, binding: Binding[AnyCollection]) -> tuple[str, ...]:
    """See `Engine.key_fields`: the fields of `_id`; none if the server generates it, and none for a time series."""
    layout = view(target, binding)
    return layout.key_fields if layout else ()


def paths(target: DatabaseTarget, binding: Binding[AnyCollection], pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`."""
    layout = view(target, binding)
    if layout is None:
        yield Rejected(By("table", target.name), f'database "{target.name}" has no collection of "{binding.name}"')
        return
    by = By("table", layout.name)
    query = request(pattern, layout.key_fields)
    reason = _unknown(layout, query) or _refused(layout, pattern) or _uncontinued(layout, query)
    reason = reason or _reordered(layout, query) or refused_rules(query)
    if reason:
        yield Rejected(by, reason)
        return
    if layout.documents:
        query = replace(query, conditions=(*query.conditions, *layout.documents))
    match pattern.kind:
        case "put":
            yield put_path(layout, by, pattern)
        case "get" | "read" | "count":
            yield from read_paths(layout, by, query)
        case "aggregate":
            yield from group_paths(layout, by, query)
        case _:
            yield from write_paths(layout, by, query)


def together(target: DatabaseTarget, parts: tuple[Planned[DatabaseTarget], ...]) -> Candidate:
    """See `Engine.together`: a transaction of one replica set or cluster accepts writes to any collections."""
    by = By("table", target.name)
    writes: list[PutDocuments | UpdateDocument | IncrementDocument | DeleteDocuments] = []
    for part in parts:
        layout = view(target, part.binding)
        if layout is not None and layout.collection.series is not None:
            return Rejected(
                by,
                f'{part.pattern.name}: a transaction does not write into the time series "{part.access_path.by.name}"',
            )
        if not isinstance(part.access_path.call, (PutDocuments, UpdateDocument, IncrementDocument, DeleteDocuments)):
            return Rejected(by, f"{part.pattern.name}: it is not a write")
        writes.append(part.access_path.call)
    is_strong = any(part.pattern.consistency == "strong" for part in parts)
    return AccessPath(by, Transaction(tuple(writes)), consistency="strong" if is_strong else "eventual")


def _unknown(layout: Layout, query: Query) -> str | None:
    """The reason to reject a field that the collection does not contain, for example in an older version."""
    for condition in query.conditions:
        for field in condition.field.split(" ") if condition.kind == "search" else (condition.field,):
            if not layout.knows(field):
                return f'collection "{layout.name}" has no field "{field}"'
    missing = next((ordering.field for ordering in query.order if not layout.knows(ordering.field)), None)
    return f'collection "{layout.name}" has no field "{missing}"' if missing else None


def _uncontinued(layout: Layout, query: Query) -> str | None:
    """The reason why no page can begin after a value: `$gt` finds only values of the same type."""
    if query.pattern.kind != "read" or query.pattern.limit is None:
        return None
    field = next((ordering.field for ordering in query.order if layout.has_any_type(ordering.field)), None)
    if field is None:
        return None
    return f'"{field}" has values of any type, in whose order no next page can begin: annotate it with one type'


def _reordered(layout: Layout, query: Query) -> str | None:
    """The reason why a whole meta field finds nothing: a time series stores its fields in the order of their names.

    Source: https://www.mongodb.com/docs/manual/core/timeseries/timeseries-considerations/, 2026-11-28.
    """
    series = layout.collection.series
    for condition in query.conditions:
        if series is None or layout.path(condition.field) != series.meta or condition.kind not in _WHOLE:
            continue
        attributes = resolve(layout.attributes, condition.field)
        if attributes and not _is_in_order(attributes[-1].type):
            return f'"{condition.field}" is the meta field, whose fields a time series sorts: use its fields in eq='
    return None


_WHOLE = ("equals", "one_of", "not")
"""Conditions that compare a whole value."""


def _is_in_order(kind: Type) -> bool:
    """Whether documents in a value have the same order of fields as the server gives them."""
    match kind:
        case Scalar():
            return kind.kind != "json"
        case Struct():
            names = [attribute.stored for attribute in kind.attributes]
            return names == sorted(names) and all(_is_in_order(attribute.type) for attribute in kind.attributes)
        case Many():
            return _is_in_order(kind.element)
        case _:
            return False


_VIEWED = ("get", "read", "count", "aggregate")
"""Kinds of pattern that a view serves."""


def _refused_by_view(layout: Layout, pattern: Pattern) -> str | None:
    view = layout.collection.view
    assert view is not None
    if pattern.kind not in _VIEWED:
        return f'"{layout.name}" is a view, which takes no writes: write "{view.on}"'
    if pattern.search or pattern.near:
        return f'a view does not search: read "{view.on}"'
    if pattern.collation is not None:
        return f'a view has one collation, that of "{view.on}": read "{view.on}", or remove collation='
    if layout.is_projected and pattern.order and pattern.kind == "read":
        return f'the server sorts a view with project=True in memory: write project=False, or read "{view.on}"'
    return None


def _refused(layout: Layout, pattern: Pattern) -> str | None:
    name = layout.collection.physical_name
    if layout.collection.view is not None and (reason := _refused_by_view(layout, pattern)):
        return reason
    if pattern.kind in ("rank", "rank_around"):
        return f'an index of "{name}" has no ranks: all documents before would be counted; use a Redis sorted set'
    if pattern.kind == "take":
        return f'collection "{name}" has no operation that takes documents: use a Redis list, stream or rate limit'
    if pattern.kind not in ("put", "read", "count", "aggregate", "get") and not pattern.eq and not layout.key_fields:
        return f'documents of "{layout.binding.name}" have no key: use eq= with a unique index, or declare id='
    return None
