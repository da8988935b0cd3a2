"""A transform as a MongoDB update pipeline, with a filter for the documents on which both have the same result."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from keywright.ir.json import Json
from keywright.ir.template import Template
from keywright.ir.text_form import UnsupportedValue, iso, moment
from keywright.ir.transform import Split, Transform

from . import transform_text as texts
from .transform_text import Expr, Unsayable, is_type, literal, type_of

TypeChecks: TypeAlias = list[Expr]
"""Conditions under which the pipeline is correct for a document."""

_REMOVED = "$$REMOVE"

_CAST_TYPES = {
    "str": ("string",), "int": ("int", "long"), "decimal": ("decimal",), "bool": ("bool",), "datetime": ("date",),
}  # fmt: skip
"""The BSON types of values that the pipeline has cast."""

_CONVERTED = ("int", "long", "decimal", "bool", "date", "string")
"""Declared types into which `form` converts some values of other types."""

_ALIKE = {"int": ("int", "long"), "long": ("int", "long")}
"""Types of one field: drivers write a small whole number as int and a large one as long."""


def compile(
    transform: Transform, types: Mapping[str, str], *, version: int | None = None, attribute: str = "_kw_v"
) -> dict[str, Json] | None:
    """`{"filter", "pipeline"}` for `updateMany`; None if the server has no expression for the transform.

    types: BSON types of stored paths, as far as they are known. The filter selects old documents for which the
    pipeline certainly has the same result as `transformed.apply`; Python converts the others. The driver adds the
    range of `_id` to the filter. Collections with a collation are unsuitable, because it changes which texts are equal.
    """
    try:
        state = _State(transform, types)
        for step in (_copy, _rename, _split, _cast, _map, _set, _unset):
            state.written.update(step(transform, state))
    except Unsayable:
        return None
    stage: dict[str, Json] = dict(state.written)
    filter: dict[str, Json] = {}
    if version is not None:
        stage[attribute] = version
        filter[attribute] = older_than(version)
    checks = _unique([*_outer(transform), *state.checks])
    if checks:
        filter["$expr"] = {"$and": checks} if len(checks) > 1 else checks[0]
    return {"filter": filter, "pipeline": [{"$set": stage}]}


def older_than(version: int) -> Json:
    """The condition on the version of an old document: anything but a number of at least that version."""
    return {"$not": {"$gte": version}}


def form(path: str, value: Any, type: str | None) -> Any:
    """A value as documents store it: converted to the declared type if that differs, with times cut to milliseconds."""
    match type, value:
        case (("int" | "long"), str()):
            return int(value)
        case "decimal", str() | int() if not isinstance(value, bool):
            value = Decimal(value)
        case "bool", "true" | "false":
            return value == "true"
        case "date", str():
            value = moment(value if "T" in value else f"{value}T00:00:00Z")
        case "string", datetime():
            return iso(value)
        case "string", Decimal():
            return str(value)
        case "long", datetime():
            return (moment(value) - datetime(1970, 1, 1, tzinfo=UTC)) // texts.MICROSECOND
        case _:
            pass
    if isinstance(value, datetime):
        value = moment(value)
        return value.replace(microsecond=value.microsecond // 1000 * 1000)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise UnsupportedValue("the number has more than 64 bits")
    if isinstance(value, Decimal) and (value.is_finite() and len(value.as_tuple().digits) > texts.DECIMAL_DIGITS):
        raise UnsupportedValue(f"the number has more than {texts.DECIMAL_DIGITS} digits")
    return value


class _State:
    """The value of each path after some steps, as expressions over the original document."""

    def __init__(self, transform: Transform, types: Mapping[str, str]) -> None:
        self.types = types
        self.written: dict[str, Expr] = {}
        self.checks: TypeChecks = []

    def now(self, path: str) -> Expr:
        """The present value of a path; missing if it has none."""
        return self.written.get(path, f"${path}")

    def declared_type(self, path: str) -> str | None:
        """The declared BSON type of a path that no step has written."""
        return None if path in self.written else self.types.get(path)

    def wants(self, path: str, *kinds: str) -> None:
        """Raise Unsayable if a path's declared type is none of these."""
        if self.types.get(path, kinds[0]) not in kinds:
            raise Unsayable


def _outer(transform: Transform) -> TypeChecks:
    """Embedded documents on the paths must exist: a pipeline would create or replace them."""
    paths = sorted({*transform.reads, *transform.writes})
    outer = {path[:at] for path in paths for at, sign in enumerate(path) if sign == "."}
    return [is_type(f"${path}", "object") for path in sorted(outer)]


def _unique(checks: TypeChecks) -> TypeChecks:
    unique: TypeChecks = []
    for check in checks:
        if check not in unique:
            unique.append(check)
    return unique


def _copy(transform: Transform, state: _State) -> dict[str, Expr]:
    return {new: _moved(new, state.now(old), state.now(new), state) for new, old in transform.copy}


