"""Conditions as a filter document: the same for what is sent, with native values, and for what is shown, with names."""

from collections.abc import Iterable
from typing import Any

from .selection import Term

LAST = "\U0010ffff"
"""The greatest character: no text that begins as another is greater than that with this behind it."""


def test_of(term: Term, values: Any) -> Any:
    """What a filter says of a term's path.

    values: (value,); (first, last), either of which may be None; the list of one_of, all_of and exactly, or in its
    place whatever stands for it.
    """
    match term.asked.how:
        case "between":
            return _range(term, *values)
        case "at_least":
            return {"$gte": values[0]}
        case "below":
            return {"$lt": values[0]}
        case "prefix":
            return {"$gte": values[0], "$lt": after(values[0])}
        case "one_of":
            return {"$in": values}
        case "all_of":
            return {"$all": values}
        case "exactly":
            return _exactly(values)
        case "present":
            # Null is there for the server, and not for a pattern.
            return {"$exists": True, "$ne": None} if term.is_nullable else {"$exists": True}
        case "not":
            return {"$ne": values[0]}
        case _:
            return values[0]


def path_of(term: Term) -> str:
    """The path that a term's test stands under: the list itself, for a range over its elements."""
    return term.inside or term.path


def after(text: str) -> str:
    """The least text that is greater than all that begin with this one; `LAST` behind it where there is none."""
    for at in range(len(text) - 1, -1, -1):
        code = ord(text[at])
        if code < 0x10FFFF:
            return text[:at] + chr(0xE000 if code == 0xD7FF else code + 1)
    return LAST


def filter_of(tests: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Tests of paths as one filter; several of one path stand beside each other where they can."""
    found: dict[str, Any] = {}
    others: list[Any] = []
    for path, test in tests:
        known: Any = found.get(path)
        if path not in found:
            found[path] = test
        elif _is_operators(known) and _is_operators(test) and not known.keys() & test.keys():
            found[path] = {**known, **test}
        else:
            others.append({path: test})
    return {**found, "$and": others} if others else found


def _is_operators(test: Any) -> bool:
    return isinstance(test, dict) and bool(test) and all(str(key).startswith("$") for key in test)


def _range(term: Term, first: Any, last: Any) -> Any:
    ends = {operator: end for operator, end in (("$gte", first), ("$lte", last)) if end is not None}
    if not ends:
        ends = {"$exists": True, "$ne": None} if term.is_nullable else {"$exists": True}
    if not term.inside:
        return ends
    # Without this, one element could be after the first end and another one before the last.
    rest = term.path.removeprefix(term.inside).removeprefix(".")
    return {"$elemMatch": {rest: ends} if rest else ends}


def _exactly(values: Any) -> Any:
    """All of the values, none besides, and as many: `$all` and `$size` alone take [1, 1, 2] for [1, 2, 3]."""
    if not values:
        return []
    size = len(values) if isinstance(values, list) else f"{values}.length"
    return {"$all": values, "$size": size, "$not": {"$elemMatch": {"$nin": values}}}
