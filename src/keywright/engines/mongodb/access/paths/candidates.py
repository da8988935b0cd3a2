"""Every choice of documents for a query: by `_id` (`by_id.py`), by the buckets of a time series, by each index."""

from collections.abc import Iterator

from keywright.access.implication import Predicate
from keywright.access.path import By, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.attribute import Tuple
from keywright.ir.entity import resolve
from keywright.record import replace

from ..layout import IndexView, Layout
from ..partial_index import is_decided, is_implied, is_inferred
from .by_id import by_id
from .candidate import BUCKETS, ChoiceKind, DocumentChoice, OrderSource, Refused, order_of, selection
from .collations import by_rules
from .key_match import MOST_SCANS, RANGES, IndexKeys, KeyMatch, has_prefix, is_used, match, terms
from .special import by_place, by_words, is_vector_field, wildcard_field


def chosen(view: Layout, by: By, query: Query) -> Iterator[ChoiceKind]:
    """Every choice of documents for a query; a choice that does not serve has a rank.

    If a choice with the collection's collation serves, choices with another collation are rejected, because they would
    find other documents. A pattern with a collation is served with that collation only.
    """
    if query.pattern.collation is not None:
        yield from (by_rules(view, query, choice) for choice in _choices(view, by, query))
        return
    choices = list(_choices(view, by, query))
    default = next((choice for choice in choices if _has_default_collation(choice)), None)
    for candidate in choices:
        if (
            isinstance(default, DocumentChoice)
            and isinstance(candidate, DocumentChoice)
            and candidate.selection.collation is not None
        ):
            reason = f'index "{candidate.by.name}" has a collation, and {default.by} has that of the collection'
            yield 1, Rejected(candidate.by, reason)
        else:
            yield candidate


def _has_default_collation(choice: ChoiceKind) -> bool:
    """Whether a choice serves and compares texts with the collection's collation."""
    return isinstance(choice, DocumentChoice) and choice.selection.collation is None and choice.order != "lost"


def _choices(view: Layout, by: By, query: Query) -> Iterator[ChoiceKind]:
    if field := next((condition.field for condition in query.conditions if _is_inside_tuple(view, condition)), ""):
        yield 0, Rejected(by, f'"{field}" is a tuple, which is only compared as a whole: use eq=')
        return
    special = next((condition for condition in query.conditions if condition.kind in ("search", "near")), None)
    if special is not None and special.kind == "near" and is_vector_field(view, special.field):
        reason = f'no index finds the nearest vectors of "{special.field}": keep a copy in a CqlTable, by kw.bind(...)'
        yield 0, Rejected(by, reason)
        return
    if special is None:
        yield _by_series(view, by, query) if view.collection.series else by_id(view, by, query)
    for index in view.indexes:
        if view.collection.view is not None and view.rules(index.target) is not None:
            reason = f'index "{index.by.name}" has another collation than the view, which a request cannot change'
            yield 0, Rejected(index.by, reason)
            continue
        yield _by_index(view, index, query, special)


def _is_inside_tuple(view: Layout, condition: Condition) -> bool:
    """Whether a condition compares elements of a tuple, each of which has its own type."""
    attributes = resolve(view.attributes, condition.field)
    is_tuple = bool(attributes) and isinstance(attributes[-1].type, Tuple)  # type: ignore[index]
    return is_tuple and condition.kind in ("contains", "all_of", "exactly")


def _by_series(view: Layout, by: By, query: Query) -> ChoiceKind:
    """Buckets are clustered by time: a range of time selects them without an index."""
    series = view.collection.series
    assert series is not None
    time = next((name for name, path in view.stored.items() if path == series.time), series.time)
    key_match = match(view, ((time, 1),), query, query.order)
    if not key_match.is_ranged:
        return 0, Rejected(by, f'buckets are clustered by "{time}", for which the pattern has no range')
    order = order_of(query, key_match, is_series=True)
    if isinstance(order, str):
        return 1, Rejected(by, order)
    picked = selection(view, terms(view, query))
    return DocumentChoice(by, picked, key_match.bound, order.kind, order.unordered_field, notes=(BUCKETS,))


