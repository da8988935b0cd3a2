"""A transform as a MongoDB update pipeline, for documents of which it is certain that the pipeline means the same."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from keywright.ir.json import Json
from keywright.ir.template import Template
from keywright.ir.transform import Split, Transform
from keywright.ir.written import iso, moment

from . import transform_text as texts
from .transform_text import Expr, Unsayable, is_type, literal, type_of

Checked: TypeAlias = list[Expr]
"""Conditions that a document must fulfil for the pipeline to be right."""

_REMOVED = "$$REMOVE"

_CAST_TYPES = {
    "str": ("string",), "int": ("int", "long"), "decimal": ("decimal",), "bool": ("bool",), "datetime": ("date",),
}  # fmt: skip
"""The BSON types in which the pipeline writes what was cast."""

_CONVERTED = ("int", "long", "decimal", "bool", "date", "string")
"""Declared types into which `form` converts some values of other types."""

_ALIKE = {"int": ("int", "long"), "long": ("int", "long")}
"""Types that one field may have: drivers write a small whole number as int and a large one as long."""


def compile(
    transform: Transform, types: Mapping[str, str], *, version: int | None = None, attribute: str = "_kw_v"
) -> dict[str, Json] | None:
    """`{"filter", "pipeline"}` for `updateMany`; None where the server cannot say the transform.

    types: BSON types of stored paths, as far as they are known. The filter lets through old documents for which the
    pipeline is certain to mean what `transformed.apply` means; the rest is left to Python. It says nothing of the range
    of `_id`, which the driver adds. Collations change what equal texts are, so that a collection that has one is not
    for this.
    """
    try:
        state = _State(transform, types)
        for step in (_copy, _rename, _split, _cast, _map, _set, _unset):
            state.made.update(step(transform, state))
    except Unsayable:
        return None
    stage: dict[str, Json] = dict(state.made)
    filter: dict[str, Json] = {}
    if version is not None:
        stage[attribute] = version
        filter[attribute] = older_than(version)
    checks = _unique([*_outer(transform), *state.checks])
    if checks:
        filter["$expr"] = {"$and": checks} if len(checks) > 1 else checks[0]
    return {"filter": filter, "pipeline": [{"$set": stage}]}


def older_than(version: int) -> Json:
    """What the version of an old document fulfils: anything but a number from that version on."""
    return {"$not": {"$gte": version}}


def form(path: str, value: Any, type: str | None) -> Any:
    """A value as documents hold it: in the declared type where that is another one, times cut to milliseconds."""
    match type, value:
        case (("int" | "long"), str()):
            return int(value)
        case "decimal", str() | int() if not isinstance(value, bool):
            value = Decimal(value)
        case "bool", "true" | "false":
            return value == "true"
        case "date", str():
            value = moment(value)
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
        raise ValueError("the number has more than 64 bits")
    if isinstance(value, Decimal) and (value.is_finite() and len(value.as_tuple().digits) > texts.DECIMAL_DIGITS):
        raise ValueError(f"the number has more than {texts.DECIMAL_DIGITS} digits")
    return value


class _State:
    """What each path holds after some steps, as expressions over the document as it was."""

    def __init__(self, transform: Transform, types: Mapping[str, str]) -> None:
        self.types = types
        self.made: dict[str, Expr] = {}
        self.checks: Checked = []

    def now(self, path: str) -> Expr:
        """The present value of a path, missing where there is none."""
        return self.made.get(path, f"${path}")

    def known(self, path: str) -> str | None:
        """The BSON type that a path has as declared, while no step has written it."""
        return None if path in self.made else self.types.get(path)

    def wants(self, path: str, *kinds: str) -> None:
        """Nothing is written to a path whose declared type is none of these."""
        if self.types.get(path, kinds[0]) not in kinds:
            raise Unsayable


def _outer(transform: Transform) -> Checked:
    """Embedded documents that paths lead through must be there: a pipeline would make or replace them."""
    paths = sorted({*transform.reads, *transform.writes})
    outer = {path[:at] for path in paths for at, sign in enumerate(path) if sign == "."}
    return [is_type(f"${path}", "object") for path in sorted(outer)]


def _unique(checks: Checked) -> Checked:
    found: Checked = []
    for one in checks:
        if one not in found:
            found.append(one)
    return found


def _copy(transform: Transform, state: _State) -> dict[str, Expr]:
    return {new: _moved(new, state.now(old), state.now(new), state) for new, old in transform.copy}


def _rename(transform: Transform, state: _State) -> dict[str, Expr]:
    gone: dict[str, Expr] = {old: _REMOVED for _, old in transform.rename}
    # A path that one step empties and another fills: the filling one falls back on what the emptying one leaves.
    left = {new: _REMOVED if new in gone else state.now(new) for new, _ in transform.rename}
    return gone | {new: _moved(new, state.now(old), left[new], state) for new, old in transform.rename}


def _moved(path: str, value: Expr, otherwise: Expr, state: _State) -> Expr:
    _keeps(path, value, state)
    return {"$cond": [{"$ne": [type_of(value), "missing"]}, value, otherwise]}


def _keeps(path: str, value: Expr, state: _State) -> None:
    """A value that is written as it is has the type that is declared where it goes, so that Python keeps it too."""
    if (type := state.types.get(path)) in _CONVERTED:
        state.checks.append(is_type(value, *_ALIKE.get(type, (type,)), "missing", "null"))


def _split(transform: Transform, state: _State) -> dict[str, Expr]:
    made: dict[str, Expr] = {}
    for path, split in transform.split:
        value = state.now(path)
        state.checks.append(is_type(value, "string", "missing", "null"))
        for place, into in enumerate(split.into):
            state.wants(into, "string")
            made[into] = _part(value, split, place, state.now(into))
    return made


def _part(value: Expr, split: Split, place: int, otherwise: Expr) -> Expr:
    """One part of a text; what was there before where there is no such part, or no text."""
    on, last = literal(split.on), len(split.into) - 1
    if last == 0:
        return {"$ifNull": [value, otherwise]}
    parts: Expr = {"$split": [value, on]}
    if place < last:
        return {"$ifNull": [{"$arrayElemAt": [parts, place]}, otherwise]}
    found: Expr = {"$indexOfBytes": [value, on]}
    if last == 1:
        rest: Expr = {"$substrBytes": [value, {"$add": [found, len(split.on.encode())]}, -1]}
        return {"$cond": [{"$gt": [found, -1]}, rest, otherwise]}
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
    made: dict[str, Expr] = {}
    for path, type in transform.cast:
        state.wants(path, *_CAST_TYPES[type])
        check, made[path] = texts.CASTS[type](state.now(path))
        state.checks.append(check)
    return made


def _map(transform: Transform, state: _State) -> dict[str, Expr]:
    made: dict[str, Expr] = {}
    for path, pairs in transform.map:
        value = state.now(path)
        if path in state.types:
            state.wants(path, "string")
        state.checks.append(is_type(value, "string", "missing", "null"))
        branches: list[Json] = [{"case": {"$eq": [value, literal(old)]}, "then": literal(new)} for old, new in pairs]
        made[path] = {"$switch": {"branches": branches, "default": value}}
    return made


def _set(transform: Transform, state: _State) -> dict[str, Expr]:
    made: dict[str, Expr] = {}
    for path, one in transform.set:
        if isinstance(one, Template):
            made[path] = _filled(path, one, state)
        else:
            constant = form(path, one, state.types.get(path))
            if not isinstance(constant, (str, bool, int)):
                raise Unsayable
            made[path] = {"$ifNull": [state.now(path), literal(constant)]}
    return made


def _filled(path: str, template: Template, state: _State) -> Expr:
    """A template's text where all that it needs is there, else what was there before."""
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
        check, text = texts.filled(part, state.now(part.path), state.known(part.path))
        state.checks.append(check)
        parts.append(text)
    values = [state.now(one.path) for one in template.placeholders]
    there: list[Json] = [{"$gt": [value, None]} for value in _unique(values)]
    text = {"$concat": parts} if len(parts) > 1 else parts[0]
    return {"$cond": [{"$and": there} if len(there) > 1 else there[0], text, state.now(path)]} if there else text


def _unset(transform: Transform, state: _State) -> dict[str, Expr]:
    return dict.fromkeys(transform.unset, _REMOVED)
