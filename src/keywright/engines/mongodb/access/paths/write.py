"""Writes: whole documents by their key; updates and deletes by `_id` or an index."""

from collections.abc import Iterator

from keywright.access.partial_write import Versions, unreachable, versions_of
from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Query
from keywright.declare.store import VERSION
from keywright.ir.attribute import Many, has_fixed_length
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern
from keywright.record import replace

from ...schema.fields import ID
from ...schema.filters import omitted_fields
from ...schema.target import shard_key
from ..calls import DeleteDocuments, IncrementDocument, PutDocuments, Set, TemplateAttribute, UpdateDocument
from ..layout import Layout
from .candidate import DocumentChoice
from .candidates import chosen
from .collations import compared_by


def put_path(view: Layout, by: By, pattern: Pattern) -> Candidate:
    """A whole document, by its `_id`."""
    name = view.collection.physical_name
    if pattern.if_absent and view.id is None:
        cause = (
            "a time series has no unique key" if view.collection.series else f'the server generates "_id" of "{name}"'
        )
        return Rejected(by, f"{cause}, so that no two documents are ever the same")
    sharded = tuple(path for path, _ in shard_key(view.database, view.collection) if path != ID)
    call = PutDocuments(
        view.database.name, name, view.id is not None, pattern.if_absent, sharded, pattern.consistency == "strong"
    )
    notes: tuple[str, ...] = ()
    if sharded and not pattern.if_absent:
        notes = (f'with another "{sharded[0]}" it is another document: the shard key finds the one to replace',)
    return AccessPath(by, call, consistency=pattern.consistency, notes=notes)


def write_paths(view: Layout, by: By, query: Query) -> Iterator[Candidate]:
    """Every candidate for an update or a delete."""
    pattern = query.pattern
    if pattern.kind == "update" and not (pattern.sets or pattern.unset or pattern.pushes):
        yield Rejected(by, "it changes nothing: add sets=, unset= or pushes=")
        return
    reason = _series(view, query) if view.collection.series else _refused(view, query)
    if reason:
        yield Rejected(by, reason)
        return
    candidates = [
        _path(view, query, choice) if isinstance(choice, DocumentChoice) else choice
        for choice in chosen(view, by, query)
    ]
    yield from (candidate for _, candidate in sorted(candidates, key=lambda pair: -pair[0]))


def _path(view: Layout, query: Query, choice: DocumentChoice) -> tuple[int, Candidate]:
    pattern = query.pattern
    if choice.selection.hint is not None:
        choice = replace(choice, selection=replace(choice.selection, hint=None))  # some flavours reject hints in writes
    is_strong = pattern.consistency == "strong"
    if pattern.kind == "delete":
        call: DeleteDocuments | UpdateDocument | IncrementDocument = DeleteDocuments(
            choice.selection, choice.is_unique, bool(pattern.where), is_strong
        )
    elif not choice.is_unique:
        equal = ", ".join(condition.field for condition in query.conditions if condition.kind == "equals")
        reason = f'"{equal}" does not identify one document by "{choice.by.name}": use the key, or a unique index'
        return 1, Rejected(choice.by, reason)
    elif pattern.kind == "increment":
        assert pattern.field is not None
        call = IncrementDocument(
            choice.selection, pattern.field, view.path(pattern.field), is_strong, _versions(view, query)
        )
    else:
        call = _update(view, query, choice, is_strong)
    decided = {*choice.decided}
    residual = tuple(
        condition
        for condition in query.conditions
        if condition not in decided and condition.constants is None and condition.kind != "present"
    )
    rules, level = compared_by(view, choice.selection), pattern.consistency
    return 9, AccessPath(choice.by, call, residual=residual, consistency=level, collation=rules, notes=choice.notes)


def _update(view: Layout, query: Query, choice: DocumentChoice, is_strong: bool) -> UpdateDocument:
    pattern = query.pattern
    omitted = omitted_fields(view.binding)
    sets = tuple(Set(name, view.path(name), _leaves_out(view, name, omitted)) for name in pattern.sets)
    nulls = tuple(view.path(name) for name in pattern.unset if _holds_null(view, name, omitted))
    unset = tuple(view.path(name) for name in pattern.unset if not _holds_null(view, name, omitted))
    pushed = Set(pattern.pushes, view.path(pattern.pushes)) if pattern.pushes else None
    attributes = tuple(TemplateAttribute(name, view.binding.computed[name]) for name in _touched(view, pattern.sets))
    bound = _bound(view, pattern)
    return UpdateDocument(
        choice.selection, sets, unset, nulls, pushed, bound, attributes, is_strong, _versions(view, query)
    )


def _versions(view: Layout, query: Query) -> Versions | None:
    return versions_of(view.binding, VERSION, view.key_fields, query)


