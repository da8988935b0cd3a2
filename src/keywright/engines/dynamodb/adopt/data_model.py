"""Data models of the DynamoDB MCP server: tables, entities with key templates, and access patterns.

Source: https://github.com/awslabs/mcp, src/dynamodb-mcp-server, 2026-11-28.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.adoption import Adopted, NotExpressed
from keywright.engines.contract.naming import class_name, field_name
from keywright.engines.personal_fields import is_personal
from keywright.ir.attribute import Attribute, Facts, Many, Map, Scalar, ScalarKind, Type
from keywright.ir.entity import Entity
from keywright.ir.pattern import Pattern
from keywright.ir.template import TemplateError
from keywright.record import replace

from ..schema.target import IndexTarget, KeyPart, TableTarget
from .declarations import TableDeclarations
from .declared_keys import BadKey, Comments, keyed
from .entities import KeyedEntity
from .file_table import FileTable
from .model_patterns import patterns_of

_TYPES: Mapping[str, ScalarKind] = {
    "string": "string", "integer": "integer", "decimal": "decimal", "boolean": "boolean",
}  # fmt: skip
_NATIVE = {"integer": "N", "decimal": "N"}


def is_data_model(document: Any) -> bool:
    """Whether a document is a data model."""
    match document:
        case {"tables": [{"table_config": dict(), "entities": dict()}, *_]}:
            return True
        case _:
            return False


def tables_of_model(document: Mapping[str, Any], path: str) -> Iterator[FileTable]:
    """The tables of a data model with their entities; KeyError, TypeError or AttributeError for another form."""
    for table in document["tables"]:
        target = _target(table)
        try:
            entities = [_entity(name, entity, target) for name, entity in table["entities"].items()]
        except (BadKey, TemplateError) as error:
            yield FileTable(target, not_expressed=(NotExpressed(path, f"entities not read: {error}"),))
            continue
        patterns, missing = patterns_of(table, [entity for entity, _ in entities], path)
        yield declared(target, entities, path, patterns, missing)


def declared(
    target: TableTarget,
    entities: Sequence[tuple[KeyedEntity, Comments]],
    path: str,
    patterns: tuple[Pattern, ...] = (),
    missing: Sequence[NotExpressed] = (),
    discriminator: str | None = "entity_type",
) -> FileTable:
    """A table with the entities of its file, which are not used if they cannot share it.

    discriminator: the attribute with the class name of each item, if there are several entities.
    """
    comments = {key: text for _, texts in entities for key, text in texts.items()}
    declarations = TableDeclarations(target, discriminator if len(entities) > 1 else None)
    adopted = declarations.adopted([entity for entity, _ in entities], comments, patterns)
    if isinstance(adopted, Adopted):
        return FileTable(target, adopted=adopted, not_expressed=tuple(missing))
    return FileTable(target, not_expressed=(NotExpressed(path, f"entities not expressed: {adopted}"), *missing))


def _target(table: Mapping[str, Any]) -> TableTarget:
    config = table["table_config"]
    types = {
        field["name"]: _NATIVE.get(field["type"], "S")
        for entity in table["entities"].values()
        for field in entity["fields"]
    }
    types |= _computed(table, types)
    indexes = sorted(table.get("gsi_list") or (), key=lambda index: str(index["name"]))
    return TableTarget(config["table_name"], 1, _keys(config, types), tuple(_index(index, types) for index in indexes))


def _computed(table: Mapping[str, Any], types: Mapping[str, str]) -> dict[str, str]:
    """Native types of key attributes that a template fills with one number."""
    owners = {str(index["name"]): index for index in table.get("gsi_list") or ()} | {"": table["table_config"]}
    computed: dict[str, str] = {}
    for entity in table["entities"].values():
        for mapping in (entity, *(entity.get("gsi_mappings") or ())):
            owner = owners.get("" if mapping is entity else str(mapping["name"]), {})
            for part, text in (("partition_key", "pk_template"), ("sort_key", "sk_template")):
                for attribute, template in zip(listed(owner.get(part)), listed(mapping.get(text)), strict=False):
                    computed.setdefault(attribute, types.get(str(template).strip("{}"), "S"))
    return computed


def _index(index: Mapping[str, Any], types: Mapping[str, str]) -> IndexTarget:
    kind: Any
    kind, included = index.get("projection", "ALL"), tuple(sorted(index.get("included_attributes") or ()))
    kind = "INCLUDE" if included and "projection" not in index else kind
    return IndexTarget(index["name"], _keys(index, types), kind, included if kind == "INCLUDE" else ())


def _keys(owner: Mapping[str, Any], types: Mapping[str, str]) -> tuple[KeyPart, ...]:
    parts = ((owner["partition_key"], "HASH"), (owner.get("sort_key"), "RANGE"))
    return tuple(
        KeyPart(str(name), types.get(name, "S"), "HASH" if role == "HASH" else "RANGE")
        for names, role in parts
        for name in listed(names)
    )


def listed(names: Any) -> Sequence[str]:
    """Names of which there are none, one or several."""
    return [] if names is None else names if isinstance(names, list) else [names]


def _entity(name: str, entity: Mapping[str, Any], target: TableTarget) -> tuple[KeyedEntity, Comments]:
    templates = dict(_templates(entity, target))
    attributes = tuple(_personal(_attribute(field), name) for field in entity["fields"])
    return keyed(Entity(name if name.isidentifier() else class_name(name), "", "", attributes), templates, target)


def _templates(entity: Mapping[str, Any], target: TableTarget) -> Iterator[tuple[str, str]]:
    """Templates by key attribute."""
    texts = [("", entity)] + [(str(mapping["name"]), mapping) for mapping in entity.get("gsi_mappings") or ()]
    keys = {"": target.keys, **{index.name: index.keys for index in target.indexes}}
    for index, owner in texts:
        for role, argument in (("HASH", "pk_template"), ("RANGE", "sk_template")):
            attributes = [part.attribute for part in keys.get(index, ()) if part.role == role]
            yield from zip(attributes, listed(owner.get(argument)), strict=False)


def _attribute(field: Mapping[str, Any]) -> Attribute:
    name, is_required = str(field["name"]), bool(field["required"])
    type = _type(field)
    is_optional = not is_required and not isinstance(type, (Many, Map))
    return Attribute(field_name(name), name, name, type, is_optional, is_required, is_optional)


def _personal(attribute: Attribute, owner: str) -> Attribute:
    """The field, marked if its name says that it is personal."""
    name, type = attribute.name, attribute.type
    if not isinstance(type, Scalar) or not is_personal(owner, name, name, type.kind):
        return attribute
    return replace(attribute, type=replace(type, facts=Facts(is_personal=True)))


def _type(field: Mapping[str, Any]) -> Type:
    match field["type"]:
        case "array":
            return Many("list", Scalar(_TYPES.get(str(field.get("item_type")), "json")))
        case "object":
            return Map(Scalar("json"))
        case kind:
            return Scalar(_TYPES[kind])
