"""Tables to and from the inputs of Pulumi's `aws:dynamodb/table:Table`, as plain data.

Names are those of the provider's schema, in camel case; numbers may come back as floats, as the engine sends them.
Source: https://www.pulumi.com/registry/packages/aws/api-docs/dynamodb/table/, 2026-11-22.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.engines.resource import Resource
from keywright.ir.json import Json

from . import replicas
from .beside import with_what_is_beside
from .place import GENERATION
from .target import IndexTarget, KeyPart, Placement, TableTarget

TABLE = "aws:dynamodb/table:Table"
"""The type of the resource."""

TIMEOUT = "4h"
"""How long one change may take: an index of a large table is built for hours."""


def to_resource(table: TableTarget, order: Sequence[str] = ()) -> dict[str, Json]:
    """The inputs of a placed table.

    order: names of global indexes in the order in which they were made. The provider compares indexes by position, so
    that one in the midst would show as a change of all behind it; those that are not named come last, by name.
    """
    made: dict[str, Json] = {
        "name": table.name,
        "attributes": _attributes(table),
        **{_KEYS[part.role]: part.attribute for part in table.keys},
    }
    if table.local_indexes:
        made["localSecondaryIndexes"] = [_local(index) for index in table.local_indexes]
    if table.indexes:
        capacity = _capacity(table.placement)
        made["globalSecondaryIndexes"] = [_global(index) | capacity for index in ordered(table.indexes, order)]
    if table.ttl:
        made["ttl"] = {"attributeName": table.ttl, "enabled": True}
    if stream := _stream(table):
        made |= {"streamEnabled": True, "streamViewType": stream}
    return made | (_settings(table.placement) if table.placement else {})


def options(table: TableTarget) -> dict[str, Json]:
    """The options of a placed table's resource, in camel case.

    A protected table is so twice: Pulumi's own flag stops a replacement in the preview, the service's, which is among
    the inputs, everybody else. It outlives its stack too.
    """
    is_protected = table.placement is not None and table.placement.is_protected
    timeouts: dict[str, Json] = dict.fromkeys(("create", "update", "delete"), TIMEOUT)
    told: dict[str, Json] = {"protect": is_protected, "retainOnDelete": is_protected, "customTimeouts": timeouts}
    ignored = _ignored(table)
    return {**told, "ignoreChanges": list(ignored)} if ignored else told


def to_resources(declared: str, table: TableTarget) -> tuple[Resource, ...]:
    """See `Engine.to_resources`; a new generation is a new resource."""
    name = declared if table.generation == 1 else f"{declared}--k{table.generation}"
    return (Resource(TABLE, name, table.name, to_resource(table), ignores=_ignored(table)),)


def from_resources(resources: Sequence[Resource]) -> TableTarget:
    """See `Engine.from_resources`; what stands beside the table is read too."""
    return with_what_is_beside(from_resource(resources[0].inputs), resources[1:])


def ordered(indexes: Sequence[IndexTarget], order: Sequence[str]) -> list[IndexTarget]:
    """Indexes in the order in which they were made, as far as it is known."""
    places = {name: place for place, name in enumerate(order)}
    return sorted(indexes, key=lambda index: (places.get(index.name, len(places)), index.name))


def from_resource(inputs: Mapping[str, Any]) -> TableTarget:
    """The native half of a table from its inputs, whoever wrote them; the inverse of `to_resource`.

    A stream that replicas need is not told from one that the models declare.
    Raises KeyError where a key has no attribute, or none of a known type.
    """
    types = {one["name"]: one["type"] for one in inputs.get("attributes") or ()}
    name, ttl = str(inputs["name"]), inputs.get("ttl") or {}
    generation = GENERATION.search(name)
    is_streaming = inputs.get("streamEnabled", bool(inputs.get("streamViewType")))
    return TableTarget(
        name=name,
        generation=int(generation[1]) if generation else 1,
        keys=_key(inputs, types),
        indexes=_sorted(_index(one, _global_key(one, types)) for one in inputs.get("globalSecondaryIndexes") or ()),
        local_indexes=_sorted(
            _index(one, (_key(inputs, types)[0], KeyPart(one["rangeKey"], types[one["rangeKey"]], "RANGE")))
            for one in inputs.get("localSecondaryIndexes") or ()
        ),
        ttl=ttl.get("attributeName") if ttl.get("enabled", True) else None,
        stream=inputs.get("streamViewType") if is_streaming else None,
        placement=_placement(inputs),
    )


_KEYS = {"HASH": "hashKey", "RANGE": "rangeKey"}


def _stream(table: TableTarget) -> str | None:
    """What the stream carries: as the models say, and at all where changes travel to replicas by it."""
    replication = table.placement.replication if table.placement else None
    return table.stream or (replicas.STREAM if replication and replication.needs_stream else None)


def _ignored(table: TableTarget) -> tuple[str, ...]:
    """The inputs that follow the load once the table is there; indexes are known by their places only."""
    if table.placement is None or table.placement.scaling is None:
        return ()
    capacity = ("readCapacity", "writeCapacity")
    places = range(len(table.indexes))
    return (*capacity, *(f"globalSecondaryIndexes[{at}].{one}" for at in places for one in capacity))


def _attributes(table: TableTarget) -> Json:
    """Exactly what some key uses: with one more, the provider would find a difference for ever."""
    indexes = (*table.indexes, *table.local_indexes)
    parts = (*table.keys, *(part for index in indexes for part in index.keys))
    types = {part.attribute: part.type for part in parts}
    return [{"name": name, "type": types[name]} for name in sorted(types)]


def _projection(index: IndexTarget) -> dict[str, Json]:
    made: dict[str, Json] = {"name": index.name, "projectionType": index.projection}
    return {**made, "nonKeyAttributes": list(index.included)} if index.projection == "INCLUDE" else made


def _local(index: IndexTarget) -> dict[str, Json]:
    return {**_projection(index), "rangeKey": index.keys[-1].attribute}


def _global(index: IndexTarget) -> dict[str, Json]:
    keys: list[Json] = [{"attributeName": part.attribute, "keyType": part.role} for part in index.keys]
    return {**_projection(index), "keySchemas": keys}


def _capacity(placement: Placement | None) -> dict[str, Json]:
    units = placement.capacity if placement else None
    return {"readCapacity": units[0], "writeCapacity": units[1]} if units else {}


def _settings(placement: Placement) -> dict[str, Json]:
    """What an environment owns. Protection is said even where it is off, since stacks are read by people."""
    made: dict[str, Json] = {"billingMode": placement.billing, **_capacity(placement)}
    if placement.limits:
        read, write = placement.limits
        made["onDemandThroughput"] = {"maxReadRequestUnits": read, "maxWriteRequestUnits": write}
    if placement.warm:
        read, write = placement.warm
        made["warmThroughput"] = {"readUnitsPerSecond": read, "writeUnitsPerSecond": write}
    if placement.table_class is not None:
        made["tableClass"] = placement.table_class
    if placement.has_recovery is not None:
        made["pointInTimeRecovery"] = {"enabled": placement.has_recovery}
    if placement.encryption is not None:
        made["serverSideEncryption"] = _ENCRYPTION.get(
            placement.encryption, {"enabled": True, "kmsKeyArn": placement.encryption}
        )
    made["deletionProtectionEnabled"] = placement.is_protected
    if placement.replication:
        made |= replicas.to_inputs(placement.replication)
    if placement.tags is not None:
        made["tags"] = dict(placement.tags)
    return made


_ENCRYPTION: dict[str, Json] = {"aws-owned": {"enabled": False}, "aws-managed": {"enabled": True}}
"""Without `enabled`, the key is the service's own; without an ARN, the account's default one."""


def _key(inputs: Mapping[str, Any], types: Mapping[str, str]) -> tuple[KeyPart, ...]:
    found = ((inputs.get(word), role) for role, word in _KEYS.items())
    return tuple(KeyPart(name, types[name], role) for name, role in found if name)  # type: ignore[arg-type]


def _global_key(one: Mapping[str, Any], types: Mapping[str, str]) -> tuple[KeyPart, ...]:
    """In either spelling: `keySchemas`, or the two words for one attribute each that came before."""
    if not one.get("keySchemas"):
        return _key(one, types)
    parts = ((part["attributeName"], part["keyType"]) for part in one["keySchemas"])
    return tuple(KeyPart(name, types[name], role) for name, role in parts)


def _index(one: Mapping[str, Any], keys: tuple[KeyPart, ...]) -> IndexTarget:
    included = tuple(sorted(one.get("nonKeyAttributes") or ()))
    return IndexTarget(str(one["name"]), keys, one["projectionType"], included)


def _sorted(indexes: Any) -> tuple[IndexTarget, ...]:
    return tuple(sorted(indexes, key=lambda index: index.name))


def _placement(inputs: Mapping[str, Any]) -> Placement:
    """What is not said is the provider's default for billing and protection, and unknown else."""
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


def _encryption(told: Mapping[str, Any]) -> str:
    return str(told.get("kmsKeyArn") or "aws-managed") if told.get("enabled") else "aws-owned"


def _pair(told: Mapping[str, Any] | None, read: str, write: str) -> tuple[int, int] | None:
    if told is None or read not in told or write not in told:
        return None
    return int(told[read]), int(told[write])
