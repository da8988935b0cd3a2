"""Access patterns of a data model as patterns of entities."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from keywright.engines.contract.adoption import NotExpressed
from keywright.engines.contract.naming import field_name
from keywright.errors import NOWHERE
from keywright.ir.entity import Entity
from keywright.ir.pattern import Pattern
from keywright.ir.template import parse

from .entities import KeyedEntity

PAGE = 100
"""Items of a page, which a data model does not limit."""

_RANGES = {None: 0, "begins_with": 1, "between": 2, ">=": 1, "<=": 1, ">": 1, "<": 1}
"""Number of parameters of each condition on a sort key."""


_SORTED = re.compile(r"\b(?:sorted|ordered|order) by ([a-z_ ,]+)", re.IGNORECASE)
"""The order in the description of a query."""


class _NoPattern(Exception):
    """A pattern that is not declared; the text says why."""


def patterns_of(
    table: Mapping[str, Any], entities: Sequence[KeyedEntity], path: str
) -> tuple[tuple[Pattern, ...], list[NotExpressed]]:
    """(patterns of a table's entities, those that are not declared with their reasons)."""
    patterns: list[Pattern] = []
    missing: list[NotExpressed] = []
    for keyed, entity in zip(entities, table["entities"].values(), strict=True):
        for described in entity.get("access_patterns") or ():
            try:
                patterns.append(_pattern(described, keyed.entity, entity))
            except _NoPattern as reason:
                missing.append(NotExpressed(path, f'pattern "{described["name"]}": {reason}'))
    return tuple(patterns), missing


def _pattern(described: Mapping[str, Any], entity: Entity, keys: Mapping[str, Any]) -> Pattern:
    name, fields = field_name(str(described["name"])), {attribute.name for attribute in entity.attributes}
    parameters = [parameter for parameter in described["parameters"] if parameter["type"] != "entity"]
    names = [str(parameter["name"]) for parameter in parameters]
    key = _fields(keys.get("pk_template")) + _fields(keys.get("sk_template"))
    match described["operation"]:
        case "GetItem":
            _require(names, fields, key)
            strength: Any = "strong" if described.get("consistent_read") else "eventual"
            return Pattern(name, "get", "", entity.name, NOWHERE, eq=tuple(names), consistency=strength)
        case "PutItem" if any(written.get("entity_type") == entity.name for written in described["parameters"]):
            return Pattern(name, "put", "", entity.name, NOWHERE)
        case "UpdateItem":
            _require(names, fields, key)
            changed = tuple(path for path in names if path not in key)
            if not changed:
                raise _NoPattern("it names no field that it changes")
            return Pattern(name, "update", "", entity.name, NOWHERE, eq=tuple(dict.fromkeys(key)), sets=changed)
        case "Scan" if not names and not described.get("filter_expression") and not described.get("index_name"):
            return Pattern(name, "read", "", entity.name, NOWHERE, limit=PAGE, scans=True)
        case "Query":
            return _read(name, described, entity, keys, names)
        case other:
            raise _NoPattern(f"{other} with these parameters has no word")


def _read(
    name: str, described: Mapping[str, Any], entity: Entity, keys: Mapping[str, Any], names: list[str]
) -> Pattern:
    """A query by the key of the table or of an index; its last parameters are the bounds of a range."""
    owner = keys
    if index := described.get("index_name"):
        owner = next((mapping for mapping in keys.get("gsi_mappings") or () if mapping["name"] == index), {})
    condition = described.get("range_condition")
    if condition not in _RANGES or described.get("filter_expression"):
        raise _NoPattern("its filter has no word" if condition in _RANGES else f'"{condition}" is no condition')
    equal = names[: len(names) - _RANGES[condition]]
    partition = _fields(owner.get("pk_template"))
    _require(equal, {attribute.name for attribute in entity.attributes}, partition)
    behind = [path for path in _fields(owner.get("sk_template")) if path not in equal]
    ranged: dict[str, Any] = {}
    if condition is not None:
        if not behind:
            raise _NoPattern("its sort key has no field for the range")
        ranged = {"prefix" if condition == "begins_with" else "range": behind[0]}
    elif sorting := _SORTED.search(str(described.get("description", ""))):
        count = len(re.split(r",| and ", sorting[1].strip()))
        ranged = {"order": tuple(behind[:count])}
    return Pattern(name, "read", "", entity.name, NOWHERE, eq=tuple(equal), limit=PAGE, **ranged)


def _require(names: Sequence[str], fields: set[str], key: Sequence[str]) -> None:
    if unknown := [name for name in names if name not in fields]:
        raise _NoPattern(f'its parameter "{unknown[0]}" is no field')
    if absent := [path for path in key if path not in names]:
        raise _NoPattern(f'it does not give "{absent[0]}", which is part of the key')


def _fields(templates: Any) -> list[str]:
    """The fields of templates, in order."""
    texts = templates if isinstance(templates, list) else [templates] if templates else []
    return [placeholder.path for text in texts for placeholder in parse(text).placeholders]
