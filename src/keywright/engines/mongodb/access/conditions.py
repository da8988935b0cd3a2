"""Conditions as a filter document, with native values in requests and with names in printed queries."""

from collections.abc import Iterable
from typing import Any

from keywright.access.partial_write import Versions
from keywright.declare.store import VERSION

from .selection import PathTerm

LAST = "\U0010ffff"
"""The greatest character: every text with a given prefix is at most the prefix with this character appended."""


def test_of(term: PathTerm, values: Any) -> Any:
    """The filter expression for a term's path.

    values: (value,); (first, last), either of which may be None; the list of one_of, all_of and exactly, or a
    placeholder for this list.
    """
    match term.condition.kind:
        case "between":
            return _range(term, *values)
        case "at_least":
            return {"$gte": values[0]}
        case "above":
            return {"$gt": values[0]}
        case "at_most":
            return {"$lte": values[0]}
        case "below":
            return {"$lt": values[0]}
        case "prefix":
            return _bounded(term, {"$gte": values[0], "$lt": after(values[0])})
        case "one_of":
            return {"$in": values}
        case "all_of":
            return {"$all": values}
        case "exactly":
            return _exactly(values)
        case "present":
            # For the server, null exists; for a pattern, it does not.
            return {"$exists": True, "$ne": None} if term.is_nullable else {"$exists": True}
        case "not":
            return {"$ne": values[0]}
        case _:
            return values[0]


def admitting(versions: Versions | None) -> dict[str, Any]:
    """A filter for the accepted schema versions of a document; empty if every version is accepted."""
    if versions is None:
        return {}
    least, most = versions.least, versions.most
    if least == 1:  # a document without a version has version 1
        return {VERSION: {"$not": {"$gt": most}}}
    return {VERSION: most if least == most else {"$gte": least, "$lte": most}}


def path_of(term: PathTerm) -> str:
    """The path of a term's filter expression: the list itself for a range over its elements."""
    return term.inside or term.path


def after(text: str) -> str:
    """The least text that is greater than all texts with this prefix; the prefix and `LAST` if there is none."""
    for at in range(len(text) - 1, -1, -1):
        code = ord(text[at])
        if code < 0x10FFFF:
            return text[:at] + chr(0xE000 if code == 0xD7FF else code + 1)
    return LAST


def filter_of(tests: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Expressions for paths as one filter; expressions for the same path are merged if their operators differ."""
    merged: dict[str, Any] = {}
    separate: list[Any] = []
    for path, test in tests:
        existing: Any = merged.get(path)
        if path not in merged:
            merged[path] = test
        elif _is_operators(existing) and _is_operators(test) and not existing.keys() & test.keys():
            merged[path] = {**existing, **test}
        else:
            separate.append({path: test})
    return {**merged, "$and": separate} if separate else merged


def with_filter(base: dict[str, Any], filter: Any) -> dict[str, Any]:
    """A filter with that of an index, from which the server infers that the index serves."""
    return {**base, "$and": [*base.get("$and", ()), filter]} if filter is not None else base


def _is_operators(test: Any) -> bool:
    return isinstance(test, dict) and bool(test) and all(str(key).startswith("$") for key in test)


def _range(term: PathTerm, first: Any, last: Any) -> Any:
    above = "$gt" if term.condition.excludes_first else "$gte"
    below = "$lt" if term.condition.excludes_last else "$lte"
    bounds = {operator: bound for operator, bound in ((above, first), (below, last)) if bound is not None}
    if not bounds:
        bounds = {"$exists": True, "$ne": None} if term.is_nullable else {"$exists": True}
    return _bounded(term, bounds)


def _bounded(term: PathTerm, bounds: dict[str, Any]) -> dict[str, Any]:
    """The bounds of a value, or of one element of a list."""
    if not term.inside:
        return bounds
    # Without $elemMatch, one element could meet the lower bound and another element the upper bound.
    element_path = term.path.removeprefix(term.inside).removeprefix(".")
    return {"$elemMatch": {element_path: bounds} if element_path else bounds}


def _exactly(values: Any) -> Any:
    """The same values, and as many of them: `$all` and `$size` alone accept [1, 1, 2] for [1, 2, 3]."""
    if not values:
        return []
    size = len(values) if isinstance(values, list) else f"{values}.length"
    return {"$all": values, "$size": size, "$not": {"$elemMatch": {"$nin": values}}}
