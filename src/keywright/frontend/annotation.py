"""Translates annotations of Pydantic fields into logical types."""

import ipaddress
import re
import sys
import types
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag
from pathlib import PurePath
from typing import Any, Literal
from uuid import UUID

import annotated_types as at
import pydantic
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from keywright.declare.fields import is_embeddable
from keywright.ir.attribute import Constant, Facts, Many, Map, Scalar, ScalarKind, Struct, Tuple, Type
from keywright.record import replace

from .facts import facts_of, precise, vector_of
from .no_logical_type import NoLogicalType as NoLogicalType
from .unions import Arm, discriminator_in, union
from .unreadable import reject

_PLAIN: dict[Any, ScalarKind] = {
    str: "string", int: "integer", float: "float", Decimal: "decimal", bool: "boolean", bytes: "bytes",
    datetime: "datetime", date: "date", time: "time", timedelta: "duration", UUID: "uuid",
    Any: "json", object: "json", pydantic.JsonValue: "json",
    pydantic.AwareDatetime: "datetime", pydantic.NaiveDatetime: "datetime",
    pydantic.PastDatetime: "datetime", pydantic.FutureDatetime: "datetime",
    pydantic.PastDate: "date", pydantic.FutureDate: "date",
}  # fmt: skip

_CONVERTED = (
    PurePath, ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network,
    ipaddress.IPv4Interface, ipaddress.IPv6Interface,
)  # fmt: skip
"""Classes whose text form is validated back to an equal value."""

_LISTS: dict[Any, Literal["list", "set"]] = {
    list: "list", Sequence: "list", deque: "list", set: "set", frozenset: "set", AbstractSet: "set",
}  # fmt: skip


_WAYS_OUT: dict[Any, str] = {
    Iterable: "use list: an iterator is read once, and would be empty after the first use",
    OrderedDict: "use dict, or a list of models: stores do not keep the order of keys",
    re.Pattern: "store its text, as str",
    pydantic.Secret: "store a hash or a reference, as str",
}
"""Help for types that people annotate and no store returns."""


_GROUPS = (at.Interval, at.Len)
"""Metadata that groups several constraints; `at.GroupedMetadata`, its protocol, is slow to test with `isinstance`."""


def logical(annotation: Any, metadata: Sequence[Any], embed: "Embed") -> tuple[Type, bool]:
    """The logical type of an annotation with its metadata, and whether None is allowed.

    `embed` lowers an embedded model class to a Struct.
    """
    annotation, metadata, nullable = _unwrap(annotation, list(metadata))
    facts = facts_of(metadata)
    scalar = _type(annotation, metadata, facts, embed)
    if metadata:
        reject(metadata, scalar)
        scalar = precise(scalar, metadata)
    if isinstance(scalar, Scalar):
        scalar = _bounded(scalar, metadata)
    elif isinstance(scalar, Many):
        low, high = _lengths(metadata)
        if (dimensions := vector_of(metadata)) is not None:
            scalar, low, high = replace(scalar, is_vector=True), dimensions, dimensions
        scalar = replace(
            scalar, min_items=low or scalar.min_items, max_items=scalar.max_items if high is None else high
        )
    elif isinstance(scalar, Map):
        scalar = replace(scalar, max_items=_lengths(metadata)[1])
    return scalar, nullable


Embed = typing.Callable[[type, Facts], Struct]


def _unwrap(annotation: Any, metadata: list[Any]) -> tuple[Any, list[Any], bool]:
    """Remove `Annotated`, aliases, NewType and `| None`, and collect their metadata; last, whether None was allowed.

    A union of several types remains.
    """
    nullable = False
    while True:
        origin = typing.get_origin(annotation)
        if origin is typing.Annotated:
            annotation, *more = typing.get_args(annotation)
            metadata = [*more, *metadata]
        elif origin in (typing.Union, types.UnionType):
            arms = typing.get_args(annotation)
            other_arms = [arm for arm in arms if arm is not type(None)]
            nullable = nullable or len(other_arms) < len(arms)
            if len(other_arms) != 1:
                nullable = nullable or any(_unwrap(arm, [])[2] for arm in other_arms)
                return typing.Union[tuple(other_arms)], _flat(metadata), nullable  # noqa: UP007
            annotation = other_arms[0]
        elif origin is Literal and None in typing.get_args(annotation):
            annotation, nullable = Literal[tuple(arg for arg in typing.get_args(annotation) if arg is not None)], True
        elif isinstance(annotation, typing.TypeVar):
            annotation = annotation.__bound__ or Any
        elif isinstance(annotation, typing.NewType):
            annotation = annotation.__supertype__
        elif hasattr(annotation, "__value__") and not isinstance(annotation, type) and annotation not in _PLAIN_KEYS:
            arguments = typing.get_args(annotation)
            annotation = annotation.__value__[arguments] if arguments else annotation.__value__
        else:
            return annotation, _flat(metadata), nullable