def _by_index(view: Layout, index: IndexView, query: Query, special: Condition | None) -> ChoiceKind:
    kind, by = index.kind, index.by
    if kind == "hidden":
        leading = match(view, index.keys, query, query.order).leading
        reason = f'index "{by.name}" is hidden, so that the server ignores it: remove hidden='
        return leading and leading + 1, Rejected(by, reason)
    if special is not None:
        serve = by_words if special.kind == "search" else by_place
        return serve(view, index, query, special)
    if kind == "fields":
        return _by_fields(view, index, index.keys, query)
    if kind == "hash":
        return _by_hash(view, index, query)
    if kind == "wildcard":
        return _by_wildcard(view, index, query)
    purpose = "searches for words" if kind == "text" else "distances"
    return 0, Rejected(by, f'index "{by.name}" serves {purpose} only')


def _by_fields(view: Layout, index: IndexView, keys: IndexKeys, query: Query) -> ChoiceKind:
    by, first = index.by, keys[0][0]
    if not index.is_partial and not is_used(query, first) and first not in view.binding.computed:
        return 0, Rejected(by, f'index "{by.name}" starts with "{first}", for which the pattern has no condition')
    key_match = match(view, keys, query, query.order)
    decided = key_match.bound
    if index.filter is not None:
        decided += tuple(condition for condition in query.conditions if is_decided(view, condition, index.filter))
    if not key_match.leading and (unbounded := _unbounded(index, first, query, key_match, decided)):
        return unbounded
    refused = _refused(view, index, query, decided)
    if isinstance(refused, str):
        has_order = bool(query.order) and key_match.unordered is None
        return key_match.leading or int(has_order), Rejected(by, refused)
    is_series = view.collection.series is not None
    order = order_of(query, key_match, is_series=is_series)
    if isinstance(order, OrderSource) and order.kind == "merge" and key_match.is_merged and index.is_multikey:
        order = f'index "{by.name}" has several entries for a document, and such scans cannot be merged in order'
    if isinstance(order, OrderSource) and order.kind in ("index", "merge") and index.target.is_sparse:
        order = _sparse_order(view, index, query) or order
    if isinstance(order, str):
        return key_match.leading + 1, Rejected(by, order)
    picked = selection(view, terms(view, query, key_match), index, order.most, refused)
    if index.stated is not None and not _is_inferred(view, query, index.stated):
        picked = replace(picked, filter=index.target.filter)
    if not key_match.leading or order.kind in ("index", "merge"):
        # Only a hint makes the server read a whole partial index, or merge before it tries a sort.
        picked = replace(picked, hint=by.name)
    unique = index.target.is_unique and key_match.points == len(keys) and not index.is_multikey
    return DocumentChoice(
        by, picked, decided, order.kind, order.unordered_field, None,
        key_match.scans or MOST_SCANS, key_match.points, unique,
        unique and all(query.fixed(field) is not None for field, _ in keys),
        (BUCKETS,) if is_series else (), index, key_match.leading + (order.kind == "lost"),
    )  # fmt: skip


def _sparse_order(view: Layout, index: IndexView, query: Query) -> str | None:
    """The reason why a sparse index does not keep an order: the server looks for null between pages, but not in it."""
    fields = (ordering.field for ordering in query.order if view.is_nullable(ordering.field))
    not_null = (*RANGES, "equals", "present")
    field = next((name for name in fields if not any(entry.kind in not_null for entry in query.on(name))), None)
    if field is None:
        return None
    return (
        f'index "{index.by.name}" is sparse, and "{field}" of the order may be null: add kw.Present() for it to where='
    )


