"""Reads a model class: its store, its fields along a path, and its annotations without wrappers."""

import types
import typing
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any

from keywright.errors import did_you_mean

from .store import Bound, Store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

LISTS = (list, set, frozenset, tuple)
"""Origins of annotations with several values."""

_TIMES: dict[str, type] = {
    "AwareDatetime": datetime, "NaiveDatetime": datetime, "PastDatetime": datetime, "FutureDatetime": datetime,
    "PastDate": date, "FutureDate": date,
}  # fmt: skip
"""The plain types of Pydantic's own date types, which do not inherit from them."""


def is_model(kind: Any) -> bool:
    """Whether an object is a Pydantic model class, recognised by the attributes of every model."""
    return is_embeddable(kind) and hasattr(kind, "model_fields")


def is_embeddable(kind: Any) -> bool:
    """Whether a class can be embedded in a field: a Pydantic model, a dataclass, or a named tuple."""
    return isinstance(kind, type) and (hasattr(kind, "__pydantic_fields__") or is_plain_record(kind))


def is_plain_record(kind: Any) -> bool:
    """Whether a class is a dataclass of the standard library or a named tuple."""
    return hasattr(kind, "__dataclass_fields__") or (tuple in kind.__mro__ and hasattr(kind, "_fields"))


def fields_of(kind: Any) -> "dict[str, FieldInfo]":
    """The fields of an embeddable class, by name."""
    fields: dict[str, FieldInfo] | None = getattr(kind, "__pydantic_fields__", None)
    if fields is None:
        from .plain_records import fields_of_record

        return fields_of_record(kind)
    return fields


def class_of(model: "type[BaseModel] | Bound[Any]") -> "type[BaseModel]":
    """The model class behind a class or a binding."""
    return model.model if isinstance(model, Bound) else model


def store_of(model: "type[BaseModel] | Bound[Any]") -> Store | None:
    """The store of a binding or class. A subclass does not inherit it, but `Box[int]` has the store of `Box`."""
    if isinstance(model, Bound):
        return model.store
    generic = getattr(model, "__pydantic_generic_metadata__", {}).get("origin")
    store = vars(generic or model).get("__store__")
    return store if isinstance(store, Store) else None


def resolve(model: "type[BaseModel] | Bound[Any]", path: str) -> Any:
    """The annotation at a dotted path, through lists; raises KeyError(unknown part, known names).

    Returns Any for a quoted class that is not defined yet: it is checked when the project is loaded.
    """
    cls, store = class_of(model), store_of(model)
    computed = list(store.computed) if store and not store.is_incomplete else []
    if path in computed:
        return str
    if (field := cls.model_fields.get(path)) is not None:
        return field.annotation
    kind: Any = cls
    for part in path.split("."):
        if isinstance(_element(kind), (str, typing.ForwardRef)):
            return Any
        fields = _fields(kind)
        if part not in fields:
            raise KeyError(part, [*fields, *(computed if kind is cls else ())])
        kind = fields[part]
    return kind


def field_help(name: str, names: "Iterable[str]") -> str:
    """The help line for an unknown field name, also for names in the notation of CQL, SQL or Django."""
    names = list(names)
    plain, word = name.strip("{}"), name.split()[0] if name.split() else ""
    if plain != name and plain in names:
        return f'write it without braces: "{plain}"'
    if word != name and word in names:
        return f'write "-{word}"' if name.lower().endswith("desc") else f'write "{word}"'
    field, sign, _ = name.partition("__")
    if sign and field in names:
        return f'write the field alone, and the condition as its value: where={{"{field}": kw.AtLeast(...)}}'
    return did_you_mean(name, names)


def bare(kind: Any) -> Any:
    """The annotation without `| None`, `Annotated`, `NewType` and type aliases."""
    while True:
        if typing.get_origin(kind) is typing.Annotated:
            kind = typing.get_args(kind)[0]
        elif typing.get_origin(kind) in (typing.Union, types.UnionType):
            arms = [arm for arm in typing.get_args(kind) if arm is not type(None)]
            if len(arms) != 1:
                return kind
            kind = arms[0]
        elif isinstance(kind, typing.NewType):
            kind = kind.__supertype__
        elif hasattr(kind, "__value__"):
            arguments = typing.get_args(kind)
            kind = kind.__value__[arguments] if arguments else kind.__value__
        elif getattr(kind, "__module__", "") == "pydantic.types":
            return _TIMES.get(getattr(kind, "__name__", ""), kind)
        else:
            return kind


def is_list(kind: Any) -> bool:
    """Whether the annotation is a list, a set or a tuple, or not defined yet."""
    kind = bare(kind)
    return kind is Any or kind in LISTS or typing.get_origin(kind) in LISTS


def is_number(kind: Any) -> bool:
    """Whether the annotation is a number, or not defined yet."""
    return _has_only(kind, (int, float, Decimal)) and bare(kind) is not bool


def is_moment(kind: Any) -> bool:
    """Whether the annotation is a datetime, or not defined yet."""
    return _has_only(kind, (datetime,))


def is_text(kind: Any) -> bool:
    """Whether the annotation is text, or not defined yet."""
    return _has_only(kind, (str,)) or str(getattr(bare(kind), "__module__", "")).startswith("pydantic.")


def _has_only(kind: Any, classes: tuple[type, ...]) -> bool:
    """Whether all values of the annotation are instances of the classes, or the annotation is undecided."""
    kind = bare(kind)
    if typing.get_origin(kind) is typing.Literal:
        return all(isinstance(value, classes) for value in typing.get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return all(isinstance(member.value, classes) for member in kind)
    return kind is Any or isinstance(kind, typing.TypeVar) or (isinstance(kind, type) and issubclass(kind, classes))


def _element(kind: Any) -> Any:
    """The bare annotation of a list's elements, or of the annotation itself."""
    kind = bare(kind)
    arguments = typing.get_args(kind) if typing.get_origin(kind) in LISTS else ()
    return bare(arguments[0]) if arguments else kind


def embedded(kind: Any) -> tuple[type, ...]:
    """The model or dataclass that an annotation embeds, alone or in a list; several for a union."""
    inner = _element(kind)
    if typing.get_origin(inner) in (typing.Union, types.UnionType):
        return tuple(dict.fromkeys(part for arm in typing.get_args(inner) for part in embedded(arm)))
    return (inner,) if is_embeddable(inner) else ()


def _fields(kind: Any) -> dict[str, Any]:
    """The fields of an embedded model; of a union, those that every member has."""
    parts = embedded(kind)
    if not parts:
        return {}
    names = (name for name in fields_of(parts[0]) if all(name in fields_of(part) for part in parts[1:]))
    return {name: fields_of(parts[0])[name].annotation for name in names}
