"""Indexes as declarations: the inverse of `lower_index`."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from keywright.declare.collation import Collation
from keywright.declare.predicates import AtLeast, Below, OneOf, Present
from keywright.errors import gathering

from ..declare.indexes import WHOLE, AnyIndex, GeoIndex, HashedIndex, Index, TextIndex, WildcardIndex
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
        options |= {"where": _where(target.filter, python)} if target.filter is not None else {}
        options |= {"hidden": True} if target.is_hidden else {}
        declared = [kind(**options), kind(**options, name=target.name)]
    if errors:
        raise NoWord(f"its definition: {errors[0].problem}")
    return declared


def _kind(target: IndexTarget, python: Mapping[str, str], inherited: Any) -> tuple[type[Any], dict[str, Any]]:
    directions = {direction for _, direction in target.keys}
    if "text" in directions:
        return TextIndex, _text(target, python)
    if len(target.keys) == 1 and directions in ({"2dsphere"}, {"hashed"}):
        on = {"on": _python(target.keys[0][0], python)}
        return (GeoIndex, on) if directions == {"2dsphere"} else (HashedIndex, {**on, **_sparse(target)})
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
        **({"collation": _collation(collation)} if collation is not None else {}),
    }


def _sparse(target: IndexTarget) -> dict[str, Any]:
    return {"sparse": True} if target.is_sparse else {}


def _text(target: IndexTarget, python: Mapping[str, str]) -> dict[str, Any]:
    weights = {_python(path, python): weight for path, weight in target.weights}
    if any(direction != "text" for _, direction in target.keys):
        raise NoWord("a text index with other fields")
    return {
        "fields": _short(list(weights)),
        **({"weights": heavy} if (heavy := {name: weight for name, weight in weights.items() if weight != 1}) else {}),
        **({"language": target.language} if target.language not in (None, "english") else {}),
    }


def _wildcard(target: IndexTarget, python: Mapping[str, str]) -> dict[str, Any]:
    *before, (path, _) = target.keys
    on = WHOLE if path == "$**" else _python(path.removesuffix(".$**"), python)
    ordered = [_signed(name, direction, python) for name, direction in before]
    return {"on": on, **({"before": _short(ordered)} if ordered else {})}


def _collation(rules: Any) -> Collation:
    others = sorted(rules.keys() - {"locale", "strength"})
    if others:
        raise NoWord(f'the collation option "{others[0]}"')
    return Collation(locale=rules["locale"], **({"strength": rules["strength"]} if "strength" in rules else {}))


def _where(filter: Any, python: Mapping[str, str]) -> dict[str, Any]:
    conditions: dict[str, Any] = {}
    for path, test in filter.items():
        if path.startswith("$"):
            raise NoWord(f'a filter with "{path}"')
        conditions[_python(path, python)] = _condition(test)
    return conditions


def _condition(test: Any) -> Any:
    if not isinstance(test, dict):
        return _constant(test)
    if len(test) != 1:
        raise NoWord("a filter with several tests of one field")
    ((operator, value),) = test.items()
    match operator:
        case "$exists" if value is True:
            return Present()
        case "$eq":
            return _constant(value)
        case "$in":
            return OneOf([_constant(constant) for constant in value])
        case "$gte":
            return AtLeast(_constant(value))
        case "$lt":
            return Below(_constant(value))
        case "$date" | "$oid" | "$numberDecimal":
            return _constant(test)
        case _:
            raise NoWord(f'a filter with "{operator}"')


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
    yield from (path for path, _ in target.weights if not path.startswith("$"))
    if isinstance(target.filter, dict):
        yield from (path for path in target.filter if not path.startswith("$"))
