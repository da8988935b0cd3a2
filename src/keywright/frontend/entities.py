"""Model classes into entities."""

import sys
from collections.abc import Hashable

from pydantic import BaseModel, PydanticUndefinedAnnotation
from pydantic.fields import FieldInfo

from keywright.declare.locate import class_place, field_place
from keywright.errors import DeclarationError, did_you_mean, report
from keywright.ir import attribute as ir
from keywright.ir.entity import Entity
from keywright.ir.entity import element as ir_element

from .annotation import Embed, NoLogicalType, logical
from .facts import field_facts_of


def _missing_name(cls: type[BaseModel]) -> str:
    """The name in an annotation that leads nowhere; empty once all are found."""
    try:
        cls.model_rebuild()
    except PydanticUndefinedAnnotation as error:
        return error.name or "?"
    return ""


class Entities:
    """Lowers each class once, embedded models included."""

    def __init__(self) -> None:
        self._entities: dict[type[BaseModel], Entity | None] = {}
        self._by_name: dict[str, type[BaseModel]] = {}
        self._structs: dict[type[BaseModel], tuple[ir.Attribute, ...]] = {}
        self._types: dict[Hashable, tuple[ir.Type, bool]] = {}

    @property
    def found(self) -> tuple[Entity, ...]:
        """All entities lowered so far, in the order in which they were asked for."""
        return tuple(entity for entity in self._entities.values() if entity is not None)

    def lower(self, cls: type[BaseModel]) -> Entity | None:
        """The entity of a class; None, after a report, if its annotations cannot be completed."""
        if cls not in self._entities:
            self._entities[cls] = self._lower(cls)
        return self._entities[cls]

    def _lower(self, cls: type[BaseModel]) -> Entity | None:
        name = cls.__name__
        if (twin := self._by_name.setdefault(name, cls)) is not cls:
            problem = f'a second model is called "{name}", the first is in "{twin.__module__}"'
            report(DeclarationError("E0105", problem, class_place(cls), "give one of them another name", name))
            return None
        if not cls.__pydantic_fields_complete__ and (missing := _missing_name(cls)):
            field = next((field for field, info in cls.model_fields.items() if missing in str(info.annotation)), "")
            problem = f'field "{field}" is annotated with the unknown name "{missing}"'
            known = [word for word, value in vars(sys.modules[cls.__module__]).items() if isinstance(value, type)]
            help = f'define or import "{missing}" in this file; {did_you_mean(missing, known)}'
            report(DeclarationError("E0111", problem, field_place(cls, field), help, name))
            return None
        doc = (cls.__doc__ or "").strip().partition("\n")[0]
        return Entity(name, cls.__module__, doc, self._attributes(cls, (cls,)))

    def _attributes(self, cls: type[BaseModel], outer: tuple[type[BaseModel], ...]) -> tuple[ir.Attribute, ...]:
        if cls not in self._structs:
            lowered = [self._attribute(cls, name, info, outer) for name, info in cls.model_fields.items()]
            self._structs[cls] = tuple(attribute for attribute in lowered if attribute is not None)
        return self._structs[cls]

    def _attribute(
        self, cls: type[BaseModel], name: str, info: FieldInfo, outer: tuple[type[BaseModel], ...]
    ) -> ir.Attribute | None:
        def embed(inner: type[BaseModel], facts: ir.Facts) -> ir.Struct:
            if inner in outer:
                problem = f'"{inner.__name__}" holds itself without end'
                raise NoLogicalType(problem, "refer to the inner one by its key, and store it by itself")
            return ir.Struct(inner.__name__, self._attributes(inner, (*outer, inner)), facts)

        if info.exclude:
            return None
        try:
            kind, nullable = self._logical(info, embed)
        except NoLogicalType as error:
            report(
                DeclarationError("E0204", f'field "{name}": {error}', field_place(cls, name), error.help, cls.__name__)
            )
            return None
        stored = info.serialization_alias or info.alias or name
        known = field_facts_of(info.metadata)
        given = info.validation_alias if isinstance(info.validation_alias, str) else info.alias or name
        return ir.Attribute(name, stored, given, kind, nullable, info.is_required(), **known)  # type: ignore[arg-type]

    def _logical(self, info: FieldInfo, embed: Embed) -> tuple[ir.Type, bool]:
        """The type of a field; fields of the same annotation and metadata, of which a project has many, share it."""
        try:
            key: Hashable = (info.annotation, *info.metadata)
            known = self._types.get(key)
        except TypeError:  # metadata that cannot be hashed
            return logical(info.annotation, info.metadata, embed)
        if known is None:
            known = logical(info.annotation, info.metadata, embed)
            if not isinstance(ir_element(known[0]), ir.Struct):  # whether a model holds itself depends on who asks
                self._types[key] = known
        return known