def _rename(transform: Transform, state: _State) -> dict[str, Expr]:
    removed: dict[str, Expr] = {old: _REMOVED for _, old in transform.rename}
    # If one rename empties a path and another fills it, the filling rename falls back on the removal.
    fallbacks = {new: _REMOVED if new in removed else state.now(new) for new, _ in transform.rename}
    return removed | {new: _moved(new, state.now(old), fallbacks[new], state) for new, old in transform.rename}


def _moved(path: str, value: Expr, otherwise: Expr, state: _State) -> Expr:
    _keeps(path, value, state)
    return {"$cond": [{"$ne": [type_of(value), "missing"]}, value, otherwise]}


def _keeps(path: str, value: Expr, state: _State) -> None:
    """An unchanged value must have the declared type of its new path, so that Python writes the same value."""
    if (type := state.types.get(path)) in _CONVERTED:
        state.checks.append(is_type(value, *_ALIKE.get(type, (type,)), "missing", "null"))


def _split(transform: Transform, state: _State) -> dict[str, Expr]:
    expressions: dict[str, Expr] = {}
    for path, split in transform.split:
        value = state.now(path)
        state.checks.append(is_type(value, "string", "missing", "null"))
        for place, into in enumerate(split.into):
            state.wants(into, "string")
            expressions[into] = _part(value, split, place, state.now(into))
    return expressions


def _part(value: Expr, split: Split, place: int, otherwise: Expr) -> Expr:
    """One part of a text; the previous value if there is no such part, or no text."""
    on, last = literal(split.on), len(split.into) - 1
    if last == 0:
        return {"$ifNull": [value, otherwise]}
    parts: Expr = {"$split": [value, on]}
    if place < last:
        return {"$ifNull": [{"$arrayElemAt": [parts, place]}, otherwise]}
    separator_index: Expr = {"$indexOfBytes": [value, on]}
    if last == 1:
        after_separator: Expr = {"$substrBytes": [value, {"$add": [separator_index, len(split.on.encode())]}, -1]}
        return {"$cond": [{"$gt": [separator_index, -1]}, after_separator, otherwise]}
    tail: Expr = {"$slice": [parts, last, 2**31 - 1]}
    joined: Expr = {
        "$reduce": {
            "input": tail,
            "initialValue": None,
            "in": {"$cond": [{"$eq": ["$$value", None]}, "$$this", {"$concat": ["$$value", on, "$$this"]}]},
        }
    }
    return {"$ifNull": [joined, otherwise]}


def _cast(transform: Transform, state: _State) -> dict[str, Expr]:
    expressions: dict[str, Expr] = {}
    for path, type in transform.cast:
        state.wants(path, *_CAST_TYPES[type])
        check, expressions[path] = texts.CASTS[type](state.now(path))
        state.checks.append(check)
    return expressions


def _map(transform: Transform, state: _State) -> dict[str, Expr]:
    expressions: dict[str, Expr] = {}
    for path, pairs in transform.map:
        value = state.now(path)
        if path in state.types:
            state.wants(path, "string")
        state.checks.append(is_type(value, "string", "missing", "null"))
        branches: list[Json] = [{"case": {"$eq": [value, literal(old)]}, "then": literal(new)} for old, new in pairs]
        expressions[path] = {"$switch": {"branches": branches, "default": value}}
    return expressions


def _set(transform: Transform, state: _State) -> dict[str, Expr]:
    expressions: dict[str, Expr] = {}
    for path, template in transform.set:
        if isinstance(template, Template):
            expressions[path] = _filled(path, template, state)
        else:
            constant = form(path, template, state.types.get(path))
            if not isinstance(constant, (str, bool, int, float)):
                raise Unsayable
            expressions[path] = {"$ifNull": [state.now(path), literal(constant)]}
    return expressions


def _filled(path: str, template: Template, state: _State) -> Expr:
    """A template's text if all its fields have values, else the previous value."""
    if template.lone:
        value = state.now(template.lone.path)
        _keeps(path, value, state)
        return {"$ifNull": [value, state.now(path)]}
    state.wants(path, "string")
    parts: list[Json] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(literal(part))
            continue
        check, text = texts.filled(part, state.now(part.path), state.declared_type(part.path))
        state.checks.append(check)
        parts.append(text)
    values = [state.now(placeholder.path) for placeholder in template.placeholders]
    presence_checks: list[Json] = [{"$gt": [value, None]} for value in _unique(values)]
    text = {"$concat": parts} if len(parts) > 1 else parts[0]
    return (
        {
            "$cond": [
                {"$and": presence_checks} if len(presence_checks) > 1 else presence_checks[0],
                text,
                state.now(path),
            ]
        }
        if presence_checks
        else text
    )


def _unset(transform: Transform, state: _State) -> dict[str, Expr]:
    return dict.fromkeys(transform.unset, _REMOVED)
