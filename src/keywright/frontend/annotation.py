"""Annotations of Pydantic fields into logical types."""

import ipaddress
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, Literal
from uuid import UUID

import annotated_types as at
import pydantic
from pydantic import BaseModel, RootModel
from pydantic.fields import FieldInfo

from keywright.ir.attribute import Constant, Facts, Many, Map, Scalar, ScalarKind, Struct, Type

from .facts import facts_of

_PLAIN: dict[Any, ScalarKind] = {
    str: "string", int: "integer", float: "float", Decimal: "decimal", bool: "boolean", bytes: "bytes",
    datetime: "datetime", date: "date", time: "time", timedelta: "duration", UUID: "uuid",
    Any: "json", object: "json", pydantic.JsonValue: "json", pydantic.EmailStr: "string",
    pydantic.AwareDatetime: "datetime", pydantic.NaiveDatetime: "datetime",
    pydantic.PastDatetime: "datetime", pydantic.FutureDatetime: "datetime",
    pydantic.PastDate: "date", pydantic.FutureDate: "date",
}  # fmt: skip

_CONVERTED = (
    pydantic.AnyUrl, pydantic.NameEmail, PurePath, ipaddress.IPv4Address, ipaddress.IPv6Address,
    ipaddress.IPv4Network, ipaddress.IPv6Network, ipaddress.IPv4Interface, ipaddress.IPv6Interface,
)  # fmt: skip
"""Classes whose text form is validated back to an equal value."""

_LISTS: dict[Any, Literal["list", "set"]] = {
    list: "list", Sequence: "list", Iterable: "list", set: "set", frozenset: "set", AbstractSet: "set",
}  # fmt: skip


_GROUPS = (at.Interval, at.Len)
"""Metadata that stands for several; the protocol that says so is slow to ask."""


class NoLogicalType(TypeError):
    """An annotation that no store can hold, with what to write instead."""

    def __init__(self, problem: str, help: str) -> None:
        super().__init__(problem)
        self.help = help


def logical(annotation: Any, metadata: Sequence[Any], embed: "Embed") -> tuple[Type, bool]:
    """The logical type of an annotation with its metadata, and whether None is allowed.

    `embed` lowers a model class to the Struct that it is inside another.
    """
    annotation, metadata, nullable = _unwrap(annotation, list(metadata))
    facts = facts_of(metadata)
    found = _type(annotation, facts, embed)
    if isinstance(found, Scalar):
        found = _bounded(found, metadata)
    elif isinstance(found, Many):
        low, high = _lengths(metadata)
        found = replace(found, min_items=low or found.min_items, max_items=found.max_items if high is None else high)
    elif isinstance(found, Map):
        found = replace(found, max_items=_lengths(metadata)[1])
    return found, nullable


Embed = typing.Callable[[type[BaseModel], Facts], Struct]


def _unwrap(annotation: Any, metadata: list[Any]) -> tuple[Any, list[Any], bool]:
    """Takes off `Annotated`, aliases, NewType and `| None`, gathering metadata; whether None was among them."""
    nullable = False
    while True:
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            annotation, *more = typing.get_args(annotation)
            metadata = [*more, *metadata]
        elif origin in (typing.Union, types.UnionType):
            arms = typing.get_args(annotation)
            kept = [arm for arm in arms if arm is not type(None)]
            nullable = nullable or len(kept) < len(arms)
            if len(kept) != 1:
                raise NoLogicalType(
                    f"a union of {len(kept)} types has no one type in a store",
                    "use one type, one model with optional fields, or typing.Any for opaque JSON",
                )
            annotation = kept[0]
        elif origin is Literal and None in typing.get_args(annotation):
            annotation, nullable = Literal[tuple(arg for arg in typing.get_args(annotation) if arg is not None)], True
        elif isinstance(annotation, typing.TypeVar):
            annotation = annotation.__bound__ or Any
        elif isinstance(annotation, typing.NewType):
            annotation = annotation.__supertype__
        elif hasattr(annotation, "__value__") and not isinstance(annotation, type) and annotation not in _PLAIN_KEYS:
            annotation = annotation.__value__
        else:
            return annotation, _flat(metadata), nullable


_PLAIN_KEYS = [pydantic.JsonValue]


def _flat(metadata: list[Any]) -> list[Any]:
    """Metadata with that of `Field(...)` in its place."""
    flat: list[Any] = []
    for item in metadata:
        flat += _flat(list(item.metadata)) if isinstance(item, FieldInfo) else [item]
    return flat


