"""Gets, reads and counts: document choices as access paths."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Order, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted
from keywright.record import replace

from ...schema.fields import ID
from ..calls import CountDocuments, Find, Lookup, Near, Search, SortField
from ..layout import Layout
from .candidate import ChoiceKind, DocumentChoice
from .candidates import chosen
from .collations import NO_TEXT, compared_by
from .joins import lookups
from .key_match import RANGES, term


def read_paths(view: Layout, by: By, query: Query) -> Iterator[Candidate]:
    """Every candidate for a get, a read or a count, the nearest first if none serves."""
    candidates = [_finished(view, query, choice) for choice in chosen(view, by, query)]
    if len(candidates) > 1:
        candidates.sort(key=lambda pair: -pair[0])
    yield from (candidate for _, candidate in candidates)


def residual_of(query: Query, choice: DocumentChoice) -> tuple[Condition, ...]:
    """The conditions that are checked after reading."""
    return tuple(condition for condition in query.conditions if condition not in choice.decided)


def _finished(view: Layout, query: Query, choice: ChoiceKind) -> tuple[int, Candidate]:
    """A document choice as the path of a get, a read or a count."""
    if not isinstance(choice, DocumentChoice):
        return choice
    pattern, order, notes = query.pattern, "none" if choice.is_one else choice.order, list(choice.notes)
    residual = residual_of(query, choice)
    if order == "lost" and pattern.kind == "read":
        if not choice.is_unique:
            return choice.nearness, Rejected(choice.by, _unsorted(choice))
        order = "memory"  # the server sorts only the documents of the call's keys
    rules = compared_by(view, choice.selection)
    if pattern.collation is None and choice.selection.collation is not None:
        notes.append("text is compared by the index's collation, not byte by byte: declare collation= in the pattern")
    if pattern.kind == "count":
        return 9, AccessPath(
            choice.by, CountDocuments(choice.selection), residual=residual, collation=rules, notes=tuple(notes)
        )
    joined = _joined(view, pattern, choice)
    if isinstance(joined, str):
        return choice.nearness, Rejected(choice.by, joined)
    if choice.selection.most and order == "merge":
        notes.append(
            f"at most {counted(choice.selection.most[0][1], 'value')} in a call: with more, the server would sort "
            "in memory"
        )
    if order in ("index", "merge"):
        choice = _without_null(view, query, choice)
    call = _call(view, query, choice, joined)
    is_covered = isinstance(call, Find) and bool(call.paths) and _is_covered(view, query, choice, call)
    if isinstance(call, Find):
        if is_covered:
            notes.append("covered: the server reads only the index")
    elif joined:
        return choice.nearness, Rejected(choice.by, "a search cannot be joined: read the other documents by their keys")
    is_ordered = pattern.kind == "read" and order in ("index", "merge", "memory")
    path_order: Order = order if is_ordered else "none"  # type: ignore[assignment]  # one of these three
    consistency = pattern.consistency
    return 9, AccessPath(choice.by, call, 1, path_order, residual, consistency, tuple(notes), rules, is_covered)


def _joined(view: Layout, pattern: Pattern, choice: DocumentChoice) -> tuple[Lookup, ...] | str:
    if pattern.joins and choice.selection.collation is not None:
        return "a join would use the same collation: read the other documents by their keys"
    return lookups(view, pattern) if pattern.joins else ()


def _without_null(view: Layout, query: Query, choice: DocumentChoice) -> DocumentChoice:
    """The choice without null and empty lists as values of fields before an order.

    Each of them is two values in an index, so that the server would sort the documents.
    """
    compared = (
        condition
        for condition in query.conditions
        if condition.constants is None and condition.kind in ("equals", "one_of")
    )
    fields = [
        condition.field for condition in compared if view.is_nullable(condition.field) and condition in choice.decided
    ]
    fields += (condition.field for condition in query.conditions if condition.kind == "exactly")
    if not fields:
        return choice
    not_null = tuple(dict.fromkeys((*choice.selection.not_null, *fields)))
    return replace(choice, selection=replace(choice.selection, not_null=not_null))


def _unsorted(choice: DocumentChoice) -> str:
    subject = f'index "{choice.by.name}"' if choice.by.kind == "index" else '"_id"'
    return f'{subject} does not have the order of "{choice.lost}": the server would sort all results in memory'


def _call(view: Layout, query: Query, choice: DocumentChoice, joined: tuple[Lookup, ...]) -> Find | Search | Near:
    pattern = query.pattern
    is_strong = pattern.consistency != "eventual"
    limit = 1 if pattern.kind == "get" else pattern.limit
    paths = _paths(view, pattern.fields)
    for condition in query.conditions:
        if condition.kind == "search":
            text_selection = replace(choice.selection, conditions=(term(view, condition), *choice.selection.conditions))
            return Search(text_selection, paths, is_strong, limit)
        if condition.kind == "near":
            return Near(choice.selection, condition, view.path(condition.field), paths, is_strong, limit)
    is_ordered = pattern.kind == "read" and not choice.is_one
    order = [ordering for ordering in query.order if query.fixed(ordering.field) is None] if is_ordered else []
    sort = tuple(
        SortField(
            view.path(ordering.field), -1 if ordering.is_descending else 1, _may_be_null(view, query, ordering.field)
        )
        for ordering in order
    )
    if pattern.kind == "read" and choice.sort is not None:
        sort = choice.sort
    elif is_ordered and not order and limit is not None:
        sort = _natural(view, query, choice)
    also: tuple[str, ...] = ()
    if paths and pattern.kind == "read":  # the cursor of the next page, if a call has a limit
        also = tuple(path for path in dict.fromkeys((*(key.path for key in sort), ID)) if path not in paths)
    is_by_rules = compared_by(view, choice.selection) is not None and any(_is_text(view, field.path) for field in sort)
    return Find(choice.selection, sort, paths, also, is_strong, joined, limit, is_by_rules)


def _is_text(view: Layout, path: str) -> bool:
    return any(view.types.get(name) not in NO_TEXT for name, stored in view.stored.items() if stored == path)


def _may_be_null(view: Layout, query: Query, field: str) -> bool:
    """Whether the read values may contain null: a range and `Present` exclude it."""
    leaves_out = (*RANGES, "present")
    return view.is_nullable(field) and not any(condition.kind in leaves_out for condition in query.on(field))


def _natural(view: Layout, query: Query, choice: DocumentChoice) -> tuple[SortField, ...]:
    """The index's own order, made explicit so that the next page can begin after the last document."""
    if view.is_projected:
        return ()  # the server would sort in memory
    if choice.index is None:
        return () if view.collection.series else (SortField(ID, 1),)
    other_keys = choice.index.keys[choice.points :]
    if choice.scans != 1 or view.collection.series or any(isinstance(direction, str) for _, direction in other_keys):
        return ()
    if choice.index.is_partial:
        return ()
    if view.documents and not all(view.knows(field) for field, _ in other_keys):
        return ()  # instances of a view do not have the field
    if any(view.array(field) or field.endswith("$**") or view.has_any_type(field) for field, _ in other_keys):
        return ()
    point_keys = choice.index.keys[: choice.points]
    if any(view.is_nullable(field) or query.first(field, "exactly") is not None for field, _ in point_keys):
        return ()  # null and an empty list are two values in an index, so that the entries are not in one order
    return tuple(
        SortField(view.path(field), int(direction), _may_be_null(view, query, field)) for field, direction in other_keys
    )


def _paths(view: Layout, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The paths of fields, without paths below another one: the server rejects overlapping projections."""
    paths = tuple(dict.fromkeys(view.path(field) for field in fields))
    return tuple(path for path in paths if not any(path.startswith(f"{parent}.") for parent in paths))


def _is_covered(view: Layout, query: Query, choice: DocumentChoice, call: Find) -> bool:
    """Whether the index contains every field that the query compares and returns."""
    if (
        view.documents
        or choice.index is None
        or choice.index.is_multikey
        or not isinstance(choice.index.keys[0][1], int)
        or call.lookups
    ):
        return False
    paths = {path for path, _ in choice.index.target.keys}
    read = {*call.sent, *(view.path(condition.field) for condition in query.conditions)}
    # An index contains null for null and for a missing field; only the document distinguishes them.
    return read <= paths and not any(view.is_nullable(condition.field) for condition in query.conditions)
