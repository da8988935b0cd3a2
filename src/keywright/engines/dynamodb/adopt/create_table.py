"""Tables in the form of CreateTable, and of NoSQL Workbench."""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.engines.contract.adoption import Sample

from ..schema.target import IndexTarget, KeyPart, TableTarget
from .values import native_item


class NoTable(Exception):
    """A definition that is incomplete; the text says what is missing."""


def table_of(definition: Mapping[str, Any]) -> TableTarget:
    """The table of a definition; NoTable, KeyError, TypeError or AttributeError if it is incomplete."""
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
        raise NoTable("an attribute of its KeySchema has a name that the template computes")
    absent = [part["AttributeName"] for part in schema if part["AttributeName"] not in types]
    if absent or not schema:
        raise NoTable(f'"{absent[0]}" has no AttributeDefinitions' if absent else "it has no KeySchema")
    return tuple(KeyPart(part["AttributeName"], types[part["AttributeName"]], part["KeyType"]) for part in schema)


def _workbench_keys(attributes: Mapping[str, Any]) -> Iterator[KeyPart]:
    yield KeyPart(attributes["PartitionKey"]["AttributeName"], attributes["PartitionKey"]["AttributeType"], "HASH")
    if sort := attributes.get("SortKey"):
        yield KeyPart(sort["AttributeName"], sort["AttributeType"], "RANGE")


def sample_of(definition: Mapping[str, Any]) -> Sample:
    """Sample data of Workbench, in native form; a facet is a kind of items."""
    facets = [("", definition), *((str(facet["FacetName"]), facet) for facet in definition.get("TableFacets") or ())]
    kinds, items = list[str](), list[Mapping[str, Any]]()
    for kind, owner in facets:
        data = (native_item(item) for item in owner.get("TableData") or () if isinstance(item, dict))
        own = [item for item in data if item not in items]
        items += own
        kinds += [kind] * len(own)
    return Sample(items, kinds=kinds if any(kinds) else ())
