"""`aws:dynamodb/table:Table` over DynamoDB Local, with the rules of the service that it does not enforce."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from keywright.engines.contract.resource import Inputs

from . import quotas

REPLACED_BY = ("name", "hashKey", "rangeKey", "localSecondaryIndexes")
"""Inputs whose change needs a new table."""

COMPUTED = ("arn", "streamArn")
"""Outputs that only the service knows."""

KEPT = (
    "pointInTimeRecovery", "tags", "tableClass", "serverSideEncryption", "warmThroughput", "onDemandThroughput",
    "replicas", "globalTableWitness",
)  # fmt: skip
"""What DynamoDB Local does not have: it is believed as it was said."""

TOLD = "KEYWRIGHT_STANDIN_TOLD"
"""A file with that of tables which no program of the stack has made: their inputs, by name."""

KEY_PARTS = 4
"""The most attributes in each half of a global index's key.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html,
2026-11-22."""

SECONDS = 60
"""The longest wait for a table or an index."""


class Refused(Exception):
    """The service would not do it."""


class Incomplete(Exception):
    """The table is there, but not as asked; the engine is to remember it so."""

    def __init__(self, state: Inputs, reason: str) -> None:
        super().__init__(reason)
        self.state = state


def wrong(inputs: Inputs) -> Iterator[tuple[str, str]]:
    """(input, reason) of what the provider refuses, whatever there is."""
    declared = {entry["name"] for entry in inputs.get("attributes", ())}
    used = {part["AttributeName"] for part in _key(inputs)}
    for index in inputs.get("globalSecondaryIndexes", ()):
        used |= {part["AttributeName"] for part in _key(index)}
    used |= {index["rangeKey"] for index in inputs.get("localSecondaryIndexes", ())}
    for name in sorted(used - declared):
        yield "attributes", f'key attribute "{name}" is not declared'
    for name in sorted(declared - used):
        yield "attributes", f'attribute "{name}" is in no key'
    if inputs.get("billingMode", "PROVISIONED") == "PROVISIONED" and not inputs.get("readCapacity"):
        yield "readCapacity", "needed with PROVISIONED"
    for at, index in enumerate(inputs.get("globalSecondaryIndexes", ())):
        roles = [part["KeyType"] for part in _key(index)]
        for role in sorted({role for role in roles if roles.count(role) > KEY_PARTS}):
            yield (
                f"globalSecondaryIndexes[{at}].keySchemas",
                f"{roles.count(role)} {role} parts, {KEY_PARTS} are allowed",
            )
    yield from _wrong_replicas(inputs)


def _wrong_replicas(inputs: Inputs) -> Iterator[tuple[str, str]]:
    replicas, witness = inputs.get("replicas", ()), inputs.get("globalTableWitness")
    modes = {replica.get("consistencyMode", "EVENTUAL") for replica in replicas}
    if "EVENTUAL" in modes and inputs.get("streamViewType") != "NEW_AND_OLD_IMAGES":
        yield "streamViewType", "replicas need NEW_AND_OLD_IMAGES"
    if len(modes) > 1:
        yield "replicas", "all have the same consistency"
    if modes == {"STRONG"} and len(replicas) + bool(witness) != 2:
        yield "replicas", "strong consistency has two replicas, or one and a witness"
    if witness and modes != {"STRONG"}:
        yield "globalTableWitness", "only with strong consistency"


def create(client: Any, inputs: Inputs) -> Inputs:
    """Make a table; its outputs."""
    name = inputs["name"]
    client.create_table(**_definition(inputs))
    _wait(client, name)
    try:
        _set_expiry(client, name, {}, inputs.get("ttl", {}))
    except (ClientError, Refused) as problem:
        raise Incomplete(state(client, name, inputs), str(problem)) from problem
    return state(client, name, inputs)


def update(client: Any, name: str, olds: Inputs, news: Inputs, before: Inputs) -> Inputs:
    """Change a table, one call for each thing; its outputs.

    before: the outputs that it had.
    """
    kept = {key: value for key, value in before.items() if key == quotas.HISTORY}
    try:
        kept = quotas.after(before, olds, news)
        _set_protection(client, name, olds, news)
        _set_capacity(client, name, olds, news)
        _set_stream(client, name, olds, news)
        _set_indexes(client, name, olds, news)
        _set_expiry(client, name, olds.get("ttl", {}), news.get("ttl", {}))
    except (ClientError, Refused, quotas.TooOften) as problem:
        raise Incomplete({**state(client, name, olds), **kept}, str(problem)) from problem
    return {**state(client, name, news), **kept}


def delete(client: Any, name: str) -> None:
    """Drop a table, unless the service protects it."""
    try:
        client.delete_table(TableName=name)
    except client.exceptions.ResourceNotFoundException:
        return


def state(client: Any, name: str, inputs: Inputs) -> Inputs:
    """The outputs of a table: what there is, and what only the service knows."""
    live = _described(client, name)
    assert live is not None
    outputs = {"arn": live["TableArn"], "streamArn": live.get("LatestStreamArn")}
    return {**read(client, name, inputs), **{key: value for key, value in outputs.items() if value}}


def read(client: Any, name: str, known: Mapping[str, Any]) -> Inputs:
    """The inputs that would make what there is, in the program's order; empty where there is no such table."""
    live = _described(client, name)
    if live is None:
        return {}
    key = {part["KeyType"]: part["AttributeName"] for part in live["KeySchema"]}
    types = {definition["AttributeName"]: definition["AttributeType"] for definition in live["AttributeDefinitions"]}
    indexes = [entry for entry in live.get("GlobalSecondaryIndexes", []) if entry["IndexStatus"] != "DELETING"]
    local = live.get("LocalSecondaryIndexes", [])
    used = {part["AttributeName"] for entry in (live, *indexes, *local) for part in entry["KeySchema"]}
    mode = live.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
    ttl = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    stream = live.get("StreamSpecification", {})
    result: Inputs = {
        "name": name,
        "attributes": [{"name": entry, "type": types[entry]} for entry in sorted(used)],
        "hashKey": key["HASH"],
        "rangeKey": key.get("RANGE"),
        "billingMode": mode,
        "globalSecondaryIndexes": _as_ordered([_live_index(index, mode) for index in indexes], known),
        "localSecondaryIndexes": [{**_live_projection(entry), "rangeKey": _range(entry)} for entry in local],
        "ttl": {"attributeName": ttl["AttributeName"], "enabled": True} if "AttributeName" in ttl else None,
        "streamEnabled": True if stream.get("StreamEnabled") else None,
        "streamViewType": stream.get("StreamViewType"),
        "deletionProtectionEnabled": live.get("DeletionProtectionEnabled", False),
        **{word: known.get(word) for word in KEPT},
    }
    if mode == "PROVISIONED":
        result |= _live_capacity(live)
    return {word: value for word, value in result.items() if value is not None and value != []}


