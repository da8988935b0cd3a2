"""Writes: whole documents by their key; changes and removals by `_id` or an index."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.nested import unreachable
from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Request
from keywright.declare.predicates import conditions
from keywright.ir.attribute import Many
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern

from ..fields import ID, store_of
from ..sharding import shard_key
from .calls import Delete, Increment, Made, Put, Set, Update
from .choose import chosen
from .chosen import Chosen
from .view import View


def put_path(view: View, by: By, pattern: Pattern) -> Candidate:
    """A whole document, by its `_id`."""
    name = view.collection.physical_name
    if pattern.if_absent and view.id is None:
        what = "a time series has no unique key" if view.collection.series else f'the server makes "_id" of "{name}"'
        return Rejected(by, f"{what}, so that no two documents are ever the same")
    sharded = tuple(path for path, _ in shard_key(view.database, view.collection) if path != ID)
    call = Put(
        view.database.name, name, view.id is not None, pattern.if_absent, sharded, pattern.consistency == "strong"
    )
    notes: tuple[str, ...] = ()
    if sharded and not pattern.if_absent:
        notes = (f'with another "{sharded[0]}" it is another document: the shard key finds the one to replace',)
    return AccessPath(by, call, consistency=pattern.consistency, notes=notes)


def write_paths(view: View, by: By, asked: Request) -> Iterator[Candidate]:
    """Every way in which a change or a removal could find its documents."""
    pattern = asked.pattern
    if pattern.kind == "update" and not (pattern.sets or pattern.unset or pattern.pushes):
        yield Rejected(by, "it changes nothing: say sets=, unset= or pushes=")
        return
    reason = _series(view, asked) if view.collection.series else _refused(view, asked)
    if reason:
        yield Rejected(by, reason)
        return
    found = [_path(view, asked, one) if isinstance(one, Chosen) else one for one in chosen(view, by, asked)]
    yield from (one for _, one in sorted(found, key=lambda pair: -pair[0]))


def _path(view: View, asked: Request, one: Chosen) -> tuple[int, Candidate]:
    pattern = asked.pattern
    if one.selection.hint is not None:
        one = replace(one, selection=replace(one.selection, hint=None))  # not every flavour takes hints of writes
    is_strong = pattern.consistency == "strong"
    if pattern.kind == "delete":
        call: Delete | Update | Increment = Delete(one.selection, one.is_unique, bool(pattern.where), is_strong)
    elif not one.is_unique:
        equal = ", ".join(field.field for field in asked.asked if field.how == "equals")
        reason = (
            f'"{equal}" does not tell one document from all others by "{one.by.name}": say the key, or a unique index'
        )
        return 1, Rejected(one.by, reason)
    elif pattern.kind == "increment":
        assert pattern.field is not None
        call = Increment(one.selection, pattern.field, view.path(pattern.field), is_strong)
    else:
        call = _update(view, asked, one, is_strong)
    decided = {*one.decided}
    residual = tuple(
        two for two in asked.asked if two not in decided and two.constants is None and two.how != "present"
    )
    return 9, AccessPath(one.by, call, residual=residual, consistency=pattern.consistency, notes=one.notes)


def _update(view: View, asked: Request, one: Chosen, is_strong: bool) -> Update:
    pattern = asked.pattern
    wanted = _wanted(view)
    sets = tuple(Set(name, view.path(name), _leaves_out(view, name, wanted)) for name in pattern.sets)
    nulls = tuple(view.path(name) for name in pattern.unset if _holds_null(view, name, wanted))
    unset = tuple(view.path(name) for name in pattern.unset if not _holds_null(view, name, wanted))
    pushed = Set(pattern.pushes, view.path(pattern.pushes)) if pattern.pushes else None
    made = tuple(Made(name, view.binding.computed[name]) for name in _touched(view, pattern.sets))
    return Update(one.selection, sets, unset, nulls, pushed, _bound(view, pattern), made, is_strong)


def _wanted(view: View) -> set[str]:
    """Fields that some index wants present, so that null leaves them out: as the runtime writes whole documents."""
    tests = (test for index in store_of(view.binding).indexes for test in conditions(index.where))
    return {test.field for test in tests if test.test == "present"}


def _leaves_out(view: View, name: str, wanted: set[str]) -> bool:
    found = resolve(view.attributes, name)
    return found is not None and (found[-1].is_required or name in wanted)


def _bound(view: View, pattern: Pattern) -> int | None:
    found = resolve(view.attributes, pattern.pushes) if pattern.pushes else None
    return found[-1].type.max_items if found and isinstance(found[-1].type, Many) else None


def _touched(view: View, fields: tuple[str, ...]) -> list[str]:
    """Computed attributes that change with some fields."""
    return [
        name
        for name, template in view.binding.computed.items()
        if any(_overlap(one.path, field) for one in template.placeholders for field in fields)
    ]


def _overlap(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _series(view: View, asked: Request) -> str | None:
    """What a time series refuses: all but the removal of whole sources.

    Source: https://www.mongodb.com/docs/v6.0/core/timeseries/timeseries-limitations/, 2026-11-21.
    """
    series = view.collection.series
    assert series is not None
    if asked.pattern.kind != "delete":
        return "measurements of a time series are never changed: write another one"
    if any(view.path(one.field) != series.meta for one in asked.asked):
        return f'a time series removes by "{series.meta}" alone: let measurements expire by ttl='
    return None


def _refused(view: View, asked: Request) -> str | None:
    pattern = asked.pattern
    changed = [*pattern.sets, *pattern.unset, *filter(None, (pattern.pushes, pattern.field))]
    unknown = next((name for name in changed if not view.knows(name)), None)
    if unknown:
        return f'collection "{view.collection.physical_name}" holds no "{unknown}"'
    keys = {*view.key_fields, *(path for path, _ in shard_key(view.database, view.collection))}
    for name in changed:
        if name in view.binding.computed:
            return f'"{name}" is computed: set the fields that it is made of'
        key = next((key for key in keys if _overlap(key, name) or _overlap(key, view.path(name))), None)
        if key is not None:
            return f'"{name}" is part of the key of "{view.binding.name}", and a key never changes: delete and put'
        if (reason := unreachable(resolve(view.attributes, name) or ())) is not None:
            return reason
    for name in filter(None, (pattern.pushes, pattern.field)):
        if _holds_null(view, name, _wanted(view)):
            return f'"{name}" may be stored as null, to which nothing is added'
    for name in pattern.unset:
        found = resolve(view.attributes, name)
        if found and found[-1].is_required and not found[-1].is_nullable:
            return f'"{name}" is required, so that no document may lack it'
    return _push_refused(view, pattern) or _lacking(view, asked)


def _holds_null(view: View, name: str, wanted: set[str]) -> bool:
    """Whether a field without a value is stored as null, and not left out."""
    found = resolve(view.attributes, name)
    return found is not None and found[-1].is_nullable and not _leaves_out(view, name, wanted)


def _push_refused(view: View, pattern: Pattern) -> str | None:
    found = resolve(view.attributes, pattern.pushes) if pattern.pushes else None
    if found and isinstance(found[-1].type, Many) and found[-1].type.kind == "set":
        return f'"{pattern.pushes}" is a set, which is stored in order: write it whole by sets='
    return None


def _lacking(view: View, asked: Request) -> str | None:
    """What a change must say besides, so that computed attributes stay right."""
    pattern = asked.pattern
    changed = (*pattern.sets, *pattern.unset, *filter(None, (pattern.field, pattern.pushes)))
    touched = _touched(view, changed)
    given = {*pattern.sets, *(one.field for one in asked.asked if one.how == "equals" and one.constants is None)}
    missing = [
        one.path
        for name in touched
        for one in view.binding.computed[name].placeholders
        if one.path and not any(f"{one.path}.".startswith(f"{field}.") for field in given)
    ]
    if touched and not missing and not set(changed) <= set(pattern.sets):
        only = [name for name in changed if name not in pattern.sets and _touched(view, (name,))]
        missing = only
    if missing:
        names = ", ".join(dict.fromkeys(missing))
        return f'"{touched[0]}" is made of "{names}" too: add to eq= or sets='
    return None