def _unbounded(
    index: IndexView, first: str, query: Query, key_match: KeyMatch, decided: tuple[Condition, ...]
) -> Refused | None:
    """Why an index is not read from end to end; None if the pattern needs a page of it, or all its documents."""
    by = index.by
    is_ordered = bool(query.order) and key_match.unordered is None
    undecided = next((condition for condition in query.conditions if condition not in decided), None)
    if is_ordered and undecided is not None:
        return 1, Rejected(by, f'index "{by.name}" has the order, but would be read completely to find "{undecided}"')
    if undecided is not None or not (query.conditions or is_ordered) or (query.order and not is_ordered):
        return 0, Rejected(by, f'index "{by.name}" starts with "{first}", for which the pattern has no condition')
    if not query.conditions and query.pattern.limit is None:
        reason = f'the pattern has no condition: index "{by.name}" would be read completely; add limit='
        return 0, Rejected(by, reason)
    return None


def _refused(view: Layout, index: IndexView, query: Query, decided: tuple[Condition, ...]) -> str | tuple[str, ...]:
    """The reason why the server would not use an index; else the fields for which a call may not pass null."""
    name = index.target.name
    if index.target.collation is not None and (reason := _compared(view, index, query, decided)):
        return reason
    if not index.is_partial:
        return ()
    if index.filter is None:
        return f'keywright cannot evaluate the filter of index "{name}"'
    nullable = _nullable(view, query)
    if not is_implied(view, query.conditions, index.filter, nullable):
        if index.target.is_sparse:
            fields = " and ".join(f'"{field}"' for field, _ in index.keys)
            return f'index "{name}" is sparse, and the pattern may ask for documents without {fields}'
        return f'index "{name}" contains only some documents: add the filter of the index to where= of the pattern'
    return tuple(field for field in nullable if f"{field!r}" in repr(index.filter))


def _nullable(view: Layout, query: Query) -> tuple[str, ...]:
    """Fields for which a call could pass null; a partial index rejects it."""
    return tuple(
        condition.field
        for condition in query.conditions
        if condition.constants is None and condition.kind in ("equals", "one_of") and view.is_nullable(condition.field)
    )


def _is_inferred(view: Layout, query: Query, filter: Predicate) -> bool:
    return is_inferred(view, query.conditions, filter, _nullable(view, query))


def _compared(view: Layout, index: IndexView, query: Query, decided: tuple[Condition, ...]) -> str | None:
    """The reason why the collation of an index does not fit a query."""
    name = index.target.name
    if has_prefix(query):
        return f'index "{name}" has a collation, which does not support prefixes'
    if view.rules(index.target) is None or query.pattern.collation is not None:
        return None  # the request uses this collation for all texts
    fields = {field for field, _ in index.keys}
    for condition in query.conditions:
        if condition.field not in fields and condition not in decided and view.types.get(condition.field) == "string":
            return f'index "{name}" has a collation, which would also apply to "{condition.field}" too'
    return None


def _by_hash(view: Layout, index: IndexView, query: Query) -> ChoiceKind:
    by, (field, direction) = index.by, index.keys[0]
    if direction == "hashed" and query.first(field, "equals", "one_of") is None:
        reason = f'index "{by.name}" contains hashes, and the pattern has no equality condition on "{field}"'
        return len(query.on(field)), Rejected(by, reason)
    return _by_fields(view, index, index.keys, query)


def _by_wildcard(view: Layout, index: IndexView, query: Query) -> ChoiceKind:
    """A wildcard index serves each path below its own like an ordinary index, but it does not contain null."""
    by, field = index.by, wildcard_field(view, index, query)
    if field is None:
        return 0, Rejected(
            by, f'index "{by.name}" contains single paths, and the pattern has no value or range for one'
        )
    choice = _by_fields(view, index, ((field, 1),), query)
    if not isinstance(choice, DocumentChoice):
        return choice
    if choice.order not in ("none", "lost"):
        choice = replace(choice, order="lost", lost=query.order[0].field)
    not_null = (field,) if view.is_nullable(field) else ()
    return replace(choice, selection=replace(choice.selection, not_null=not_null))