_PLAIN_KEYS = [pydantic.JsonValue]


def _flat(metadata: list[Any]) -> list[Any]:
    """Metadata in which the metadata of each `Field(...)` replaces the `Field(...)` itself."""
    flat: list[Any] = []
    for item in metadata:
        flat += _flat(all_metadata(item)) if isinstance(item, FieldInfo) else [item]
    return flat


def all_metadata(info: FieldInfo) -> list[Any]:
    """The metadata of a field, with its discriminator, which Pydantic stores apart."""
    name = info.discriminator
    return [*info.metadata, pydantic.Discriminator(name) if isinstance(name, str) else name] if name else info.metadata


def _type(annotation: Any, metadata: list[Any], facts: Facts, embed: Embed) -> Type:
    try:
        kind = "string" if annotation in _of_networks("EmailStr") else _PLAIN.get(annotation)
    except TypeError:  # an annotation that cannot be hashed
        kind = None
    if kind:
        aware = {pydantic.AwareDatetime: True, pydantic.NaiveDatetime: False}.get(annotation)
        return Scalar(kind, facts=facts, is_aware=aware)
    origin, args = typing.get_origin(annotation) or annotation, typing.get_args(annotation)
    if origin is Literal:
        return _constants(args, facts)
    if origin is typing.Union:
        return union([_arm(arm, embed) for arm in args], discriminator_in(metadata), facts)
    if origin in _LISTS:
        element, nullable = logical(args[0] if args else Any, (), embed)
        return Many(_LISTS[origin], element, has_null_elements=nullable, facts=facts)
    if origin is tuple:
        return _tuple(args, facts, embed)
    if origin in (dict, Mapping, MutableMapping, defaultdict):
        return _map(args, facts, embed)
    if origin is Counter:
        return _map((args[0] if args else Any, int), facts, embed)
    if isinstance(annotation, type) and (type_of_class := _class(annotation, facts, embed)):
        return type_of_class
    name = getattr(annotation, "__name__", str(annotation))
    help = _WAYS_OUT.get(origin, "use a plain type, a list, a dict or a model")
    raise NoLogicalType(f'"{name}" cannot be stored', help)


def _arm(annotation: Any, embed: Embed) -> Arm:
    kind, _ = logical(annotation, (), embed)
    cls = _unwrap(annotation, [])[0]
    name = kind.name if isinstance(kind, Struct) else getattr(cls, "__name__", str(cls))
    return Arm(name, kind, isinstance(cls, type) and issubclass(cls, Enum))


def _class(cls: type, facts: Facts, embed: Embed) -> Type | None:
    if issubclass(cls, BaseModel) and cls.__pydantic_root_model__:  # an import of RootModel looks for plugins
        help = "annotate the type that the root model wraps"
        raise NoLogicalType(f'"{cls.__name__}" is a root model, which has no fields', help)
    if is_embeddable(cls):
        return embed(cls, facts)
    if issubclass(cls, dict) and hasattr(cls, "__total__"):
        help = f"write class {cls.__name__}(BaseModel):, or @dataclass above class {cls.__name__}:"
        raise NoLogicalType(f'"{cls.__name__}" is a TypedDict, whose values have no class', help)
    if issubclass(cls, Enum):
        return _constants(_values(cls), facts)
    if issubclass(cls, _CONVERTED) or any(base.__module__ == "pydantic.networks" for base in cls.__mro__):
        return Scalar("string", is_converted=True, facts=facts)
    if issubclass(cls, (pydantic.SecretStr, pydantic.SecretBytes)):
        problem = f'"{cls.__name__}" is masked when it is read, so its value would be lost'
        raise NoLogicalType(problem, "store a hash or a reference, as str")
    kinds = (kind for plain, kind in _PLAIN.items() if isinstance(plain, type) and issubclass(cls, plain))
    kind: ScalarKind = next(kinds, "json")
    if kind != "json" and not hasattr(cls, "__get_pydantic_core_schema__"):
        problem = f'"{cls.__name__}" takes only its own instances, and a store returns a plain {kind}'
        raise NoLogicalType(problem, "use the plain type, or give the class a __get_pydantic_core_schema__")
    return None if kind == "json" else Scalar(kind, facts=facts)


def _of_networks(*names: str) -> tuple[type, ...]:
    """Classes of Pydantic for addresses; none if no model has imported their module, whose import takes long."""
    networks = sys.modules.get("pydantic.networks")
    return tuple(getattr(networks, name) for name in names) if networks else ()


