"""Every way to choose the documents of a request: by `_id`, by the buckets of a time series, by each index."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.fill import Filled, fill
from keywright.access.path import By, Rejected
from keywright.access.reading import Reading, follows, reading
from keywright.access.request import Asked, Request
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve

from ..fields import ID
from .calls import Sorted
from .chosen import BUCKETS, Chosen, Order, Refused, Way, order_of, selection
from .implied import is_decided, is_implied
from .match import MOST_SCANS, Keys, Match, match, terms
from .selection import Condition, Keyed, Texts
from .special import by_place, by_words, wildcard_field
from .view import IndexView, View


def chosen(view: View, by: By, asked: Request) -> Iterator[Way]:
    """Every way to choose the documents of a request; a way that does not serve with how near it comes."""
    special = next((one for one in asked.asked if one.how in ("search", "near")), None)
    if special is None:
        yield _by_series(view, by, asked) if view.collection.series else _by_id(view, by, asked)
    for index in view.indexes:
        yield _by_index(view, index, asked, special)


def _by_id(view: View, by: By, asked: Request) -> Way:
    if view.id is None:
        return 0, Rejected(by, f'the server makes "_id" of "{view.name}", and no pattern knows it')
    if view.id.lone is not None:
        return _by_lone_id(view, by, asked, view.id.lone.path)
    filled = fill(view.id, asked, view.attributes)
    if isinstance(filled, Filled) and all(
        slot.kind in ("value", "values", "constants", "buckets") for slot in filled.slots
    ):
        conditions = (Keyed(ID, filled), *_rest(view, asked))
        one = Chosen(by, selection(view, conditions), _decides(asked, filled), is_unique=True)
        if filled.is_single:
            return replace(one, is_one=True)
        wanted = [two.field for two in asked.order if asked.fixed(two.field) is None]
        return replace(one, order="lost", lost=wanted[0]) if wanted else one
    read = reading(view.id, asked, view.attributes)
    if view.collection.collation is not None or not (read.slots or read.range or read.prefix):
        reason = f'"_id" of "{view.name}" is made of "{view.id.text}", of whose beginning the pattern says too little'
        return 0, Rejected(by, reason)
    direction = follows(asked, read.ordered)
    decides = tuple(two for two in read.decides if two.how != "equals" or _is_told(view, read, two))
    one = Chosen(by, selection(view, (Texts(ID, read), *_rest(view, asked))), decides)
    if not asked.order:
        return one
    if direction is None:
        return replace(one, order="lost", lost=asked.order[0].field)
    # That the texts are in order of the fields, the server does not know: it is told to sort by the texts.
    return replace(one, order="index", sort=(Sorted(ID, 1 if direction == "forward" else -1),))


def _by_lone_id(view: View, by: By, asked: Request, field: str) -> Way:
    found = match(view, ((field, 1),), asked, asked.order) if _names(asked, field) else None
    if found is None or not (found.leading or (found.unordered is None and not asked.asked)):
        named = asked.asked[0].field if asked.asked else field
        return 0, Rejected(by, f'neither "_id" nor an index of "{view.name}" begins with "{named}"')
    if view.collection.collation is not None and _asks_beginning(view, asked):
        return 1, Rejected(by, f'"{view.name}" compares by rules of a language, which know no beginnings of texts')
    order = order_of(asked, found)
    if isinstance(order, str):
        return 1, Rejected(by, order)
    picked = selection(view, terms(view, asked, found), most=order.most)
    unique, is_one = found.points == 1, asked.fixed(field) is not None
    return Chosen(by, picked, found.bound, order.kind, order.lost, None, found.scans or MOST_SCANS, 1, unique, is_one)


def _asks_beginning(view: View, asked: Request) -> bool:
    return any(one.how == "prefix" for one in asked.asked)


def _is_told(view: View, read: Reading, one: Asked) -> bool:
    """Whether the beginning of a text tells the value of a field: one of any length may go on as if it were another."""
    holes = [slot.placeholder for slot in read.slots if slot.asked == one]
    found = resolve(view.attributes, one.field)
    kind = found[-1].type if found else None
    is_fixed = isinstance(kind, Scalar) and (
        kind.kind in ("uuid", "datetime", "date", "integer", "boolean") or bool(kind.constants)
        or (kind.max_length is not None and kind.min_length == kind.max_length)
    )  # fmt: skip
    return is_fixed or all(hole.width is not None for hole in holes)


def _decides(asked: Request, filled: Filled) -> tuple[Asked, ...]:
    """What a whole key decides; where the pattern means the primary key by saying no field, all of it."""
    if not asked.pattern.eq:
        return tuple(one for one in asked.asked if one.how == "equals" and one.constants is None)
    return filled.decides


def _rest(view: View, asked: Request) -> tuple[Condition, ...]:
    """The filter beside a composed `_id`: what the pattern says itself."""
    implicit = not asked.pattern.eq
    kept = (one for one in asked.asked if not (implicit and one.how == "equals" and one.constants is None))
    return terms(view, replace(asked, asked=tuple(kept)))


def _by_series(view: View, by: By, asked: Request) -> Way:
    """Buckets are clustered by time: a range of time finds them without any index."""
    series = view.collection.series
    assert series is not None
    time = next((name for name, path in view.stored.items() if path == series.time), series.time)
    found = match(view, ((time, 1),), asked, asked.order)
    if not found.is_ranged:
        return 0, Rejected(by, f'buckets are clustered by "{time}", of which the pattern says no range')
    order = order_of(asked, found, is_series=True)
    if isinstance(order, str):
        return 1, Rejected(by, order)
    picked = selection(view, terms(view, asked))
    return Chosen(by, picked, found.bound, order.kind, order.lost, notes=(BUCKETS,))


def _by_index(view: View, index: IndexView, asked: Request, special: Asked | None) -> Way:
    kind, by = index.kind, index.by
    if kind == "hidden":
        is_near = match(view, index.keys, asked, asked.order).leading
        reason = f'index "{by.name}" is hidden, so that the server leaves it aside: take out hidden='
        return is_near, Rejected(by, reason)
    if special is not None:
        serve = by_words if special.how == "search" else by_place
        return serve(view, index, asked, special)
    if kind == "fields":
        return _by_fields(view, index, index.keys, asked)
    if kind == "hash":
        return _by_hash(view, index, asked)
    if kind == "wildcard":
        return _by_wildcard(view, index, asked)
    what = "searches for words" if kind == "text" else "distances"
    return 0, Rejected(by, f'index "{by.name}" serves {what} only')


def _by_fields(view: View, index: IndexView, keys: Keys, asked: Request) -> Way:
    by, first = index.by, keys[0][0]
    if index.target.filter is None and not _names(asked, first) and first not in view.binding.computed:
        return 0, Rejected(by, f'index "{by.name}" begins with "{first}", of which the pattern says nothing')
    found = match(view, keys, asked, asked.order)
    decided = found.bound
    if index.filter is not None:
        decided += tuple(one for one in asked.asked if is_decided(view, one, index.filter))
    if not found.leading and (unbounded := _unbounded(index, first, asked, found, decided)):
        return unbounded
    refused = _refused(view, index, asked, decided)
    if isinstance(refused, str):
        return found.leading, Rejected(by, refused)
    is_series = view.collection.series is not None
    order = order_of(asked, found, is_series=is_series)
    if isinstance(order, Order) and order.kind == "merge" and found.is_merged and index.is_multikey:
        order = f'index "{by.name}" has several entries of a document, and scans of such are not merged in order'
    if isinstance(order, str):
        return found.leading + 1, Rejected(by, order)
    picked = selection(view, terms(view, asked, found), index, order.most, refused)
    if not found.leading or order.kind in ("index", "merge"):
        # Nothing but the hint tells the server to read all of a partial index, or to merge before it tries a sort.
        picked = replace(picked, hint=by.name)
    unique = index.target.is_unique and found.points == len(keys) and not index.is_multikey
    return Chosen(
        by, picked, decided, order.kind, order.lost, None, found.scans or MOST_SCANS, found.points, unique,
        unique and all(asked.fixed(field) is not None for field, _ in keys),
        (BUCKETS,) if is_series else (), index, found.leading + (order.kind == "lost"),
    )  # fmt: skip


def _unbounded(
    index: IndexView, first: str, asked: Request, found: Match, decided: tuple[Asked, ...]
) -> Refused | None:
    """Why an index is not read from end to end; None where just that is wanted: a page of it, or all that it holds."""
    by = index.by
    is_ordered = bool(asked.order) and found.unordered is None
    other = next((one for one in asked.asked if one not in decided), None)
    if is_ordered and other is not None:
        return 1, Rejected(by, f'index "{by.name}" keeps the order, but all of it would be read to find "{other}"')
    if other is not None or not (asked.asked or is_ordered) or (asked.order and not is_ordered):
        return 0, Rejected(by, f'index "{by.name}" begins with "{first}", of which the pattern says nothing')
    if not asked.asked and asked.pattern.limit is None:
        reason = f'the pattern wants everything: index "{by.name}" would be read from end to end; say limit='
        return 0, Rejected(by, reason)
    return None


def _refused(view: View, index: IndexView, asked: Request, decided: tuple[Asked, ...]) -> str | tuple[str, ...]:
    """Why the server would not use an index; else the fields for which a call may not give null."""
    name = index.target.name
    if index.target.collation is not None and (reason := _compared(view, index, asked, decided)):
        return reason
    if not index.is_partial:
        return ()
    if index.filter is None:
        return f'the filter of index "{name}" is not one that keywright can judge'
    nullable = tuple(
        one.field
        for one in asked.asked
        if one.constants is None and one.how in ("equals", "one_of") and view.is_nullable(one.field)
    )
    if not is_implied(view, asked.asked, index.filter, nullable):
        return f'index "{name}" holds a part of the documents only: say where= in the pattern as the index does'
    return tuple(field for field in nullable if f"{field!r}" in repr(index.filter))


def _compared(view: View, index: IndexView, asked: Request, decided: tuple[Asked, ...]) -> str | None:
    """Why the language of an index does not fit a request."""
    name = index.target.name
    if _asks_beginning(view, asked):
        return f'index "{name}" compares by rules of a language, which know no beginnings of texts'
    if view.rules(index.target) is None:
        return None  # the whole collection is compared so
    held = {field for field, _ in index.keys}
    for one in asked.asked:
        if one.field not in held and one not in decided and view.types.get(one.field) == "string":
            return f'index "{name}" compares by rules of a language, which would then hold for "{one.field}" too'
    return None


def _names(asked: Request, field: str) -> bool:
    """Whether a pattern says anything of a field."""
    for one in asked.asked:
        if one.field == field:
            return True
    return any(one.field == field for one in asked.order)


def _by_hash(view: View, index: IndexView, asked: Request) -> Way:
    by, field = index.by, index.keys[0][0]
    if asked.one(field, "equals", "one_of") is None or view.array(field):
        reason = f'index "{by.name}" holds hashes, and the pattern does not say "{field}" by equality'
        return len(asked.on(field)), Rejected(by, reason)
    return _by_fields(view, index, index.keys[:1], asked)


def _by_wildcard(view: View, index: IndexView, asked: Request) -> Way:
    """A wildcard index is for each path below its own what an ordinary index would be; of null it knows nothing."""
    by, field = index.by, wildcard_field(view, index, asked)
    if field is None:
        return 0, Rejected(
            by, f'index "{by.name}" holds single paths, of which the pattern says none by value or range'
        )
    found = _by_fields(view, index, ((field, 1),), asked)
    if not isinstance(found, Chosen):
        return found
    if found.order not in ("none", "lost"):
        found = replace(found, order="lost", lost=asked.order[0].field)
    not_null = (field,) if view.is_nullable(field) else ()
    return replace(found, selection=replace(found.selection, not_null=not_null))