def _type(annotation: Any, facts: Facts, embed: Embed) -> Type:
    try:
        kind = _PLAIN.get(annotation)
    except TypeError:  # an annotation that cannot be hashed
        kind = None
    if kind:
        aware = {pydantic.AwareDatetime: True, pydantic.NaiveDatetime: False}.get(annotation)
        return Scalar(kind, facts=facts, is_aware=aware)
    origin, args = typing.get_origin(annotation) or annotation, typing.get_args(annotation)
    if origin is Literal:
        return _constants(args, facts)
    if origin in _LISTS:
        element, nullable = logical(args[0] if args else Any, (), embed)
        return Many(_LISTS[origin], element, has_null_elements=nullable, facts=facts)
    if origin is tuple:
        return _tuple(args, facts, embed)
    if origin in (dict, Mapping):
        return _map(args, facts, embed)
    if isinstance(annotation, type) and (found := _class(annotation, facts, embed)):
        return found
    name = getattr(annotation, "__name__", str(annotation))
    raise NoLogicalType(f'"{name}" has no form in a store', "use a plain type, a list, a dict or a model")


def _class(cls: type, facts: Facts, embed: Embed) -> Type | None:
    if issubclass(cls, RootModel):
        raise NoLogicalType(f'"{cls.__name__}" is a root model, not one with fields', "annotate the type that it wraps")
    if issubclass(cls, BaseModel):
        return embed(cls, facts)
    if issubclass(cls, Enum):
        return _constants(tuple(member.value for member in cls), facts)
    if issubclass(cls, _CONVERTED):
        return Scalar("string", is_converted=True, facts=facts)
    if issubclass(cls, (pydantic.SecretStr, pydantic.SecretBytes)):
        problem = f'"{cls.__name__}" is masked when it is read, so that its value would be lost'
        raise NoLogicalType(problem, "store a hash of it or a reference to it, as str")
    kinds = (kind for plain, kind in _PLAIN.items() if isinstance(plain, type) and issubclass(cls, plain))
    kind: ScalarKind = next(kinds, "json")
    return None if kind == "json" else Scalar(kind, facts=facts)


def _constants(values: tuple[Any, ...], facts: Facts) -> Scalar:
    kinds: dict[type, ScalarKind] = {str: "string", int: "integer", bool: "boolean"}
    held = {type(value) for value in values}
    found: set[ScalarKind | None] = {kinds.get(kind) for kind in held}
    kind = found.pop() if len(found) == 1 else None
    if kind is None:
        names = " and ".join(sorted(one.__name__ for one in held)) or "none"
        problem = f"a closed set holds values of one type, text, whole numbers or True and False; these are {names}"
        raise NoLogicalType(problem, "write all of them as text")
    constants: tuple[Constant, ...] = values
    return Scalar(kind, constants=constants, facts=facts)


def _tuple(args: tuple[Any, ...], facts: Facts, embed: Embed) -> Many:
    if len(args) == 2 and args[1] is Ellipsis:
        element, nullable = logical(args[0], (), embed)
        return Many("list", element, has_null_elements=nullable, facts=facts)
    if not args or any(arg != args[0] for arg in args):
        raise NoLogicalType("a tuple of several types has no one element type", "use a model with named fields")
    element, nullable = logical(args[0], (), embed)
    return Many("list", element, len(args), len(args), has_null_elements=nullable, facts=facts)


def _map(args: tuple[Any, ...], facts: Facts, embed: Embed) -> Map | Scalar:
    if not args or args[1] is Any:
        return Scalar("json", facts=facts)
    key, _ = logical(args[0], (), embed)
    if not isinstance(key, Scalar) or key.kind != "string" or key.is_converted:
        raise NoLogicalType("the keys of a mapping are not text", "use dict[str, ...], or a list of models")
    value, nullable = logical(args[1], (), embed)
    return Map(value, has_null_values=nullable, facts=facts)


def _bounded(scalar: Scalar, metadata: list[Any]) -> Scalar:
    """The scalar with the bounds that its metadata states."""
    known: dict[str, Any] = {}
    for item in metadata:
        for part in item if isinstance(item, _GROUPS) else (item,):
            match part:
                case at.Ge(ge=low):
                    known.update(minimum=low)
                case at.Gt(gt=low):
                    known.update(minimum=low, excludes_minimum=True)
                case at.Le(le=high):
                    known.update(maximum=high)
                case at.Lt(lt=high):
                    known.update(maximum=high, excludes_maximum=True)
                case at.MinLen(min_length=low):
                    known.update(min_length=low)
                case at.MaxLen(max_length=high):
                    known.update(max_length=high)
                case _:
                    known.update(_pydantic_bounds(part))
    return replace(scalar, **known) if known else scalar


def _pydantic_bounds(part: Any) -> dict[str, Any]:
    """Bounds that Pydantic keeps in metadata of its own: on the object, or as keyword arguments of a constraint."""
    stated = getattr(part, "__dict__", {})
    found = {key: stated[key] for key in ("pattern", "max_digits", "decimal_places") if stated.get(key) is not None}
    if "pattern" in found and not isinstance(found["pattern"], str):
        found["pattern"] = found["pattern"].pattern
    return found


def _lengths(metadata: list[Any]) -> tuple[int | None, int | None]:
    """(least, most) elements."""
    bounds = _bounded(Scalar("json"), metadata)
    return bounds.min_length, bounds.max_length
