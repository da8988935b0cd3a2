"""Indexes as declarations: the inverse of `lower_index`."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from keywright.declare.collation import Collation
from keywright.declare.predicates import Above, AtLeast, AtMost, Below, Not, OneOf, Present
from keywright.errors import gathering

from ..declare.filters import AllOf, OfType
from ..declare.indexes import WHOLE, AnyIndex, GeoIndex, HashedIndex, Index, TextIndex, WildcardIndex
from ..schema.filter_form import is_operators
from ..schema.target import IndexTarget


class NoWord(Exception):
    """An option that no declaration has; the text names it."""


def candidates(target: IndexTarget, python: Mapping[str, str], inherited: Any) -> list[AnyIndex]:
    """Declarations of an index, without and with its name; NoWord for an option without a word.

    python: paths in Python by stored path. inherited: the collation of the collection.
    """
    if target.others:
        raise NoWord(f'the option "{target.others[0][0]}"')
    with gathering() as errors:
        kind, options = _kind(target, python, inherited)
        options |= _filters(target.filter, python) if target.filter is not None else {}
        options |= {"hidden": True} if target.is_hidden else {}
        declared = [kind(**options), kind(**options, name=target.name)]
    if errors:
        raise NoWord(f"its definition: {errors[0].problem}")
    return declared


def _kind(target: IndexTarget, python: Mapping[str, str], inherited: Any) -> tuple[type[Any], dict[str, Any]]:
    directions = {direction for _, direction in target.keys}
    if "text" in directions:
        return TextIndex, _text(target, python)
    if len(target.keys) == 1 and directions == {"2dsphere"}:
        return GeoIndex, {"on": _python(target.keys[0][0], python)}
    if "hashed" in directions and directions <= {1, -1, "hashed"}:
        return HashedIndex, {**_hashed(target, python), **_sparse(target)}
    if directions - {1, -1}:
        words = sorted(str(direction) for direction in directions - {1, -1})
        raise NoWord(f"a key of the kinds {', '.join(words)}" if len(target.keys) > 1 else f'the kind "{words[0]}"')
    last = target.keys[-1][0]
    if last.endswith("$**"):
        return WildcardIndex, _wildcard(target, python)
    collation = target.collation if target.collation != inherited else None
    return Index, {
        "keys": _short([_signed(path, direction, python) for path, direction in target.keys]),
        **({"unique": True} if target.is_unique else {}),
        **_sparse(target),
        **_expiry(target),
        **({"collation": _collation(collation)} if collation is not None else {}),
    }


def _sparse(target: IndexTarget) -> dict[str, Any]:
    return {"sparse": True} if target.is_sparse else {}


def _expiry(target: IndexTarget) -> dict[str, Any]:
    seconds = target.expire_after_seconds
    return {} if seconds is None else {"expire_after": timedelta(seconds=seconds)}


def _text(target: IndexTarget, python: Mapping[str, str]) -> dict[str, Any]:
    weights = {_python(path, python): weight for path, weight in target.weights}
    if any(direction != "text" for _, direction in target.keys):
        raise NoWord("a text index with other fields")
    return {
        "fields": _short(list(weights)),
        **({"weights": heavy} if (heavy := {name: weight for name, weight in weights.items() if weight != 1}) else {}),
        **({"language": target.language} if target.language not in (None, "english") else {}),
    }


def _hashed(target: IndexTarget, python: Mapping[str, str]) -> dict[str, Any]:
    at = next(at for at, (_, direction) in enumerate(target.keys) if direction == "hashed")
    sides = {"before": target.keys[:at], "after": target.keys[at + 1 :]}
    others = {side: [_signed(path, way, python) for path, way in keys] for side, keys in sides.items() if keys}
    return {"on": _python(target.keys[at][0], python), **{side: _short(ordered) for side, ordered in others.items()}}


def _wildcard(target: IndexTarget, python: Mapping[str, str]) -> dict[str, Any]:
    *before, (path, _) = target.keys
    on = WHOLE if path == "$**" else _python(path.removesuffix(".$**"), python)
    ordered = [_signed(name, direction, python) for name, direction in before]
    sides = {"only": 1, "without": 0}
    paths = {side: [path for path, flag in target.projection if flag == sides[side]] for side in sides}
    if all(paths.values()):
        raise NoWord('a projection of "_id" and of fields that are left out')
    return {
        "on": on,
        **({"before": _short(ordered)} if ordered else {}),
        **{side: _short([_python(path, python) for path in chosen]) for side, chosen in paths.items() if chosen},
    }


def _collation(rules: Any) -> Collation:
    others = sorted(rules.keys() - {"locale", "strength"})
    if others:
        raise NoWord(f'the collation option "{others[0]}"')
    return Collation(locale=rules["locale"], **({"strength": rules["strength"]} if "strength" in rules else {}))


def _filters(filter: Any, python: Mapping[str, str]) -> dict[str, Any]:
    """The options `where=` and `any_of=` of a filter in its normal form."""
    simple = {path: test for path, test in filter.items() if path not in ("$and", "$or")}
    others = [simple, *filter.get("$and", ())]
    options: dict[str, Any] = {"where": _where(others, python)} if any(others) else {}
    return {**options, **({"any_of": [_where([part], python) for part in filter["$or"]]} if "$or" in filter else {})}


def where_of(filter: dict[str, Any], python: Mapping[str, str]) -> dict[str, Any]:
    """The conditions of a filter of views in its normal form; NoWord for others."""
    simple = {path: test for path, test in filter.items() if path != "$and"}
    return _where([simple, *filter.get("$and", ())], python)


def _where(filters: list[Any], python: Mapping[str, str]) -> dict[str, Any]:
    tests: dict[str, list[Any]] = {}
    for filter in filters:
        for path, test in filter.items():
            if path.startswith("$"):
                raise NoWord(f'a filter with "{path}" inside another condition')
            tests.setdefault(_python(path, python), []).extend(_tests(test))
    return {name: own[0] if len(own) == 1 else AllOf(own) for name, own in tests.items()}


def _tests(test: Any) -> list[Any]:
    if not is_operators(test):
        return [_constant(test)]
    return [_condition(operator, value) for operator, value in test.items()]


def _condition(operator: str, value: Any) -> Any:
    match operator:
        case "$exists" if value is True:
            return Present()
        case "$ne":
            return Present() if value is None else Not(_constant(value))
        case "$in":
            return OneOf([_constant(constant) for constant in value])
        case "$type":
            return OfType(value)
        case _ if operator in _COMPARISONS:
            return _COMPARISONS[operator](_constant(value))
        case _:
            raise NoWord(f'a filter with "{operator}"')


_COMPARISONS: dict[str, Callable[[Any], Any]] = {"$gte": AtLeast, "$gt": Above, "$lte": AtMost, "$lt": Below}


def _constant(value: Any) -> Any:
    match value:
        case {"$date": str(text)}:
            return datetime.fromisoformat(text)
        case {"$oid": str(text)}:
            return text
        case {"$numberDecimal": str(text)}:
            return Decimal(text)
        case float():
            return Decimal(str(value))
        case dict() | list():
            raise NoWord("a filter with a constant of another type")
        case _:
            return value


def _python(path: str, python: Mapping[str, str]) -> str:
    if path not in python:
        raise NoWord(f'the path "{path}", which is no field')
    return python[path]


def _signed(path: str, direction: Any, python: Mapping[str, str]) -> str:
    return f"-{_python(path, python)}" if direction == -1 else _python(path, python)


def _short(names: list[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else names


def paths_of(target: IndexTarget) -> Iterator[str]:
    """Stored paths of an index, which must be fields of the model."""
    for path, _ in target.keys:
        if not path.startswith(("$", "_fts")):
            yield path.removesuffix(".$**")
    yield from (path for path, _ in (*target.weights, *target.projection) if not path.startswith("$"))
    yield from _filtered(target.filter)


def _filtered(filter: Any) -> Iterator[str]:
    for path, test in filter.items() if isinstance(filter, dict) else ():
        if path in ("$and", "$or"):
            for part in test:
                yield from _filtered(part)
        else:
            yield path