def _values(enum: type[Enum]) -> tuple[Any, ...]:
    """The values of an Enum; of a Flag, those of all combinations of its members."""
    if not issubclass(enum, Flag):
        return tuple(member.value for member in enum)
    if len(enum) > _MOST_FLAGS:
        problem = f'"{enum.__name__}" has {len(enum)} flags, whose combinations are too many for a validator'
        raise NoLogicalType(problem, "store a set of an Enum, or int")
    values = {0}
    for member in enum:
        values |= {value | int(member.value) for value in values}
    return tuple(sorted(values))


_MOST_FLAGS = 8


def _constants(values: tuple[Any, ...], facts: Facts) -> Scalar:
    kinds: dict[type, ScalarKind] = {str: "string", int: "integer", bool: "boolean"}
    classes = {type(value) for value in values}
    value_kinds: set[ScalarKind | None] = {kinds.get(value_class) for value_class in classes}
    kind = value_kinds.pop() if len(value_kinds) == 1 else None
    if kind is None:
        names = " and ".join(sorted(value_class.__name__ for value_class in classes)) or "none"
        problem = f"the values of an Enum or Literal must have one type, str, int or bool; the types here are {names}"
        raise NoLogicalType(problem, "write all values as text")
    constants: tuple[Constant, ...] = values
    return Scalar(kind, constants=constants, facts=facts)


def _tuple(args: tuple[Any, ...], facts: Facts, embed: Embed) -> Many | Tuple:
    if len(args) == 2 and args[1] is Ellipsis:
        element, nullable = logical(args[0], (), embed)
        return Many("list", element, has_null_elements=nullable, facts=facts)
    if not args or args == ((),):
        raise NoLogicalType("an empty tuple has no value to store", "name the types of its elements")
    lowered = [logical(arg, (), embed) for arg in args]
    element, is_nullable = lowered[0]
    if all(other == lowered[0] for other in lowered):
        count = len(lowered)
        return Many("list", element, count, count, has_null_elements=is_nullable, facts=facts, is_tuple=True)
    positions = tuple(position for position, (_, may_be_none) in enumerate(lowered) if may_be_none)
    return Tuple(tuple(type for type, _ in lowered), positions, facts)


def _map(args: tuple[Any, ...], facts: Facts, embed: Embed) -> Map | Scalar:
    if not args or args[1] is Any:
        return Scalar("json", facts=facts)
    key, may_be_none = logical(args[0], (), embed)
    if not isinstance(key, Scalar) or key.kind == "json":
        help = "use one type of single values, such as dict[str, ...] or dict[UUID, ...], or a list of models"
        raise NoLogicalType("the keys of a mapping are not single values", help)
    if may_be_none:
        raise NoLogicalType("a key of a mapping may be None", "remove None from the type of its keys")
    value, nullable = logical(args[1], (), embed)
    return Map(value, has_null_values=nullable, facts=facts, key=key)


def _bounded(scalar: Scalar, metadata: list[Any]) -> Scalar:
    """The scalar with the bounds in its metadata."""
    bounds: dict[str, Any] = {}
    for item in metadata:
        for part in item if isinstance(item, _GROUPS) else (item,):
            match part:
                case at.Ge(ge=low):
                    bounds.update(minimum=_bound(scalar, low))
                case at.Gt(gt=low):
                    bounds.update(minimum=_bound(scalar, low), excludes_minimum=True)
                case at.Le(le=high):
                    bounds.update(maximum=_bound(scalar, high))
                case at.Lt(lt=high):
                    bounds.update(maximum=_bound(scalar, high), excludes_maximum=True)
                case at.MinLen(min_length=low):
                    bounds.update(min_length=low)
                case at.MaxLen(max_length=high):
                    bounds.update(max_length=high)
                case _:
                    bounds.update(_pydantic_bounds(part))
    return replace(scalar, **bounds) if bounds else scalar


def _bound(scalar: Scalar, value: Any) -> Any:
    """The bound of a field. Pydantic accepts any value as a bound, and fails when it validates."""
    is_number = isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
    if scalar.kind in ("integer", "float", "decimal") and not is_number:
        raise NoLogicalType(f"the bound {value!r} of a number is not a number", "write a number, such as ge=7")
    return value


def _pydantic_bounds(part: Any) -> dict[str, Any]:
    """Bounds in metadata of Pydantic's own: attributes of an object, or keyword arguments of a constraint."""
    attributes = getattr(part, "__dict__", {})
    bounds = {
        key: attributes[key] for key in ("pattern", "max_digits", "decimal_places") if attributes.get(key) is not None
    }
    if "pattern" in bounds and not isinstance(bounds["pattern"], str):
        bounds["pattern"] = bounds["pattern"].pattern
    return bounds


def _lengths(metadata: list[Any]) -> tuple[int | None, int | None]:
    """(least, most) elements; None for no bound."""
    bounds = _bounded(Scalar("json"), metadata)
    return bounds.min_length, bounds.max_length
