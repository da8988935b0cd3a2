"""Cursors: the place of the last document of a page, in the order of the page, as text.

Equal documents of an order come as they lie in the index, so a place is what the order compares together with the ids
of all documents returned so far that are equal in it: no document comes twice or is left out, whatever is written
between two pages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Literal, TypeAlias

import bson
from bson import CodecOptions
from bson.binary import UuidRepresentation

from keywright.engines.mongodb.access.calls import Sorted
from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import sealed, unsealed

ID = "_id"

OPTIONS: CodecOptions[Any] = CodecOptions(tz_aware=True, tzinfo=UTC, uuid_representation=UuidRepresentation.STANDARD)
"""How documents are read, whatever the application's client does elsewhere: what is read is sent back in cursors."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ended."""

    keys: tuple[Any, ...]
    """What the order compares, of the last document."""
    seen: tuple[Any, ...]
    """The ids of all documents so far that have the same."""


class Places:
    """Places of one pattern as cursors, and back."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def text(self, place: Place) -> str:
        """The cursor of a place."""
        data = bson.encode({"keys": list(place.keys), "seen": list(place.seen)}, codec_options=OPTIONS)
        return sealed(self._pattern, data)

    def read(self, cursor: str | None) -> Place | None:
        """The place of a cursor; UsageError for one that is broken or another pattern's."""
        if cursor is None:
            return None
        found: Mapping[str, Any] = bson.decode(unsealed(self._pattern, cursor), codec_options=OPTIONS)
        return Place(tuple(found["keys"]), tuple(found["seen"]))


def ended(
    documents: Sequence[Mapping[str, Any]], keys: Callable[[Mapping[str, Any]], tuple[Any, ...]], before: Place | None
) -> Place:
    """The place behind the last of some documents."""
    last = keys(documents[-1])
    seen = [one[ID] for one in documents if keys(one) == last]
    if before is not None and before.keys == last:
        seen = [*before.seen, *seen]
    return Place(last, tuple(seen))


def keys_of(sort: Sequence[Sorted]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """A function from a document to what an order compares."""
    paths = [one.path.split(".") for one in sort]
    return lambda document: tuple(_along(document, path) for path in paths)


Scanning: TypeAlias = Literal["one", "merged", "partial"]
"""How documents come in order: by one scan of an index, by several that are merged, by one of a partial index."""


def behind(sort: Sequence[Sorted], place: Place, scanning: Scanning = "one") -> list[dict[str, Any]]:
    """What a filter says besides, for documents behind a place.

    Of one scan, alternatives make a scan for each. Scans that are merged already would be sorted in memory by that, and
    of each alternative by itself a partial index may not hold all: there, what is equal in the first field is judged.
    """
    tied = {one.path: value for one, value in zip(sort, place.keys, strict=True)}
    is_bound = bool(sort) and not (scanning == "merged" and sort[0].is_nullable)  # null would end the merging
    found = [_from(sort[0], place.keys[0])] if is_bound else []
    # In one list, which the server only judges: of each by itself it would make bounds, and no longer merge.
    not_these = [{**tied, ID: {"$in": list(place.seen)}}]
    if len(sort) > 1 and scanning == "one":
        found.append(_alternatives(sort, place.keys))
    elif sort:
        not_these += _judged(sort, place.keys, from_=int(is_bound))
    return [*filter(None, found), {"$nor": not_these}]


def open_fields(sort: Sequence[Sorted], filter: Mapping[str, Any]) -> list[tuple[str, int]]:
    """The sort of a filter, without fields that it leaves one value: by those the server would not merge but sort."""
    return [(one.path, one.direction) for one in sort if not _is_pinned(one.path, filter)]


def _is_pinned(path: str, filter: Mapping[str, Any]) -> bool:
    tests = [one[path] for one in (filter, *filter.get("$and", ())) if isinstance(one.get(path), Mapping)]
    lows = [test["$gte"] for test in tests if "$gte" in test]
    highs = [test["$lte"] for test in tests if "$lte" in test]
    is_end = any(low is True for low in lows) or any(high is False for high in highs)
    return is_end or any(low == high for low in lows for high in highs)


def _alternatives(sort: Sequence[Sorted], keys: Sequence[Any]) -> dict[str, Any]:
    """Behind in the first field, or equal in it and behind in the second, and so on: a scan for each."""
    found: list[dict[str, Any]] = []
    tied: dict[str, Any] = {}
    for one, value in zip(sort, keys, strict=True):
        is_last = one is sort[-1]
        later = _from(one, value) if is_last else _after(one, value)
        if later is not None:
            found.append({**tied, **later})
        tied[one.path] = value
    return found[0] if len(found) == 1 else {"$or": found[::-1]}


def _judged(sort: Sequence[Sorted], keys: Sequence[Any], from_: int) -> list[dict[str, Any]]:
    """What is not behind a place although it may be within the bounds of the first field.

    from_: the first field that is judged.
    """
    found: list[dict[str, Any]] = []
    tied: dict[str, Any] = {}
    for at, (one, value) in enumerate(zip(sort, keys, strict=True)):
        if at >= from_:
            found += ({**tied, **before} for before in _before(one, value))
        tied[one.path] = value
    return found


def _from(one: Sorted, value: Any) -> dict[str, Any]:
    """The bound on the first field of an order; null comes before all values, and a range never holds it."""
    if value is None:
        return {} if one.direction > 0 else {one.path: None}
    if one.direction > 0:
        return {one.path: {"$gte": value}}
    return {one.path: {"$not": {"$gt": value}} if one.is_nullable else {"$lte": value}}


def _after(one: Sorted, value: Any) -> dict[str, Any] | None:
    """What comes behind a value in the order of a field; None where nothing does."""
    if value is None:
        return {one.path: {"$ne": None}} if one.direction > 0 else None
    if one.direction > 0:
        return {one.path: {"$gt": value}}
    return {one.path: {"$not": {"$gte": value}} if one.is_nullable else {"$lt": value}}


def _before(one: Sorted, value: Any) -> list[dict[str, Any]]:
    """What comes before a value in the order of a field."""
    if value is None:
        return [] if one.direction > 0 else [{one.path: {"$ne": None}}]
    found = [{one.path: {"$lt" if one.direction > 0 else "$gt": value}}]
    return [*found, {one.path: None}] if one.is_nullable and one.direction > 0 else found


def _along(document: Any, path: Sequence[str]) -> Any:
    for name in path:
        if not isinstance(document, Mapping):
            return None
        document = document.get(name)
    return document
