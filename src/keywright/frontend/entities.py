"""Translates model classes into entities."""

import sys
from collections.abc import Hashable
from typing import Any

from pydantic import BaseModel, PydanticUndefinedAnnotation
from pydantic.dataclasses import rebuild_dataclass
from pydantic.fields import FieldInfo

from keywright.declare.fields import fields_of
from keywright.declare.locate import class_place, field_place
from keywright.errors import DeclarationError, did_you_mean, report
from keywright.ir import attribute as ir
from keywright.ir.entity import Entity
from keywright.ir.entity import element as ir_element

from .annotation import Embed, all_metadata, logical
from .facts import field_facts_of
from .no_logical_type import AlreadyReported, NoLogicalType
from .unreadable import forms_of, input_name


def _missing_name(cls: Any) -> str:
    """The first undefined name in the annotations; empty if all names are defined."""
    is_complete = "__pydantic_fields_complete__" if issubclass(cls, BaseModel) else "__pydantic_complete__"
    if getattr(cls, is_complete, True):
        return ""
    try:
        if issubclass(cls, BaseModel):
            cls.model_rebuild()
        else:
            rebuild_dataclass(cls)
    except PydanticUndefinedAnnotation as error:
        return error.name or "?"
    return ""


class Entities:
    """Lowers each class once, embedded models included."""

    def __init__(self) -> None:
        self._entities: dict[type[BaseModel], Entity | None] = {}
        self._by_name: dict[str, type[BaseModel]] = {}
        self._structs: dict[type, tuple[ir.Attribute, ...]] = {}
        self._types: dict[Hashable, tuple[ir.Type, bool]] = {}

    @property
    def lowered(self) -> tuple[Entity, ...]:
        """All entities lowered so far, in order of their first use."""
        return tuple(entity for entity in self._entities.values() if entity is not None)

    def lower(self, cls: type[BaseModel]) -> Entity | None:
        """The entity of a class; None, after a report, if its annotations cannot be completed."""
        if cls not in self._entities:
            self._entities[cls] = self._lower(cls)
        return self._entities[cls]

    def _lower(self, cls: type[BaseModel]) -> Entity | None:
        name = cls.__name__
        if (twin := self._by_name.setdefault(name, cls)) is not cls:
            first = f'line {class_place(twin).line} of "{twin.__module__}"'
            problem = f'a second model is called "{name}", the first is in {first}'
            report(DeclarationError("E0105", problem, class_place(cls), "give one of them another name", name))
            return None
        if self._has_undefined_name(cls):
            return None
        self._report_forms(cls)
        doc = (cls.__doc__ or "").strip().partition("\n")[0]
        return Entity(name, cls.__module__, doc, self._attributes(cls, (cls,)), _is_closed(cls))

    def _has_undefined_name(self, cls: type) -> bool:
        """Whether an annotation contains an undefined name, which is reported; classes further down the file count."""
        missing = _missing_name(cls)
        if missing:
            fields = fields_of(cls).items()
            field = next((field for field, info in fields if missing in str(info.annotation)), "")
            problem = f'field "{field}" is annotated with the unknown name "{missing}"'
            words = [word for word, value in vars(sys.modules[cls.__module__]).items() if isinstance(value, type)]
            help = f'define or import "{missing}" in this file; {did_you_mean(missing, words)}'
            report(DeclarationError("E0111", problem, field_place(cls, field), help, cls.__name__))
        return bool(missing)

    def _report_forms(self, cls: type) -> None:
        """Report what loses or changes stored values, once for each class."""
        if cls not in self._structs:
            for form in forms_of(cls):
                at = field_place(cls, form.field) if form.field else class_place(cls)
                subject = f'field "{form.field}": ' if form.field else ""
                report(DeclarationError("E0204", f"{subject}{form.problem}", at, form.help, cls.__name__))

    def _attributes(self, cls: type, outer: tuple[type, ...]) -> tuple[ir.Attribute, ...]:
        if cls not in self._structs:
            lowered = [self._attribute(cls, name, info, outer) for name, info in fields_of(cls).items()]
            self._structs[cls] = tuple(attribute for attribute in lowered if attribute is not None)
        return self._structs[cls]

    def _attribute(self, cls: type, name: str, info: FieldInfo, outer: tuple[type, ...]) -> ir.Attribute | None:
        def embed(inner: type, facts: ir.Facts) -> ir.Struct:
            if inner in outer:
                problem = f'"{inner.__name__}" contains itself recursively'
                raise NoLogicalType(problem, "store the inner model separately, and refer to it by its key")
            if self._has_undefined_name(inner):
                raise AlreadyReported
            self._report_forms(inner)
            return ir.Struct(inner.__name__, self._attributes(inner, (*outer, inner)), facts, _is_closed(inner))

        if info.exclude:
            return None
        try:
            if info.init is False or info.init_var:
                problem = "a field that the constructor does not accept cannot be read back"
                raise NoLogicalType(problem, "remove init=False or InitVar, or set exclude=True on the field")
            kind, nullable = self._logical(info, embed)
        except AlreadyReported:
            return None
        except NoLogicalType as error:
            report(
                DeclarationError(
                    error.code, f'field "{name}": {error}', field_place(cls, name), error.help, cls.__name__
                )
            )
            return None
        stored = info.serialization_alias or info.alias or name
        field_facts = field_facts_of(info.metadata)
        required, by_none = info.is_required(), info.default is None and info.default_factory is None
        return ir.Attribute(name, stored, input_name(name, info), kind, nullable, required, by_none, **field_facts)  # type: ignore[arg-type]

    def _logical(self, info: FieldInfo, embed: Embed) -> tuple[ir.Type, bool]:
        """The type of a field, shared by the many fields of a project with the same annotation and metadata."""
        metadata = all_metadata(info)
        try:
            key: Hashable = (info.annotation, *metadata)
            type_and_nullable = self._types.get(key)
        except TypeError:  # metadata that cannot be hashed
            return logical(info.annotation, metadata, embed)
        if type_and_nullable is None:
            type_and_nullable = logical(info.annotation, metadata, embed)
            # Whether a model is recursive depends on the outer classes.
            if not isinstance(ir_element(type_and_nullable[0]), ir.Struct):
                self._types[key] = type_and_nullable
        return type_and_nullable


def _is_closed(cls: type) -> bool:
    """Whether a model, or a dataclass of Pydantic, forbids fields that it does not declare."""
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    return bool(config.get("extra") == "forbid")