def told(name: str) -> Inputs:
    """What is told of a table that is to be imported, where somebody tells it."""
    file = os.environ.get(TOLD)
    document: dict[str, Inputs] = json.loads(Path(file).read_text(encoding="utf-8")) if file else {}
    return document.get(name, {})


def _as_ordered(indexes: list[Inputs], known: Mapping[str, Any]) -> list[Inputs]:
    places = {entry["name"]: at for at, entry in enumerate(known.get("globalSecondaryIndexes", ()))}
    return sorted(indexes, key=lambda index: (places.get(index["name"], len(places)), index["name"]))


def _described(client: Any, name: str) -> Any:
    try:
        return client.describe_table(TableName=name)["Table"]
    except client.exceptions.ResourceNotFoundException:
        return None


def _live_index(index: Any, mode: str) -> Inputs:
    keys = [{"attributeName": part["AttributeName"], "keyType": part["KeyType"]} for part in index["KeySchema"]]
    capacity = _live_capacity(index) if mode == "PROVISIONED" else {}
    return {**_live_projection(index), "keySchemas": keys, **capacity}


def _live_projection(index: Any) -> Inputs:
    projection = index["Projection"]
    output: Inputs = {"name": index["IndexName"], "projectionType": projection["ProjectionType"]}
    names = projection.get("NonKeyAttributes")
    return {**output, "nonKeyAttributes": sorted(names)} if names else output


def _live_capacity(one: Any) -> Inputs:
    units = one["ProvisionedThroughput"]
    return {"readCapacity": units["ReadCapacityUnits"], "writeCapacity": units["WriteCapacityUnits"]}


def _range(index: Any) -> str:
    return str(next(part["AttributeName"] for part in index["KeySchema"] if part["KeyType"] == "RANGE"))


def _key(one: Inputs) -> list[dict[str, str]]:
    """In either spelling."""
    if "keySchemas" in one:
        return [{"AttributeName": part["attributeName"], "KeyType": part["keyType"]} for part in one["keySchemas"]]
    parts = ((one.get("hashKey"), "HASH"), (one.get("rangeKey"), "RANGE"))
    return [{"AttributeName": name, "KeyType": role} for name, role in parts if name]


def _index(index: Inputs, key: list[dict[str, str]], *, is_provisioned: bool) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index["projectionType"]}
    if index.get("nonKeyAttributes"):
        projection["NonKeyAttributes"] = index["nonKeyAttributes"]
    units = {"ProvisionedThroughput": _units(index)} if is_provisioned else {}
    return {"IndexName": index["name"], "KeySchema": key, "Projection": projection, **units}


def _units(one: Inputs) -> dict[str, int]:
    return {"ReadCapacityUnits": one["readCapacity"], "WriteCapacityUnits": one["writeCapacity"]}


def _without_units(index: Inputs) -> Inputs:
    return {word: value for word, value in index.items() if word not in ("readCapacity", "writeCapacity")}


