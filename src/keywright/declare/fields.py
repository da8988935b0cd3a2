"""Reads a model class: its store, its fields along a path, and annotations without their wrapping."""

import types
import typing
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any

from .store import Bound, Store

if TYPE_CHECKING:
    from pydantic import BaseModel

LISTS = (list, set, frozenset, tuple)
"""Origins of annotations that hold several values."""

_TIMES: dict[str, type] = {
    "AwareDatetime": datetime, "NaiveDatetime": datetime, "PastDatetime": datetime, "FutureDatetime": datetime,
    "PastDate": date, "FutureDate": date,
}  # fmt: skip
"""What Pydantic's own kinds of time are; they do not say so by inheritance."""


def is_model(kind: Any) -> bool:
    """Whether it is a Pydantic model class, told by what every one of them has."""
    return isinstance(kind, type) and hasattr(kind, "__pydantic_fields__")


def class_of(model: "type[BaseModel] | Bound[Any]") -> "type[BaseModel]":
    """The model class behind a class or a binding."""
    return model.model if isinstance(model, Bound) else model


def store_of(model: "type[BaseModel] | Bound[Any]") -> Store | None:
    """The store of the binding or on the class itself: a subclass does not inherit it, `Box[int]` has that of `Box`."""
    if isinstance(model, Bound):
        return model.store
    generic = getattr(model, "__pydantic_generic_metadata__", {}).get("origin")
    found = vars(generic or model).get("__store__")
    return found if isinstance(found, Store) else None


def resolve(model: "type[BaseModel] | Bound[Any]", path: str) -> Any:
    """The annotation at a dotted path, entering lists on the way; else KeyError(unknown part, known names).

    A class that is quoted and not defined yet gives Any: the load will know more.
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
            kind = kind.__value__
        elif getattr(kind, "__module__", "") == "pydantic.types":
            return _TIMES.get(getattr(kind, "__name__", ""), kind)
        else:
            return kind


def is_list(kind: Any) -> bool:
    """Whether the annotation is a list, a set or a tuple, or not known yet."""
    kind = bare(kind)
    return kind is Any or kind in LISTS or typing.get_origin(kind) in LISTS


def is_number(kind: Any) -> bool:
    """Whether the annotation is a number, or not known yet."""
    return _holds(kind, (int, float, Decimal)) and bare(kind) is not bool


def is_text(kind: Any) -> bool:
    """Whether the annotation is text, or not known yet."""
    return _holds(kind, (str,)) or str(getattr(bare(kind), "__module__", "")).startswith("pydantic.")


def _holds(kind: Any, classes: tuple[type, ...]) -> bool:
    """Whether all values of the annotation are of one of the classes, as far as it tells."""
    kind = bare(kind)
    if typing.get_origin(kind) is typing.Literal:
        return all(isinstance(value, classes) for value in typing.get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return all(isinstance(member.value, classes) for member in kind)
    return kind is Any or isinstance(kind, typing.TypeVar) or (isinstance(kind, type) and issubclass(kind, classes))


def _element(kind: Any) -> Any:
    """The bare annotation of a list's elements, or of the thing itself."""
    kind = bare(kind)
    return bare(typing.get_args(kind)[0]) if typing.get_origin(kind) in LISTS else kind


def embedded(kind: Any) -> "type[BaseModel] | None":
    """The model that an annotation embeds, alone or in a list."""
    inner = _element(kind)
    return inner if is_model(inner) else None


def _fields(kind: Any) -> dict[str, Any]:
    model = embedded(kind)
    return {name: info.annotation for name, info in model.model_fields.items()} if model else {}
