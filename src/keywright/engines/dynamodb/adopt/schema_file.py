"""Schema files as tables: CreateTable, DescribeTable, CloudFormation, NoSQL Workbench; all of them as JSON."""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from keywright.engines.contract.adoption import NotExpressed, Sample, Schema

from ..schema.target import IndexTarget, KeyPart, TableTarget
from .values import native_item

SUFFIXES = (".json",)
"""Suffixes of schema files."""

_RESOURCES = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable")


class _NoTable(Exception):
    """A definition that is incomplete; the text says what is missing."""


def read_schema(paths: Mapping[str, str]) -> Schema | None:
    """See `Adoption.read_schema`."""
    tables: dict[str, TableTarget] = {}
    samples: dict[str, Sample] = {}
    problems: list[NotExpressed] = []
    for path, text in paths.items():
        definitions = list(_definitions(_parsed(text), PurePath(path).stem))
        if not definitions:
            return None
        for definition in definitions:
            try:
                table = _table(definition)
            except (_NoTable, KeyError, TypeError, AttributeError) as error:
                reason = str(error) if isinstance(error, _NoTable) else f"{error} is missing or of another form"
                problems.append(NotExpressed(path, f"table not read: {reason}"))
                continue
            tables[table.name] = table
            samples[table.name] = _sample(definition)
    return Schema(tuple(tables.values()), samples, tuple(problems))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _definitions(document: Any, stem: str) -> Iterator[dict[str, Any]]:
    """The definitions of tables in a document, in the form of CreateTable or of Workbench.

    stem: the name of a table whose definition has none.
    """
    match document:
        case [*elements]:
            for element in elements:
                yield from _definitions(element, stem)
        case {"DataModel": [*models]}:
            yield from (model for model in models if isinstance(model, dict))
        case {"Table": dict() as table} | {"TableDescription": dict() as table}:
            yield table
        case {"Resources": dict() as resources}:
            yield from _resources(resources)
        case {"KeySchema": _, "AttributeDefinitions": _}:
            yield {"TableName": stem, **document}
        case _:
            pass


def _resources(resources: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, resource in resources.items():
        if isinstance(resource, dict) and resource.get("Type") in _RESOURCES:
            properties = resource.get("Properties") or {}
            yield {**properties, "TableName": _name(properties.get("TableName"), name)}


def _name(value: Any, logical_id: str) -> str:
    """The name of a table; the logical id if the template computes it."""
    return value if isinstance(value, str) else logical_id


def _table(definition: Mapping[str, Any]) -> TableTarget:
    ttl, stream = definition.get("TimeToLiveSpecification") or {}, definition.get("StreamSpecification") or {}
    return TableTarget(
        name=definition["TableName"],
        generation=1,
        keys=_keys(definition, definition),
        indexes=_indexes(definition, "GlobalSecondaryIndexes"),
        local_indexes=_indexes(definition, "LocalSecondaryIndexes"),
        ttl=ttl.get("AttributeName") if ttl.get("Enabled", True) else None,
        stream=stream.get("StreamViewType"),
    )


def _indexes(definition: Mapping[str, Any], kind: str) -> tuple[IndexTarget, ...]:
    indexes = sorted(definition.get(kind) or (), key=lambda index: str(index["IndexName"]))
    return tuple(_index(index, definition) for index in indexes)


def _index(index: Mapping[str, Any], definition: Mapping[str, Any]) -> IndexTarget:
    projection = index.get("Projection") or {}
    included = tuple(sorted(projection.get("NonKeyAttributes") or ()))
    kind = projection.get("ProjectionType", "ALL")
    return IndexTarget(index["IndexName"], _keys(index, definition), kind, included if kind == "INCLUDE" else ())


def _keys(owner: Mapping[str, Any], definition: Mapping[str, Any]) -> tuple[KeyPart, ...]:
    if "KeyAttributes" in owner:
        return tuple(_workbench_keys(owner["KeyAttributes"]))
    types = {part["AttributeName"]: part["AttributeType"] for part in definition.get("AttributeDefinitions") or ()}
    schema = owner.get("KeySchema") or ()
    absent = [part["AttributeName"] for part in schema if part["AttributeName"] not in types]
    if absent or not schema:
        raise _NoTable(f'"{absent[0]}" has no AttributeDefinitions' if absent else "it has no KeySchema")
    return tuple(KeyPart(part["AttributeName"], types[part["AttributeName"]], part["KeyType"]) for part in schema)


def _workbench_keys(attributes: Mapping[str, Any]) -> Iterator[KeyPart]:
    yield KeyPart(attributes["PartitionKey"]["AttributeName"], attributes["PartitionKey"]["AttributeType"], "HASH")
    if sort := attributes.get("SortKey"):
        yield KeyPart(sort["AttributeName"], sort["AttributeType"], "RANGE")


def _sample(definition: Mapping[str, Any]) -> Sample:
    """Sample data of Workbench, in native form; a facet is a kind of items."""
    facets = [("", definition), *((str(facet["FacetName"]), facet) for facet in definition.get("TableFacets") or ())]
    kinds, items = list[str](), list[Mapping[str, Any]]()
    for kind, owner in facets:
        data = (native_item(item) for item in owner.get("TableData") or () if isinstance(item, dict))
        own = [item for item in data if item not in items]
        items += own
        kinds += [kind] * len(own)
    return Sample(items, None, kinds if any(kinds) else ())
