"""The fields of dataclasses of the standard library and of named tuples, as Pydantic would describe them."""

import dataclasses
import typing
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo


@cache
def fields_of_record(kind: type) -> dict[str, FieldInfo]:
    """The fields of a class, by name."""
    return dict(_of_dataclass(kind) if dataclasses.is_dataclass(kind) else _of_named_tuple(kind))


def _of_dataclass(kind: Any) -> Iterator[tuple[str, FieldInfo]]:
    annotations = _annotations(kind)
    every: dict[str, dataclasses.Field[Any]] = kind.__dataclass_fields__  # with class variables and arguments alone
    fields = {field.name for field in dataclasses.fields(kind)}
    for name, field in every.items():
        annotation: Any = field.type
        if name not in fields:
            if _is_init_var(annotation):
                yield name, FieldInfo(annotation=getattr(annotation, "type", Any), init_var=True)
            continue
        default: Any = ... if field.default is dataclasses.MISSING else field.default
        if field.default_factory is not dataclasses.MISSING:
            default = Field(default_factory=field.default_factory)
        info = FieldInfo.from_annotated_attribute(annotations.get(name, annotation), default)
        info.init = field.init
        yield name, info


def _is_init_var(annotation: Any) -> bool:
    return isinstance(annotation, dataclasses.InitVar)


def _of_named_tuple(kind: Any) -> Iterator[tuple[str, FieldInfo]]:
    annotations = _annotations(kind)
    names: tuple[str, ...] = kind._fields
    for name in names:
        default = kind._field_defaults.get(name, ...)
        yield name, FieldInfo.from_annotated_attribute(annotations.get(name, Any), default)


def _annotations(kind: type) -> dict[str, Any]:
    """The annotations with their metadata; those with undefined names as they are written."""
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except NameError:
        return dict(kind.__annotations__)
