"""Every way to choose the documents of a request: by `_id`, by the buckets of a time series, by each index."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.fill import Filled, fill
from keywright.access.path import By, Rejected
from keywright.access.reading import Reading, follows, reading
from keywright.access.request import Asked, Request
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve

from .calls import Condition, Keyed, Sorted, Texts
from .chosen import BUCKETS, Chosen, Way, ordered, selection
from .fields import ID
from .implied import is_decided, is_implied
from .match import Keys, Match, match, terms
from .special import by_place, by_words, wildcard_field
from .view import IndexView, View


def chosen(view: View, by: By, asked: Request) -> Iterator[Way]:
    """Every way to choose the documents of a request; a way that does not serve with how near it comes."""
    special = next((one for one in asked.asked if one.how in ("search", "near")), None)
    if special is None:
        yield _by_series(view, by, asked) if view.collection.series else _by_id(view, by, asked)
    for index in view.indexes:
        yield from _by_index(view, index, asked, special)


def _by_id(view: View, by: By, asked: Request) -> Way:
    name = view.collection.physical_name
    if view.id is None:
        return 0, Rejected(by, f'the server makes "_id" of "{name}", and no pattern knows it')
    rules = view.collection.collation
    if view.id.lone is not None:
        found = match(view, ((view.id.lone.path, 1),), asked, asked.order)
        if not found.leading and not (asked.order and found.unordered is None and not asked.asked):
            named = asked.asked[0].field if asked.asked else view.id.lone.path
            return 0, Rejected(by, f'neither "_id" nor an index of "{name}" begins with "{named}"')
        picked = selection(view, terms(view, asked, found), found)
        return ordered(Chosen(by, picked, found.bound, is_unique=found.points == 1), asked, found)
    filled = fill(view.id, asked, view.attributes)
    if isinstance(filled, Filled) and all(
        slot.kind in ("value", "values", "constants", "buckets") for slot in filled.slots
    ):
        conditions = (Keyed(ID, filled), *_rest(view, asked))
        one = Chosen(by, selection(view, conditions), _decides(asked, filled), is_unique=True)
        if not asked.order or filled.is_single:
            return one
        wanted = [two.field for two in asked.order if asked.fixed(two.field) is None]
        return replace(one, order="lost", lost=wanted[0]) if wanted else one
    read = reading(view.id, asked, view.attributes)
    if rules is not None or not (read.slots or read.range or read.prefix or (view.id.head and not asked.asked)):
        reason = f'"_id" of "{name}" is made of "{view.id.text}", of whose beginning the pattern does not say enough'
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
    one = Chosen(by, selection(view, terms(view, asked)), found.bound, notes=(BUCKETS,))
    return ordered(one, asked, found, order="merge")


def _by_index(view: View, index: IndexView, asked: Request, special: Asked | None) -> Iterator[Way]:
    by = By("index", index.target.name)
    directions = {direction for _, direction in index.keys}
    if index.target.is_hidden:
        is_near = match(view, index.keys, asked, asked.order).leading
        yield (
            is_near,
            Rejected(by, f'index "{by.name}" is hidden, so that the server leaves it aside: take out hidden='),
        )
    elif special is not None:
        yield (
            by_words(view, index, asked, special) if special.how == "search" else by_place(view, index, asked, special)
        )
    elif "text" in directions:
        yield 0, Rejected(by, f'index "{by.name}" serves searches for words only')
    elif "2dsphere" in directions:
        yield 0, Rejected(by, f'index "{by.name}" serves distances only')
    elif "hashed" in directions:
        yield _by_hash(view, index, asked)
    elif any(path.endswith("$**") for path, _ in index.target.keys):
        yield _by_wildcard(view, index, asked)
    else:
        yield _by_fields(view, index, index.keys, asked)


def _by_fields(view: View, index: IndexView, keys: Keys, asked: Request) -> Way:
    by, first = By("index", index.target.name), keys[0][0]
    if index.target.filter is None and not _names(asked, first) and first not in view.binding.computed:
        return 0, Rejected(by, f'index "{by.name}" begins with "{first}", of which the pattern says nothing')
    found = match(view, keys, asked, asked.order)
    decided = found.bound
    if index.filter is not None:
        decided += tuple(one for one in asked.asked if is_decided(view, one, index.filter))
    is_whole = len(decided) >= len(asked.asked) and found.unordered is None and bool(asked.order or asked.asked)
    if not found.leading and not is_whole:
        if not asked.order or found.unordered is not None:
            reason = f'index "{by.name}" begins with "{first}", of which the pattern says nothing'
            return 0, Rejected(by, reason)
        other = next(one for one in asked.asked if one not in decided)
        reason = f'index "{by.name}" keeps the order, but all of it would be read to find "{other}"'
        return 1, Rejected(by, reason)
    if not found.leading and not asked.asked and asked.pattern.limit is None:
        return 0, Rejected(
            by, f'the pattern wants everything: index "{by.name}" would be read from end to end; say limit='
        )
    refused = _refused(view, index, asked, found, decided)
    if isinstance(refused, str):
        return found.leading, Rejected(by, refused)
    picked = selection(view, terms(view, asked, found), found, index, refused)
    unique = index.target.is_unique and found.points == len(keys) and not index.is_multikey
    notes = (BUCKETS,) if view.collection.series else ()
    one = Chosen(by, picked, decided, is_unique=unique, index=index, notes=notes, nearness=found.leading)
    return ordered(one, asked, found, order="merge" if view.collection.series else "index")


def _refused(
    view: View, index: IndexView, asked: Request, found: Match, decided: tuple[Asked, ...]
) -> str | tuple[str, ...]:
    """Why the server would not use an index; else the fields for which a call may not give null."""
    name = index.target.name
    nullable = tuple(
        one.field
        for one in asked.asked
        if one.constants is None and one.how in ("equals", "one_of") and view.is_nullable(one.field)
    )
    if index.is_partial:
        if index.filter is None:
            return f'the filter of index "{name}" is not one that keywright can judge'
        if not is_implied(view, asked.asked, index.filter, nullable):
            return f'index "{name}" holds a part of the documents only: say where= in the pattern as the index does'
    if view.rules(index.target) is not None:
        compared = {field for field, _ in index.keys}
        other = next(
            (one for one in asked.asked if one.field not in compared and view.types.get(one.field) == "string"), None
        )
        if other is not None and other not in decided:
            return f'index "{name}" compares by rules of a language, which would then hold for "{other.field}" too'
    if index.is_partial:
        return tuple(field for field in nullable if f"{field!r}" in repr(index.filter))
    return ()


def _names(asked: Request, field: str) -> bool:
    """Whether a pattern says anything of a field."""
    return any(one.field == field for one in asked.asked) or any(one.field == field for one in asked.order)


def _by_hash(view: View, index: IndexView, asked: Request) -> Way:
    by, field = By("index", index.target.name), index.keys[0][0]
    if asked.one(field, "equals", "one_of") is None or view.array(field):
        reason = f'index "{by.name}" holds hashes, and the pattern does not say "{field}" by equality'
        return len(asked.on(field)), Rejected(by, reason)
    return _by_fields(view, index, index.keys[:1], asked)


def _by_wildcard(view: View, index: IndexView, asked: Request) -> Way:
    """A wildcard index is for each path below its own what an ordinary index would be; of null it knows nothing."""
    by, field = By("index", index.target.name), wildcard_field(view, index, asked)
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
