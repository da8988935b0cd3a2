"""Cursors: the end of a page, in the order of the page, as text.

The order of equal documents depends on the index. Therefore a cursor contains the values of the order's fields and the
ids of all returned documents with these values: no document is returned twice or omitted, whatever is written between
two pages.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import Any, Literal, TypeAlias

import bson
from bson import CodecOptions
from bson.binary import UuidRepresentation
from bson.code import Code
from bson.regex import Regex

from keywright.engines.mongodb.access.calls import SortField
from keywright.ir.pattern import Pattern
from keywright.record import Record
from keywright.runtime.cursor import opened, sealed

ID = "_id"

OPTIONS: CodecOptions[Any] = CodecOptions(tz_aware=True, tzinfo=UTC, uuid_representation=UuidRepresentation.STANDARD)
"""Options for reading documents, independent of the application's client, because cursors send read values back."""


class PageEnd(Record):
    """The end of a page."""

    keys: tuple[Any, ...]
    """The last document's values of the order's fields."""
    seen: tuple[Any, ...]
    """The ids of all returned documents with the same values."""


class Places:
    """Converts page ends of one pattern to cursors, and back."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def text(self, place: PageEnd) -> str:
        """The cursor of a page end."""
        data = bson.encode({"keys": list(place.keys), "seen": list(place.seen)}, codec_options=OPTIONS)
        return sealed(self._pattern, data)

    def read(self, cursor: str | None) -> PageEnd | None:
        """The page end of a cursor; InvalidCursor if it is broken or belongs to another pattern."""
        return None if cursor is None else opened(self._pattern, cursor, _place)


def _place(state: bytes) -> PageEnd:
    data: Mapping[str, Any] = bson.decode(state, codec_options=OPTIONS)
    place = PageEnd(tuple(data["keys"]), tuple(data["seen"]))
    if any(_is_test(value) for value in (*place.keys, *place.seen)):
        raise ValueError("a filter would read it as an operator")
    return place


def _is_test(value: Any) -> bool:
    """Whether a filter would read a value as a test, such as an operator or a regular expression."""
    return isinstance(value, (Regex, Code)) or (isinstance(value, Mapping) and any(key[:1] == "$" for key in value))


def ended(
    documents: Sequence[Mapping[str, Any]], keys: Callable[[Mapping[str, Any]], tuple[Any, ...]], before: PageEnd | None
) -> PageEnd:
    """The page end after the last of some documents."""
    last = keys(documents[-1])
    seen = [document[ID] for document in documents if keys(document) == last]
    if before is not None and before.keys == last:
        seen = [*before.seen, *seen]
    return PageEnd(last, tuple(seen))


def keys_of(sort: Sequence[SortField]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """A function that returns a document's values of the order's fields."""
    paths = [field.path.split(".") for field in sort]
    return lambda document: tuple(_along(document, path) for path in paths)


Scanning: TypeAlias = Literal["one", "merged", "partial"]
"""The source of the order: one scan of an index, several merged scans, or one scan of a partial index."""


def behind(sort: Sequence[SortField], place: PageEnd, scanning: Scanning = "one") -> list[dict[str, Any]]:
    """Further filter conditions for documents after a page end.

    For one scan, the filter has alternatives, each of which is a scan. With alternatives, the server would sort merged
    scans in memory, and a partial index may not cover each alternative. In these two cases documents that are equal in
    the first field are checked after reading.
    """
    tied = {field.path: value for field, value in zip(sort, place.keys, strict=True)}
    is_bound = bool(sort) and not (scanning == "merged" and sort[0].is_nullable)  # null prevents the merge
    tests = [_from(sort[0], place.keys[0])] if is_bound else []
    # One $nor list is a residual filter; as separate conditions, the server would turn them into bounds and not merge.
    excluded = [{**tied, ID: {"$in": list(place.seen)}}]
    if len(sort) > 1 and scanning == "one":
        tests.append(_alternatives(sort, place.keys))
    elif sort:
        excluded += _judged(sort, place.keys, from_=int(is_bound))
    return [*filter(None, tests), {"$nor": excluded}]


def open_fields(sort: Sequence[SortField], filter: Mapping[str, Any]) -> list[tuple[str, int]]:
    """The sort for a filter without fields that it fixes to one value: with these, the server would sort in memory."""
    return [(field.path, field.direction) for field in sort if not _is_pinned(field.path, filter)]


def _is_pinned(path: str, filter: Mapping[str, Any]) -> bool:
    tests = [part[path] for part in (filter, *filter.get("$and", ())) if isinstance(part.get(path), Mapping)]
    lows = [test["$gte"] for test in tests if "$gte" in test]
    highs = [test["$lte"] for test in tests if "$lte" in test]
    is_end = any(low is True for low in lows) or any(high is False for high in highs)
    return is_end or any(low == high for low in lows for high in highs)


def _alternatives(sort: Sequence[SortField], keys: Sequence[Any]) -> dict[str, Any]:
    """After the value in the first field, or equal in it and after it in the second, and so on: a scan for each."""
    alternatives: list[dict[str, Any]] = []
    tied: dict[str, Any] = {}
    for field, value in zip(sort, keys, strict=True):
        is_last = field is sort[-1]
        later = _from(field, value) if is_last else _after(field, value)
        if later is not None:
            alternatives.append({**tied, **later})
        tied[field.path] = value
    return alternatives[0] if len(alternatives) == 1 else {"$or": alternatives[::-1]}


def _judged(sort: Sequence[SortField], keys: Sequence[Any], from_: int) -> list[dict[str, Any]]:
    """Tests for documents before a page end that may be within the bounds of the first field.

    from_: the first field that is checked.
    """
    tests: list[dict[str, Any]] = []
    tied: dict[str, Any] = {}
    for at, (field, value) in enumerate(zip(sort, keys, strict=True)):
        if at >= from_:
            tests += ({**tied, **before} for before in _before(field, value))
        tied[field.path] = value
    return tests


def _from(field: SortField, value: Any) -> dict[str, Any]:
    """The bound on the first field of an order; null precedes all values, and a range never contains it."""
    if value is None:
        return {} if field.direction > 0 else {field.path: None}
    if field.direction > 0:
        return {field.path: {"$gte": value}}
    return {field.path: {"$not": {"$gt": value}} if field.is_nullable else {"$lte": value}}


def _after(field: SortField, value: Any) -> dict[str, Any] | None:
    """The test for values after a value in the order of a field; None if no value follows."""
    if value is None:
        return {field.path: {"$ne": None}} if field.direction > 0 else None
    if field.direction > 0:
        return {field.path: {"$gt": value}}
    return {field.path: {"$not": {"$gte": value}} if field.is_nullable else {"$lt": value}}


def _before(field: SortField, value: Any) -> list[dict[str, Any]]:
    """Tests for values before a value in the order of a field."""
    if value is None:
        return [] if field.direction > 0 else [{field.path: {"$ne": None}}]
    tests = [{field.path: {"$lt" if field.direction > 0 else "$gt": value}}]
    return [*tests, {field.path: None}] if field.is_nullable and field.direction > 0 else tests


def _along(document: Any, path: Sequence[str]) -> Any:
    for name in path:
        if not isinstance(document, Mapping):
            return None
        document = document.get(name)
    return document