def _leaves_out(view: Layout, name: str, omitted: frozenset[str]) -> bool:
    attributes = resolve(view.attributes, name)
    return attributes is not None and (attributes[-1].is_required or name in omitted)


def _bound(view: Layout, pattern: Pattern) -> int | None:
    attributes = resolve(view.attributes, pattern.pushes) if pattern.pushes else None
    return attributes[-1].type.max_items if attributes and isinstance(attributes[-1].type, Many) else None


def _touched(view: Layout, fields: tuple[str, ...]) -> list[str]:
    """Computed attributes that depend on some fields."""
    return [
        name
        for name, template in view.binding.computed.items()
        if any(_overlap(placeholder.path, field) for placeholder in template.placeholders for field in fields)
    ]


def _overlap(first: str, second: str) -> bool:
    return f"{first}.".startswith(f"{second}.") or f"{second}.".startswith(f"{first}.")


def _series(view: Layout, query: Query) -> str | None:
    """The reason why a time series rejects a write; it accepts only the deletion of whole sources.

    Source: https://www.mongodb.com/docs/v6.0/core/timeseries/timeseries-limitations/, 2026-11-21.
    """
    series = view.collection.series
    assert series is not None
    if query.pattern.kind != "delete":
        return "measurements of a time series cannot be changed: write another one"
    if series.meta is None:
        return "a time series without a meta field removes no measurements: let them expire by ttl="
    if any(view.path(condition.field) != series.meta for condition in query.conditions):
        return f'a time series removes by "{series.meta}" alone: let measurements expire by ttl='
    return None


def _refused(view: Layout, query: Query) -> str | None:
    pattern = query.pattern
    changed = [*pattern.sets, *pattern.unset, *filter(None, (pattern.pushes, pattern.field))]
    unknown = next((name for name in changed if not view.knows(name)), None)
    if unknown:
        return f'collection "{view.collection.physical_name}" has no field "{unknown}"'
    keys = {*view.key_fields, *(path for path, _ in shard_key(view.database, view.collection))}
    for name in changed:
        if name in view.binding.computed:
            return f'"{name}" is computed: set the fields of its template'
        key = next((key for key in keys if _overlap(key, name) or _overlap(key, view.path(name))), None)
        if key is not None:
            return f'"{name}" is part of the key of "{view.binding.name}", and a key never changes: delete and put'
        if (reason := unreachable(resolve(view.attributes, name) or ())) is not None:
            return reason
    for name in filter(None, (pattern.pushes, pattern.field)):
        if _holds_null(view, name, omitted_fields(view.binding)):
            return f'"{name}" may be stored as null, which cannot be incremented'
    for name in pattern.unset:
        attributes = resolve(view.attributes, name)
        if attributes and attributes[-1].is_required and not attributes[-1].is_nullable:
            return f'"{name}" is required, so that no document may lack it'
    return _push_refused(view, pattern) or _lacking(view, query)


def _holds_null(view: Layout, name: str, omitted: frozenset[str]) -> bool:
    """Whether a field without a value is stored as null, not omitted."""
    attributes = resolve(view.attributes, name)
    return attributes is not None and attributes[-1].is_nullable and not _leaves_out(view, name, omitted)


def _push_refused(view: Layout, pattern: Pattern) -> str | None:
    attributes = resolve(view.attributes, pattern.pushes) if pattern.pushes else None
    if attributes and has_fixed_length(attributes[-1].type):
        return f'"{pattern.pushes}" has a fixed number of elements: write it as a whole with sets='
    if attributes and isinstance(attributes[-1].type, Many) and attributes[-1].type.kind == "set":
        return f'"{pattern.pushes}" is a set, which is stored in order: write it as a whole with sets='
    return None


def _lacking(view: Layout, query: Query) -> str | None:
    """The fields that an update must also set so that computed attributes remain correct."""
    pattern = query.pattern
    changed = (*pattern.sets, *pattern.unset, *filter(None, (pattern.field, pattern.pushes)))
    touched = _touched(view, changed)
    known_fields = {
        *pattern.sets,
        *(
            condition.field
            for condition in query.conditions
            if condition.kind == "equals" and condition.constants is None
        ),
    }
    missing = [
        placeholder.path
        for name in touched
        for placeholder in view.binding.computed[name].placeholders
        if placeholder.path and not any(f"{placeholder.path}.".startswith(f"{field}.") for field in known_fields)
    ]
    if touched and not missing and not set(changed) <= set(pattern.sets):
        sole_fields = [name for name in changed if name not in pattern.sets and _touched(view, (name,))]
        missing = sole_fields
    if missing:
        names = ", ".join(dict.fromkeys(missing))
        return f'"{touched[0]}" is computed from "{names}" too: add to eq= or sets='
    return None