def _types(inputs: Inputs) -> list[dict[str, str]]:
    return [
        {"AttributeName": attribute["name"], "AttributeType": attribute["type"]} for attribute in inputs["attributes"]
    ]


def _definition(inputs: Inputs) -> dict[str, Any]:
    mode = inputs.get("billingMode", "PROVISIONED")
    is_provisioned = mode == "PROVISIONED"
    created: dict[str, Any] = {
        "TableName": inputs["name"],
        "AttributeDefinitions": _types(inputs),
        "KeySchema": _key(inputs),
        "BillingMode": mode,
        "DeletionProtectionEnabled": inputs.get("deletionProtectionEnabled", False),
    }
    if is_provisioned:
        created["ProvisionedThroughput"] = _units(inputs)
    if indexes := inputs.get("globalSecondaryIndexes"):
        created["GlobalSecondaryIndexes"] = [
            _index(index, _key(index), is_provisioned=is_provisioned) for index in indexes
        ]
    if indexes := inputs.get("localSecondaryIndexes"):
        keys = [_key({"hashKey": inputs["hashKey"], "rangeKey": index["rangeKey"]}) for index in indexes]
        created["LocalSecondaryIndexes"] = [
            _index(index, key, is_provisioned=False) for index, key in zip(indexes, keys, strict=True)
        ]
    if inputs.get("streamEnabled"):
        created["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": inputs["streamViewType"]}
    return created


def _set_protection(client: Any, name: str, olds: Inputs, news: Inputs) -> None:
    was, expected = (bool(entry.get("deletionProtectionEnabled")) for entry in (olds, news))
    if was != expected:
        client.update_table(TableName=name, DeletionProtectionEnabled=expected)


def _set_capacity(client: Any, name: str, olds: Inputs, news: Inputs) -> None:
    """The billing with all capacity, or what has another capacity, by one call."""
    mode = news.get("billingMode", "PROVISIONED")
    is_switched = olds.get("billingMode", "PROVISIONED") != mode
    before = {entry["name"]: entry for entry in olds.get("globalSecondaryIndexes", ())}
    change: dict[str, Any] = {"BillingMode": mode} if is_switched else {}
    if mode == "PROVISIONED":
        if is_switched or _units(olds) != _units(news):
            change["ProvisionedThroughput"] = _units(news)
        updates = [
            {"Update": {"IndexName": entry["name"], "ProvisionedThroughput": _units(entry)}}
            for entry in news.get("globalSecondaryIndexes", ())
            if entry["name"] in before and (is_switched or _units(before[entry["name"]]) != _units(entry))
        ]
        if updates:
            change["GlobalSecondaryIndexUpdates"] = updates
    if change:
        client.update_table(TableName=name, **change)
        _wait(client, name)


def _set_stream(client: Any, name: str, olds: Inputs, news: Inputs) -> None:
    was, expected = (entry.get("streamViewType") if entry.get("streamEnabled") else None for entry in (olds, news))
    if was != expected and was:
        client.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
        _wait(client, name)
    if was != expected and expected:
        client.update_table(TableName=name, StreamSpecification={"StreamEnabled": True, "StreamViewType": expected})
        _wait(client, name)


def _set_indexes(client: Any, name: str, olds: Inputs, news: Inputs) -> None:
    """One index is made or dropped in a call, each finished before the next."""
    before, after = (
        {entry["name"]: entry for entry in side.get("globalSecondaryIndexes", ())} for side in (olds, news)
    )
    same = {key for key in before if key in after and _without_units(before[key]) == _without_units(after[key])}
    for index in sorted(before.keys() - same):
        client.update_table(TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": index}}])
        _wait(client, name)
    is_provisioned = news.get("billingMode", "PROVISIONED") == "PROVISIONED"
    for index in sorted(after.keys() - same):
        created = _index(after[index], _key(after[index]), is_provisioned=is_provisioned)
        client.update_table(
            TableName=name, AttributeDefinitions=_types(news), GlobalSecondaryIndexUpdates=[{"Create": created}]
        )
        _wait(client, name)


def _set_expiry(client: Any, name: str, olds: Inputs, news: Inputs) -> None:
    was, expected = (entry.get("attributeName") if entry.get("enabled") else None for entry in (olds, news))
    if was == expected:
        return
    if was and expected:
        raise Refused(f'items expire by "{was}": switch that off, wait an hour, then switch "{expected}" on')
    specification = {"AttributeName": expected or was, "Enabled": bool(expected)}
    client.update_time_to_live(TableName=name, TimeToLiveSpecification=specification)


def _wait(client: Any, name: str) -> None:
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        live = _described(client, name)
        indexes = live.get("GlobalSecondaryIndexes", [])
        if {live["TableStatus"], *(index.get("IndexStatus", "ACTIVE") for index in indexes)} == {"ACTIVE"}:
            return
        time.sleep(0.05)
    raise Refused(f'table "{name}" is not active after {SECONDS} s')
