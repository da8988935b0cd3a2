"""The one form of a partialFilterExpression: declared and live filters with the same documents are equal in it.

Tests of one field share a document, `$and` remains only for tests that cannot, and an equality has no operator.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from keywright.ir.json import Json

from .capabilities import BSON_TYPE_CODES


def normal(filter: Json) -> Json:
    """The normal form of a filter; a document that is no filter of a partial index is unchanged."""
    if not isinstance(filter, dict):
        return filter
    merged: dict[str, Any] = {}
    separate: list[Json] = []
    for key, test in _ordered(_tests(filter)):
        existing: Any = merged.get(key)
        if key not in merged:
            merged[key] = test
        elif is_operators(existing) and is_operators(test) and not existing.keys() & test.keys():
            merged[key] = {**existing, **test}
        elif existing != test:
            separate.append({key: test})
    return {**merged, "$and": separate} if separate else merged


def _ordered(tests: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Tests of one field in one order, whichever of them was in `$and`; fields in the order in which they occur."""
    by_key = defaultdict[str, list[Any]](list)
    for key, test in tests:
        by_key[key].append(test)
    for key, several in by_key.items():
        yield from ((key, test) for test in sorted(several, key=repr))


def is_operators(test: Json) -> bool:
    """Whether a test is a document of operators, not a constant."""
    return isinstance(test, dict) and any(key.startswith("$") for key in test) and not _EXTENDED.issuperset(test)


def operators(filter: Json) -> frozenset[str]:
    """Every operator in a filter."""
    if isinstance(filter, list):
        return frozenset(name for part in filter for name in operators(part))
    if not isinstance(filter, dict) or _EXTENDED.issuperset(filter):
        return frozenset()
    own = {key for key in filter if key.startswith("$")}
    return frozenset(own).union(*(operators(part) for part in filter.values()))


_EXTENDED = frozenset(("$date", "$oid", "$numberDecimal", "$numberLong", "$numberInt", "$numberDouble", "$binary"))
"""Keys of constants in Extended JSON."""


def _tests(filter: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """(path or combination, test) with one operator each."""
    for key, test in filter.items():
        if key == "$and" and isinstance(test, list):
            for part in test:
                yield from _tests(part)
        elif key == "$or" and isinstance(test, list):
            if len(test) == 1:
                yield from _tests(test[0])
            else:
                yield key, [normal(part) for part in test]
        elif is_operators(test):
            yield from ((key, _test(operator, value)) for operator, value in test.items())
        else:
            yield key, test


def _test(operator: str, value: Any) -> Any:
    match operator, value:
        case "$eq", _:
            return value
        case "$in", [single]:
            return single
        case "$exists", _:
            return {"$exists": bool(value)}
        case "$type", list():
            names = [_type_name(name) for name in value]
            return {"$type": names[0] if len(names) == 1 else sorted(names)}
        case "$type", _:
            return {"$type": _type_name(value)}
        case _:
            return {operator: value}


def _type_name(type: Any) -> str:
    return type if isinstance(type, str) else BSON_TYPE_CODES.get(int(type), str(type))
