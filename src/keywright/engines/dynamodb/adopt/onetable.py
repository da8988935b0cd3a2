"""Schemas of OneTable as JSON: models with value templates, and indexes.

Source: https://doc.onetable.io/api/table/schemas/, 2026-11-28.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.engines.contract.adoption import NotExpressed
from keywright.engines.contract.naming import class_name, field_name
from keywright.ir.attribute import Attribute, Many, Map, Scalar, ScalarKind, Type
from keywright.ir.entity import Entity
from keywright.ir.template import TemplateError
from keywright.record import replace

from ..schema.target import IndexTarget, KeyPart, TableTarget
from .data_model import declared
from .declared_keys import BadKey, Comments, keyed
from .entities import KeyedEntity
from .file_table import FileTable
from .key_template import escaped

_KINDS: Mapping[str, ScalarKind] = {
    "string": "string", "number": "decimal", "boolean": "boolean", "date": "integer", "binary": "bytes",
    "buffer": "bytes", "arraybuffer": "bytes",
}  # fmt: skip
"""Kinds by type; a date is stored in milliseconds since 1970."""

_VALUE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_TYPE_FIELD = "_type"
"""The attribute in which OneTable stores the model of an item."""


def is_onetable(document: Any) -> bool:
    """Whether a document is a schema of OneTable."""
    match document:
        case {"indexes": {"primary": {"hash": str()}}, "models": dict()}:
            return True
        case _:
            return False


def table_of_onetable(document: Mapping[str, Any], name: str, path: str) -> FileTable:
    """The table of a schema. name: of the table, which a schema does not name."""
    primary = document["indexes"]["primary"]
    indexes = {index: keys for index, keys in sorted(document["indexes"].items()) if index != "primary"}
    named = {attribute for model in document["models"].values() for attribute in model}
    used = [_index(index, keys) for index, keys in indexes.items() if {*_parts(keys)} <= named]
    target = TableTarget(name, 1, _keys(primary), tuple(used))
    unused = [NotExpressed(path, f'index "{index}" has the key of no model') for index in indexes if index not in
              {index.name for index in used}]  # fmt: skip
    models = document["models"].items()
    entities = [_entity(model, fields, target, document.get("params") or {}) for model, fields in models]
    return declared(target, entities, path, missing=unused, discriminator=None)


def _parts(keys: Mapping[str, Any]) -> list[str]:
    return [str(keys[part]) for part in ("hash", "sort") if keys.get(part)]


def _keys(keys: Mapping[str, Any]) -> tuple[KeyPart, ...]:
    hash_key, *sort = _parts(keys)
    return (KeyPart(hash_key, "S", "HASH"), *(KeyPart(name, "S", "RANGE") for name in sort))


def _index(name: str, keys: Mapping[str, Any]) -> IndexTarget:
    match keys.get("project", keys.get("projection")):
        case [*included]:
            return IndexTarget(name, _keys(keys), "INCLUDE", tuple(sorted(map(str, included))))
        case "keys" | "KEYS_ONLY":
            return IndexTarget(name, _keys(keys), "KEYS_ONLY")
        case _:
            return IndexTarget(name, _keys(keys), "ALL")


def _entity(
    model: str, fields: Mapping[str, Any], target: TableTarget, params: Mapping[str, Any]
) -> tuple[KeyedEntity, Comments]:
    """An entity with the templates that its fields fill; other keys are fields with the constant part as pattern."""
    kind_field = str(params.get("typeField", _TYPE_FIELD))
    kind = Attribute(field_name(kind_field), kind_field, kind_field, Scalar("string", constants=(model,)))
    own = tuple(part.attribute for part in target.keys)
    attributes = tuple(_attributes(fields, own))
    entity = Entity(class_name(model), "", "", (*attributes, kind))
    result, comments = KeyedEntity(entity, {}), Comments()
    for part in (*target.keys, *(part for index in target.indexes for part in index.keys)):
        text = str((fields.get(part.attribute) or {}).get("value", ""))
        if not text or part.attribute in result.templates:
            continue
        names = {attribute.stored: attribute.name for attribute in attributes}
        template = _template(text, names)
        others = tuple(field for field in result.entity.attributes if field.stored != part.attribute)
        try:
            filled, added = keyed(replace(result.entity, attributes=others), {part.attribute: template}, target)
            result, comments = replace(filled, templates={**result.templates, **filled.templates}), comments | added
        except (BadKey, TemplateError):
            result = replace(result, entity=_patterned(result.entity, part.attribute, text))
    return result, comments


def _template(text: str, names: Mapping[str, str]) -> str:
    """A value template with fields by their names in Python."""
    return _VALUE.sub(lambda match: f"{{{names.get(match[1], match[1])}}}", text)


def _attributes(fields: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[Attribute]:
    taken: set[str] = set()
    for stored, field in fields.items():
        name = field_name(stored, taken)
        taken.add(name)
        type = _type(str(field["type"]).lower())
        is_required = bool(field.get("required")) or stored in keys
        is_optional = not is_required and not isinstance(type, (Many, Map))
        yield Attribute(name, stored, stored, type, is_optional, is_required, is_optional)


def _type(name: str) -> Type:
    match name:
        case "array":
            return Many("list", Scalar("json"))
        case "set":
            return Many("set", Scalar("string"))
        case "object":
            return Map(Scalar("json"))
        case _:
            return Scalar(_KINDS.get(name, "json"))


def _patterned(entity: Entity, stored: str, text: str) -> Entity:
    """The entity whose key attribute is a field that begins with the constant part of its value."""
    head = text.partition("$")[0].partition("{")[0]
    if not head:
        return entity
    attributes = (
        replace(field, type=replace(field.type, pattern=f"^{escaped(head)}"))
        if field.stored == stored and isinstance(field.type, Scalar)
        else field
        for field in entity.attributes
    )
    return replace(entity, attributes=tuple(attributes))
