"""Key templates of entities that a file declares, as keywright accepts them."""

from collections.abc import Mapping

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import Entity
from keywright.ir.template import Placeholder, parse
from keywright.record import replace

from ..schema.target import TableTarget
from .entities import KeyedEntity
from .unambiguous import narrowed

DIGITS = 15
"""Digits of a number in a sorted key, enough for milliseconds."""


class BadKey(Exception):
    """A key that the entity cannot have; the text says why."""


Comments = dict[tuple[str, str], str]
"""Comments by (class, field)."""


def keyed(entity: Entity, templates: Mapping[str, str], target: TableTarget) -> tuple[KeyedEntity, Comments]:
    """(entity with key templates, comments on what differs from the file); BadKey for keys of unknown fields.

    templates: by key attribute. Fields of the table's key become required, and numbers in sorted texts get zeros.
    """
    attributes, own, comments = entity.attributes, {part.attribute for part in target.keys}, Comments()
    texts: dict[str, str] = {}
    sorted_keys = {
        part.attribute for keys in (target.keys, *(index.keys for index in target.indexes)) for part in keys
        if part.role == "RANGE"
    }  # fmt: skip
    for attribute, text in templates.items():
        template = parse(text)
        for placeholder in template.placeholders:
            field = _field(attributes, placeholder, text, entity.name)
            if attribute in own and field.is_nullable:
                attributes = _replaced(attributes, _required(field))
                comments[entity.name, field.name] = "required, because it is part of the key"
            if attribute in sorted_keys and template.lone is None and _is_number(field):
                text = text.replace(f"{{{placeholder.path}}}", f"{{{placeholder.path}:pad({DIGITS})}}")
                comments[entity.name, field.name] = "with zeros in the key, where 10 would sort before 9"
        clear = narrowed(parse(text), attributes)
        if clear is None:
            raise BadKey(f'two items could share the key "{text}" of "{entity.name}"')
        attributes = clear
        if template.lone is None or template.lone.path != attribute:
            texts[attribute] = text
    return KeyedEntity(replace(entity, attributes=attributes), texts), comments


def _field(attributes: tuple[Attribute, ...], placeholder: Placeholder, text: str, owner: str) -> Attribute:
    for field in attributes:
        if field.name == placeholder.path:
            return field
    raise BadKey(f'the key "{text}" of "{owner}" has the unknown field "{placeholder.path}"')


def _is_number(field: Attribute) -> bool:
    return isinstance(field.type, Scalar) and field.type.kind == "integer"


def _required(field: Attribute) -> Attribute:
    return replace(field, is_nullable=False, is_required=True, is_none_by_default=False)


def _replaced(attributes: tuple[Attribute, ...], field: Attribute) -> tuple[Attribute, ...]:
    return tuple(field if other.name == field.name else other for other in attributes)
