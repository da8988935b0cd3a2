"""Tables to and from the inputs of Pulumi's `aws:dynamodb/table:Table`, as plain data.

Names are those of the provider's schema, in camel case; numbers may come back as floats, as the engine sends them.
Source: https://www.pulumi.com/registry/packages/aws/api-docs/dynamodb/table/, 2026-11-22.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.engines.contract.resource import StackResource
from keywright.ir.json import Json

from . import replicas
from .companion_resources import with_companions
from .place import GENERATION
from .target import IndexTarget, KeyPart, Placement, TableTarget

TABLE = "aws:dynamodb/table:Table"
"""The type of the resource."""

TIMEOUT = "4h"
"""Timeout of one change: an index of a large table is built for hours."""


def to_resource(table: TableTarget, order: Sequence[str] = ()) -> dict[str, Json]:
    """Inputs of a placed table's resource.

    order: names of global indexes in the order of their creation. The provider compares indexes by position, so that a
    new index in the middle would change all that follow it; indexes not named here are last, sorted by name.
    """
    inputs: dict[str, Json] = {
        "name": table.name,
        "attributes": _attributes(table),
        **{_KEYS[part.role]: part.attribute for part in table.keys},
    }
    if table.local_indexes:
        inputs["localSecondaryIndexes"] = [_local(index) for index in table.local_indexes]
    if table.indexes:
        capacity = _capacity(table.placement)
        inputs["globalSecondaryIndexes"] = [_global(index) | capacity for index in ordered(table.indexes, order)]
    if table.ttl:
        inputs["ttl"] = {"attributeName": table.ttl, "enabled": True}
    if stream := _stream(table):
        inputs |= {"streamEnabled": True, "streamViewType": stream}
    return inputs | (_settings(table.placement) if table.placement else {})


def options(table: TableTarget) -> dict[str, Json]:
    """Options of a placed table's resource, in camel case.

    A protected table has two flags: Pulumi's flag stops a replacement in the preview, and the service's flag, which is
    an input, stops every other client. The table also remains when its stack is destroyed.
    """
    is_protected = table.placement is not None and table.placement.is_protected
    timeouts: dict[str, Json] = dict.fromkeys(("create", "update", "delete"), TIMEOUT)
    resource_options: dict[str, Json] = {
        "protect": is_protected,
        "retainOnDelete": is_protected,
        "customTimeouts": timeouts,
    }
    ignored = _ignored(table)
    return {**resource_options, "ignoreChanges": list(ignored)} if ignored else resource_options


def to_resources(declared: str, table: TableTarget) -> tuple[StackResource, ...]:
    """See `Engine.to_resources`; a new generation is a new resource."""
    name = declared if table.generation == 1 else f"{declared}--k{table.generation}"
    return (StackResource(TABLE, name, table.name, to_resource(table), ignores=_ignored(table)),)


def from_resources(resources: Sequence[StackResource]) -> TableTarget:
    """See `Engine.from_resources`; companion resources are read too."""
    return with_companions(from_resource(resources[0].inputs), resources[1:])


def ordered(indexes: Sequence[IndexTarget], order: Sequence[str]) -> list[IndexTarget]:
    """Indexes in the order of their creation; indexes of unknown order are last, sorted by name."""
    positions = {name: position for position, name in enumerate(order)}
    return sorted(indexes, key=lambda index: (positions.get(index.name, len(positions)), index.name))


def from_resource(inputs: Mapping[str, Any]) -> TableTarget:
    """Native half of a table from its inputs, whichever program wrote them; the inverse of `to_resource`.

    Inputs do not distinguish a stream for replicas from one that the models declare.
    Raises KeyError if an attribute of a key has no type.
    """
    types = {attribute["name"]: attribute["type"] for attribute in inputs.get("attributes") or ()}
    name, ttl = str(inputs["name"]), inputs.get("ttl") or {}
    generation = GENERATION.search(name)
    is_streaming = inputs.get("streamEnabled", bool(inputs.get("streamViewType")))
    return TableTarget(
        name=name,
        generation=int(generation[1]) if generation else 1,
        keys=_key(inputs, types),
        indexes=_sorted(
            _index(attribute, _global_key(attribute, types)) for attribute in inputs.get("globalSecondaryIndexes") or ()
        ),
        local_indexes=_sorted(
            _index(
                attribute,
                (_key(inputs, types)[0], KeyPart(attribute["rangeKey"], types[attribute["rangeKey"]], "RANGE")),
            )
            for attribute in inputs.get("localSecondaryIndexes") or ()
        ),
        ttl=ttl.get("attributeName") if ttl.get("enabled", True) else None,
        stream=inputs.get("streamViewType") if is_streaming else None,
        placement=_placement(inputs),
    )


_KEYS = {"HASH": "hashKey", "RANGE": "rangeKey"}


def _stream(table: TableTarget) -> str | None:
    """View type of the stream: the declared one, else the one that replication needs."""
    replication = table.placement.replication if table.placement else None
    return table.stream or (replicas.STREAM if replication and replication.needs_stream else None)


def _ignored(table: TableTarget) -> tuple[str, ...]:
    """Inputs that scaling changes after creation; indexes are addressed by position only."""
    if table.placement is None or table.placement.scaling is None:
        return ()
    capacity = ("readCapacity", "writeCapacity")
    positions = range(len(table.indexes))
    return (
        *capacity,
        *(f"globalSecondaryIndexes[{position}].{setting}" for position in positions for setting in capacity),
    )


def _attributes(table: TableTarget) -> Json:
    """Attributes of keys and no others: any more would show as a difference in every preview."""
    indexes = (*table.indexes, *table.local_indexes)
    parts = (*table.keys, *(part for index in indexes for part in index.keys))
    types = {part.attribute: part.type for part in parts}
    return [{"name": name, "type": types[name]} for name in sorted(types)]


def _projection(index: IndexTarget) -> dict[str, Json]:
    projection: dict[str, Json] = {"name": index.name, "projectionType": index.projection}
    return {**projection, "nonKeyAttributes": list(index.included)} if index.projection == "INCLUDE" else projection


def _local(index: IndexTarget) -> dict[str, Json]:
    return {**_projection(index), "rangeKey": index.keys[-1].attribute}


def _global(index: IndexTarget) -> dict[str, Json]:
    keys: list[Json] = [{"attributeName": part.attribute, "keyType": part.role} for part in index.keys]
    return {**_projection(index), "keySchemas": keys}


def _capacity(placement: Placement | None) -> dict[str, Json]:
    units = placement.capacity if placement else None
    return {"readCapacity": units[0], "writeCapacity": units[1]} if units else {}


def _settings(placement: Placement) -> dict[str, Json]:
    """Inputs of an environment's settings. Protection is written even if it is off, because people read stacks."""
    settings: dict[str, Json] = {"billingMode": placement.billing, **_capacity(placement)}
    if placement.limits:
        read, write = placement.limits
        settings["onDemandThroughput"] = {"maxReadRequestUnits": read, "maxWriteRequestUnits": write}
    if placement.warm:
        read, write = placement.warm
        settings["warmThroughput"] = {"readUnitsPerSecond": read, "writeUnitsPerSecond": write}
    if placement.table_class is not None:
        settings["tableClass"] = placement.table_class
    if placement.has_recovery is not None:
        settings["pointInTimeRecovery"] = {"enabled": placement.has_recovery}
    if placement.encryption is not None:
        settings["serverSideEncryption"] = _ENCRYPTION.get(
            placement.encryption, {"enabled": True, "kmsKeyArn": placement.encryption}
        )
    settings["deletionProtectionEnabled"] = placement.is_protected
    if placement.replication:
        settings |= replicas.to_inputs(placement.replication)
    if placement.tags is not None:
        settings["tags"] = dict(placement.tags)
    return settings


