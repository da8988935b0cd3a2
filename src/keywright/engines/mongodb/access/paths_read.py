"""Gets, reads and counts: the ways to choose documents, as paths."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Asked, Request

from ..fields import ID
from .calls import Count, Find, Lookup, Near, Search, Sorted
from .choose import chosen
from .chosen import Chosen, Way
from .lookups import lookups
from .match import RANGES, term
from .view import View


def read_paths(view: View, by: By, asked: Request) -> Iterator[Candidate]:
    """Every way in which a get, a read or a count could be answered, the nearest first where none serves."""
    found = [_finished(view, asked, one) for one in chosen(view, by, asked)]
    if len(found) > 1:
        found.sort(key=lambda pair: -pair[0])
    yield from (one for _, one in found)


def residual_of(asked: Request, one: Chosen) -> tuple[Asked, ...]:
    """The conditions that are judged on what was read."""
    return tuple(two for two in asked.asked if two not in one.decided)


def _finished(view: View, asked: Request, one: Way) -> tuple[int, Candidate]:
    """A way as the path of a get, a read or a count."""
    if not isinstance(one, Chosen):
        return one
    pattern, order, notes = asked.pattern, "none" if one.is_one else one.order, list(one.notes)
    residual = residual_of(asked, one)
    if order == "lost" and pattern.kind == "read":
        if not one.is_unique:
            return one.nearness, Rejected(one.by, _unsorted(one))
        order = "memory"  # no more is sorted than the keys that the call gives
    if one.selection.collation is not None:
        notes.append("text is compared by the index's rules of language, not byte by byte")
    if pattern.kind == "count":
        return 9, AccessPath(one.by, Count(one.selection), residual=residual, notes=tuple(notes))
    joined = lookups(view, pattern) if pattern.joins else ()
    if isinstance(joined, str):
        return one.nearness, Rejected(one.by, joined)
    if one.selection.most and order == "merge":
        notes.append(f"at most {one.selection.most[0][1]} values in a call: of more the server would sort in memory")
    if order in ("index", "merge"):
        one = _without_null(view, asked, one)
    call = _call(view, asked, one, joined)
    if isinstance(call, Find):
        if call.paths and _is_covered(view, asked, one, call):
            notes.append("covered: the index alone answers, no document is read")
    elif joined:
        return one.nearness, Rejected(one.by, "a search or a distance is not joined: read the others by their keys")
    kept = order if pattern.kind == "read" and order in ("index", "merge", "memory") else "none"
    return 9, AccessPath(one.by, call, 1, kept, residual, pattern.consistency, tuple(notes))  # type: ignore[arg-type]


def _without_null(view: View, asked: Request, one: Chosen) -> Chosen:
    """The same, for which a call gives no null, and no empty list, in front of an order.

    Either is two values for the server, which would sort what it finds by them.
    """
    compared = (two for two in asked.asked if two.constants is None and two.how in ("equals", "one_of"))
    fields = [two.field for two in compared if view.is_nullable(two.field) and two in one.decided]
    fields += (two.field for two in asked.asked if two.how == "exactly")
    if not fields:
        return one
    not_null = tuple(dict.fromkeys((*one.selection.not_null, *fields)))
    return replace(one, selection=replace(one.selection, not_null=not_null))


def _unsorted(one: Chosen) -> str:
    what = f'index "{one.by.name}"' if one.by.kind == "index" else '"_id"'
    return f'{what} does not keep the order of "{one.lost}": the server would sort all that is found in memory'


def _call(view: View, asked: Request, one: Chosen, joined: tuple[Lookup, ...]) -> Find | Search | Near:
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
    is_ordered = pattern.kind == "read" and not one.is_one
    order = [two for two in asked.order if asked.fixed(two.field) is None] if is_ordered else []
    sort = tuple(
        Sorted(view.path(two.field), -1 if two.is_descending else 1, _may_be_null(view, asked, two.field))
        for two in order
    )
    if pattern.kind == "read" and one.sort is not None:
        sort = one.sort
    elif is_ordered and not order and limit is not None:
        sort = _natural(view, asked, one)
    also: tuple[str, ...] = ()
    if paths and pattern.kind == "read":  # what the next page begins behind, where a call has a limit
        also = tuple(path for path in dict.fromkeys((*(key.path for key in sort), ID)) if path not in paths)
    return Find(one.selection, sort, paths, also, is_strong, joined, limit)


def _may_be_null(view: View, asked: Request, field: str) -> bool:
    """Whether null may be among what is read: a range and `Present` leave it out."""
    leaves_out = (*RANGES, "present")
    return view.is_nullable(field) and not any(one.how in leaves_out for one in asked.on(field))


def _natural(view: View, asked: Request, one: Chosen) -> tuple[Sorted, ...]:
    """The order in which entries come anyway: said, so that the next page can begin behind the last one."""
    if one.index is None:
        return () if view.collection.series else (Sorted(ID, 1),)
    rest = one.index.keys[one.points :]
    if one.scans != 1 or view.collection.series or any(isinstance(to, str) for _, to in rest):
        return ()
    if one.index.is_partial:
        return ()
    if any(view.array(field) or field.endswith("$**") for field, _ in rest):
        return ()
    held = one.index.keys[: one.points]
    if any(view.is_nullable(field) or asked.one(field, "exactly") is not None for field, _ in held):
        return ()  # null and an empty list are two values for the server, of which it keeps no order
    return tuple(Sorted(view.path(field), int(to), _may_be_null(view, asked, field)) for field, to in rest)


def _paths(view: View, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The paths of fields, without those below another: the server refuses to send a part twice."""
    paths = tuple(dict.fromkeys(view.path(field) for field in fields))
    return tuple(one for one in paths if not any(one.startswith(f"{other}.") for other in paths))


def _is_covered(view: View, asked: Request, one: Chosen, call: Find) -> bool:
    """Whether the index holds all that is asked and sent back."""
    if one.index is None or one.index.is_multikey or not isinstance(one.index.keys[0][1], int) or call.lookups:
        return False
    held = {path for path, _ in one.index.target.keys}
    read = {*call.sent, *(view.path(two.field) for two in asked.asked)}
    # Of a field that an index lacks it holds null, and only the document tells the one from the other.
    return read <= held and not any(view.is_nullable(two.field) for two in asked.asked)
