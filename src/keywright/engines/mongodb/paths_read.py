"""Gets, reads and counts: the ways to choose documents, as paths."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Asked, Request

from .calls import Count, Find, Near, Search, Sorted
from .choose import chosen
from .chosen import Chosen, Way
from .fields import ID
from .lookups import lookups
from .match import term
from .view import View


def read_paths(view: View, by: By, asked: Request) -> Iterator[Candidate]:
    """Every way in which a get, a read or a count could be answered, the nearest first where none serves."""
    found = [_finished(view, asked, one) for one in chosen(view, by, asked)]
    yield from (one for _, one in sorted(found, key=lambda pair: -pair[0]))


def residual_of(asked: Request, one: Chosen) -> tuple[Asked, ...]:
    """The conditions that are judged on what was read."""
    return tuple(two for two in asked.asked if two not in one.decided)


def _finished(view: View, asked: Request, one: Way) -> tuple[int, Candidate]:
    """A way as the path of a get, a read or a count."""
    if not isinstance(one, Chosen):
        return one
    pattern, order, notes = asked.pattern, one.order, list(one.notes)
    residual = residual_of(asked, one)
    if order == "lost" and pattern.kind == "read":
        if not one.is_unique:
            return one.nearness, Rejected(one.by, _unsorted(one))
        order = "memory"  # no more is sorted than the keys that the call gives
    if one.selection.collation is not None:
        notes.append("text is compared by the index's rules of language, not byte by byte")
    if pattern.kind == "count":
        return 9, AccessPath(one.by, Count(one.selection), residual=residual, notes=tuple(notes))
    joined = lookups(view, pattern)
    if isinstance(joined, str):
        return one.nearness, Rejected(one.by, joined)
    if one.selection.most and order == "merge":
        notes.append(f"at most {one.selection.most[0][1]} values in a call: of more the server would sort in memory")
    call = _call(view, asked, one, residual)
    if isinstance(call, Find):
        call = replace(call, lookups=joined)
        if call.paths and _is_covered(view, asked, one, call):
            notes.append("covered: the index alone answers, no document is read")
    elif joined:
        return one.nearness, Rejected(one.by, "a search or a distance is not joined: read the others by their keys")
    kept = order if pattern.kind == "read" and order in ("index", "merge", "memory") else "none"
    return 9, AccessPath(one.by, call, 1, kept, residual, pattern.consistency, tuple(notes))  # type: ignore[arg-type]


def _unsorted(one: Chosen) -> str:
    what = f'index "{one.by.name}"' if one.by.kind == "index" else '"_id"'
    return f'{what} does not keep the order of "{one.lost}": the server would sort all that is found in memory'


def _call(view: View, asked: Request, one: Chosen, residual: tuple[Asked, ...]) -> Find | Search | Near:
    pattern = asked.pattern
    is_strong = pattern.consistency != "eventual"
    limit = 1 if pattern.kind == "get" else pattern.limit
    paths = _paths(view, pattern.fields)
    for two in asked.asked:
        if two.how == "search":
            words = replace(one.selection, conditions=(term(view, two), *one.selection.conditions))
            return Search(words, paths, is_strong, limit)
        if two.how == "near":
            return Near(one.selection, two, view.path(two.field), paths, is_strong, limit)
    order = [two for two in asked.order if asked.fixed(two.field) is None] if pattern.kind == "read" else []
    sort = tuple(
        Sorted(view.path(two.field), -1 if two.is_descending else 1, view.is_nullable(two.field)) for two in order
    )
    if pattern.kind == "read" and one.sort is not None:
        sort = one.sort
    elif pattern.kind == "read" and not order and limit is not None:
        sort = _natural(view, one)
    also: tuple[str, ...] = ()
    if paths and pattern.kind == "read" and limit is not None:  # what the next page begins behind
        also = tuple(path for path in dict.fromkeys((*(key.path for key in sort), ID)) if path not in paths)
    return Find(one.selection, sort, paths, also, is_strong, (), limit)


def _natural(view: View, one: Chosen) -> tuple[Sorted, ...]:
    """The order in which entries come anyway: said, so that the next page can begin behind the last one."""
    if one.index is None:
        return () if view.collection.series else (Sorted(ID, 1),)
    rest = one.index.keys[one.points :]
    if (
        one.scans != 1
        or view.collection.series
        or one.index.is_partial
        or not all(isinstance(to, int) for _, to in rest)
    ):
        return ()
    if any(view.array(field) or field.endswith("$**") for field, _ in rest):
        return ()
    return tuple(Sorted(view.path(field), int(to), view.is_nullable(field)) for field, to in rest)


def _paths(view: View, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The paths of fields, without those below another: the server refuses to send a part twice."""
    paths = tuple(dict.fromkeys(view.path(field) for field in fields))
    return tuple(one for one in paths if not any(one.startswith(f"{other}.") for other in paths))


def _is_covered(view: View, asked: Request, one: Chosen, call: Find) -> bool:
    """Whether the index holds all that is asked and sent back."""
    if one.index is None or one.index.is_multikey or not isinstance(one.index.keys[0][1], int) or call.lookups:
        return False
    held = {path for path, _ in one.index.target.keys}
    read = {*call.paths, *call.also, *(view.path(two.field) for two in asked.asked)}
    # Of a field that an index lacks it holds null, and only the document tells the one from the other.
    return read <= held and not any(view.is_nullable(two.field) for two in asked.asked)
