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
from keywright.record import Record

from .annotation import Embed, all_metadata, logical
from .facts import depth_of, field_facts_of
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
        self._structs: dict[type, _Fields] = {}
        self._reported: set[type] = set()
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
        return Entity(name, cls.__module__, doc, self._attributes(cls, _Outer((cls,))).attributes, _is_closed(cls))

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
        if cls not in self._reported:
            self._reported.add(cls)
            for form in forms_of(cls):
                at = field_place(cls, form.field) if form.field else class_place(cls)
                subject = f'field "{form.field}": ' if form.field else ""
                report(DeclarationError("E0204", f"{subject}{form.problem}", at, form.help, cls.__name__))

    def _attributes(self, cls: type, outer: "_Outer") -> "_Fields":
        """The attributes of a class, which is the last of these classes."""
        if cls in self._structs:
            return self._structs[cls]
        lowered, ends, is_recursive = list[ir.Attribute](), list[str](), False
        for name, info in fields_of(cls).items():
            try:
                attribute, is_inside_itself = self._attribute(cls, name, info, outer)
            except _LastLevel:
                ends.append(name)
                is_recursive = True
                continue
            is_recursive = is_recursive or is_inside_itself
            lowered += [attribute] if attribute is not None else []
        fields = _Fields(tuple(lowered), tuple(ends), is_recursive)
        if not is_recursive:  # the attributes of a model inside itself depend on the level
            self._structs[cls] = fields
        return fields

    def _attribute(self, cls: type, name: str, info: FieldInfo, outer: "_Outer") -> tuple[ir.Attribute | None, bool]:
        """(attribute or None after a report, whether it depends on the level); _LastLevel if it is empty there."""
        is_recursive = False
        depth = depth_of(info.metadata)

        def embed(inner: type, facts: ir.Facts) -> ir.Struct:
            nonlocal is_recursive
            level = outer.classes.count(inner)
            if depth is None and inner in outer.classes[outer.unbounded_from :]:
                problem = f'"{inner.__name__}" contains itself recursively'
                help = (
                    f"declare how deep, in Annotated[..., kw.Depth(3)] of {name}, or refer to the inner one by its key"
                )
                raise NoLogicalType(problem, help)
            if depth is not None and level > depth:
                if info.is_required():
                    problem = f'"{inner.__name__}" contains itself, and the last level has no value for the field'
                    raise NoLogicalType(problem, "give it a default, such as [] or None")
                raise _LastLevel
            if self._has_undefined_name(inner):
                raise AlreadyReported
            self._report_forms(inner)
            unbounded_from = outer.unbounded_from if depth is None else len(outer.classes)
            fields = self._attributes(inner, _Outer((*outer.classes, inner), unbounded_from))
            is_recursive = is_recursive or bool(level) or fields.is_recursive
            called = f"{inner.__name__}{level + 1}" if level else inner.__name__
            return ir.Struct(called, fields.attributes, facts, _is_closed(inner), fields.ends)

        attribute = self._lowered(cls, name, info, embed)
        if depth is not None and attribute is not None and not is_recursive:
            problem = "kw.Depth is of a field whose model contains itself"
            report(
                DeclarationError(
                    "E0201", f'field "{name}": {problem}', field_place(cls, name), "remove it", cls.__name__
                )
            )
        return attribute, is_recursive

    def _lowered(self, cls: type, name: str, info: FieldInfo, embed: Embed) -> ir.Attribute | None:
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


class _Fields(Record):
    """The fields of a class, lowered."""

    attributes: tuple[ir.Attribute, ...]
    """Its attributes."""
    ends: tuple[str, ...] = ()
    """Fields that are empty, because the class contains itself up to this level."""
    is_recursive: bool = False
    """Whether they depend on the level of a class inside itself."""


class _Outer(Record):
    """The classes around a field."""

    classes: tuple[type, ...]
    """From the entity to the class of the field."""
    unbounded_from: int = 0
    """The first of them that a field with `Depth` embeds, so that those before may be repeated."""


class _LastLevel(Exception):
    """The end of a model inside itself."""


def _is_closed(cls: type) -> bool:
    """Whether a model, or a dataclass of Pydantic, forbids fields that it does not declare."""
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    return bool(config.get("extra") == "forbid")
