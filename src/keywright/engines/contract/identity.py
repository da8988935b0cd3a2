"""The part of a description that identifies the stored items of each entity."""

import re
from collections.abc import Mapping
from typing import Any

from keywright.ir.json import Json

from .change import AlterEntity
from .classes import Class, Rows, row_of

_COMPUTED = re.compile(r'computed\["(.+)"\]\Z')
_GENERATION = re.compile(r"[-_]k\d+\Z")
_TABLES = ("collections", "tables")
_FIXED = ("keys", "local_indexes")
"""Native parts that are compared as well, because Pulumi's AWS provider replaces a table for them. The other native
keys are compared with the live store when a step changes them."""


def key_columns(description: Mapping[str, Any], entity: str) -> frozenset[str]:
    """Stored names of the key columns of an entity's table; empty if the key has no columns."""
    native, home = description["native"], description["shape"][entity]["key"].get("table")
    tables = [table for name, table in native.get("tables", {}).items() if _GENERATION.sub("", name) == home]
    columns = [*native.get("keys", ())]
    columns += (part for table in tables for word in ("partition", "clustering") for part in table.get(word, ()))
    return frozenset(part[0] for part in columns)


def computed_column(argument: str) -> str:
    """The column that a key argument such as `computed["day"]` fills; empty for other arguments."""
    match = _COMPUTED.match(argument)
    return match[1] if match else ""


def is_identifying(argument: str, columns: frozenset[str]) -> bool:
    """Whether a key argument determines the key of an item, rather than its index or collection.

    columns: see `key_columns`.
    """
    if argument.startswith("gsi ") or argument in ("collection", "table"):
        return False
    column = computed_column(argument)
    return not column or column in columns


def identity(classes: Rows, description: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a description that identifies items, in the form of a description.

    classes: those of the engine. Tables and collections remain by name only, so that a new generation is visible.
    """
    native = description["native"]
    fixed: dict[str, Json] = {word: native[word] for word in _FIXED if word in native}
    fixed |= {word: {name: {} for name in native[word]} for word in _TABLES if word in native}
    entities = {name: _entity(classes, description, name) for name in description["shape"]}
    return {"generation": description["generation"], "native": fixed, "shape": entities}


def _entity(classes: Rows, description: Mapping[str, Any], name: str) -> dict[str, Json]:
    entity, columns = description["shape"][name], key_columns(description, name)
    identifying: dict[str, Json] = {
        "key": {argument: text for argument, text in entity["key"].items() if is_identifying(argument, columns)},
        "fields": {path: field for path, field in entity["fields"].items() if field.get("stored", path) == "_id"},
    }
    if "mark" in entity:
        identifying["mark"] = entity["mark"]
    if "structure" in entity:
        identifying["structure"] = _structure(classes, name, entity["structure"])
    return identifying


def _structure(classes: Rows, entity: str, structure: Mapping[str, Json]) -> dict[str, Json]:
    """The options of a structure that cannot change in place."""

    def is_fixed(option: str) -> bool:
        path = ("", "shape", entity, "structure")
        change = AlterEntity("", path, dict(structure), {**structure, option: None})
        return Class.REBUILD.value in row_of(classes, change).classes

    return {option: value for option, value in structure.items() if is_fixed(option)}


def formerly(
    description: Mapping[str, Any], former: Mapping[str, Any], names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """A description with the identity of its items taken from a former one.

    former: a result of `identity`. names: former names of renamed entities.
    """
    native = {word: value for word, value in description["native"].items() if word not in _FIXED}
    native |= {word: former["native"][word] for word in _FIXED if word in former["native"]}
    for word in _TABLES:
        if word in native:
            native[word] = {name: native[word][name] for name in former["native"].get(word, {}) if name in native[word]}
    shape: dict[str, Any] = {}
    for name, entity in description["shape"].items():
        former_name = name if name in former["shape"] else (names or {}).get(name, name)
        if former_name in former["shape"]:
            shape[former_name] = _formerly(entity, former["shape"][former_name], key_columns(description, name))
    return {**description, "generation": former["generation"], "native": native, "shape": shape}


def _formerly(entity: Mapping[str, Any], former: Mapping[str, Any], columns: frozenset[str]) -> dict[str, Any]:
    merged = {word: value for word, value in entity.items() if word != "mark"} | (
        {"mark": former["mark"]} if "mark" in former else {}
    )
    key = {argument: text for argument, text in entity["key"].items() if not is_identifying(argument, columns)}
    fields = {path: field for path, field in entity["fields"].items() if field.get("stored", path) != "_id"}
    merged |= {"key": {**key, **former["key"]}, "fields": {**fields, **former["fields"]}}
    if "structure" in former:
        merged["structure"] = {**entity.get("structure", {}), **former["structure"]}
    return merged