_ENCRYPTION: dict[str, Json] = {"aws-owned": {"enabled": False}, "aws-managed": {"enabled": True}}
"""Encryption inputs: without `enabled`, the key is the service's; without an ARN, the account's default key."""


def _key(inputs: Mapping[str, Any], types: Mapping[str, str]) -> tuple[KeyPart, ...]:
    keys = ((inputs.get(word), role) for role, word in _KEYS.items())
    return tuple(KeyPart(name, types[name], role) for name, role in keys if name)  # type: ignore[arg-type]


def _global_key(index: Mapping[str, Any], types: Mapping[str, str]) -> tuple[KeyPart, ...]:
    """Key in either form: `keySchemas`, or the older `hashKey` and `rangeKey`."""
    if not index.get("keySchemas"):
        return _key(index, types)
    parts = ((part["attributeName"], part["keyType"]) for part in index["keySchemas"])
    return tuple(KeyPart(name, types[name], role) for name, role in parts)


def _index(index: Mapping[str, Any], keys: tuple[KeyPart, ...]) -> IndexTarget:
    included = tuple(sorted(index.get("nonKeyAttributes") or ()))
    return IndexTarget(str(index["name"]), keys, index["projectionType"], included)


def _sorted(indexes: Any) -> tuple[IndexTarget, ...]:
    return tuple(sorted(indexes, key=lambda index: index.name))


def _placement(inputs: Mapping[str, Any]) -> Placement:
    """Placement of the inputs; billing and protection have the provider's defaults, other absent inputs are unknown."""
    recovery, encryption = inputs.get("pointInTimeRecovery"), inputs.get("serverSideEncryption")
    tags, is_provisioned = inputs.get("tags"), inputs.get("billingMode", "PROVISIONED") == "PROVISIONED"
    return Placement(
        billing="PROVISIONED" if is_provisioned else "PAY_PER_REQUEST",
        capacity=_pair(inputs, "readCapacity", "writeCapacity") if is_provisioned else None,
        limits=_pair(inputs.get("onDemandThroughput"), "maxReadRequestUnits", "maxWriteRequestUnits"),
        warm=_pair(inputs.get("warmThroughput"), "readUnitsPerSecond", "writeUnitsPerSecond"),
        table_class=inputs.get("tableClass"),
        has_recovery=None if recovery is None else bool(recovery["enabled"]),
        is_protected=bool(inputs.get("deletionProtectionEnabled", False)),
        encryption=None if encryption is None else _encryption(encryption),
        tags=None if tags is None else tuple(sorted(tags.items())),
        replication=replicas.from_inputs(inputs),
    )


def _encryption(encryption: Mapping[str, Any]) -> str:
    return str(encryption.get("kmsKeyArn") or "aws-managed") if encryption.get("enabled") else "aws-owned"


def _pair(throughput: Mapping[str, Any] | None, read: str, write: str) -> tuple[int, int] | None:
    if throughput is None or read not in throughput or write not in throughput:
        return None
    return int(throughput[read]), int(throughput[write])
