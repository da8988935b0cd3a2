"""Schema files as tables: CreateTable, DescribeTable, templates, states and NoSQL Workbench models; all as JSON."""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from keywright.engines.contract.adoption import NotExpressed, Sample, Schema

from ..schema.target import IndexTarget, KeyPart, TableTarget
from .cloudformation import is_template, tables_in_template
from .states import is_state, tables_in_state
from .values import native_item

SUFFIXES = (".json", ".yaml", ".yml", ".tfstate")
"""Suffixes of schema files."""

FILES = (
    "CreateTable or DescribeTable JSON", "CloudFormation or SAM template", "Terraform or Pulumi state as JSON",
    "NoSQL Workbench model",
)  # fmt: skip
"""Kinds of schema files."""


class _NoTable(Exception):
    """A definition that is incomplete; the text says what is missing."""


def read_schema(paths: Mapping[str, str]) -> Schema | None:
    """See `Adoption.read_schema`."""
    tables: dict[str, TableTarget] = {}
    samples: dict[str, Sample] = {}
    problems: list[NotExpressed] = []
    for path, text in paths.items():
        try:
            definitions = _definitions(_parsed(text), PurePath(path).stem)
        except (KeyError, TypeError, AttributeError) as error:
            problems.append(NotExpressed(path, f"not read: {error} is missing or of another form"))
            continue
        if definitions is None:
            return None
        if not definitions:
            problems.append(NotExpressed(path, "it has no DynamoDB table"))
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


def _definitions(document: Any, stem: str) -> list[dict[str, Any]] | None:
    """The definitions of tables in a document, in the form of CreateTable or of Workbench; None for other documents.

    stem: the name of a table whose definition has none.
    """
    match document:
        case [*elements]:
            parts = [_definitions(element, stem) for element in elements]
            return [definition for part in parts for definition in part or ()] if any(parts) else None
        case {"DataModel": [*models]}:
            return [model for model in models if isinstance(model, dict)]
        case {"Table": dict() as table} | {"TableDescription": dict() as table}:
            return [table]
        case {"KeySchema": _, "AttributeDefinitions": _}:
            return [{"TableName": stem, **document}]
        case dict() if is_template(document):
            return list(tables_in_template(document))
        case dict() if is_state(document):
            return list(tables_in_state(document))
        case _:
            return None


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
    definitions = definition.get("AttributeDefinitions") or ()
    types = {str(part["AttributeName"]): part["AttributeType"] for part in definitions}
    schema = owner.get("KeySchema") or ()
    if not all(isinstance(part["AttributeName"], str) for part in schema):
        raise _NoTable("an attribute of its KeySchema has a name that the template computes")
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
