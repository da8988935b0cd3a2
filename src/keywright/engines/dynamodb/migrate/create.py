"""Steps that create a DynamoDB table; each statement is a call of the service with its input."""

from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json

from ..schema.codec import describe, describe_index
from ..schema.target import IndexTarget, KeyPart, Placement, TableTarget

STORE = "dynamodb"


def create(table: TableTarget) -> tuple[Statement, ...]:
    """See `Engine.create`: one call creates the table with all indexes; further steps complete a partial one."""
    native = describe(table)["native"]
    assert isinstance(native, dict)
    described: dict[str, Json] = {key: native[key] for key in ("keys", "local_indexes") if key in native}
    statements = [
        _statement(table, (), f'create table "{table.name}"', _call("CreateTable", create_table(table)), described)
    ]
    statements += [_index_statement(table, index) for index in table.indexes]
    if table.stream:
        change: Json = {"TableName": table.name, "StreamSpecification": _stream(table)}
        statements.append(
            _statement(
                table,
                ("stream",),
                f'open the stream of table "{table.name}"',
                _call("UpdateTable", change),
                table.stream,
            )
        )
    if table.ttl:
        ttl: Json = {
            "TableName": table.name,
            "TimeToLiveSpecification": {"AttributeName": table.ttl, "Enabled": True},
        }
        summary = f'let items of table "{table.name}" expire by "{table.ttl}"'
        statements.append(_statement(table, ("ttl",), summary, _call("UpdateTimeToLive", ttl), table.ttl))
    if table.placement and table.placement.has_recovery:
        backup: Json = {
            "TableName": table.name,
            "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
        }
        summary = f'switch on point-in-time recovery of table "{table.name}"'
        object_ = ("settings", "point_in_time_recovery")
        statements.append(_statement(table, object_, summary, _call("UpdateContinuousBackups", backup), True))
    return tuple(statements)


def _index_statement(table: TableTarget, index: IndexTarget) -> Statement:
    summary = f'create index "{index.name}" of table "{table.name}"'
    statement = _call("UpdateTable", create_index(table, index))
    return _statement(table, ("indexes", index.name), summary, statement, describe_index(index))


def create_table(table: TableTarget) -> dict[str, Json]:
    """Input of CreateTable."""
    input: dict[str, Json] = {
        "TableName": table.name,
        "AttributeDefinitions": _definitions(table),
        "KeySchema": _key_schema(table.keys),
    }
    if table.local_indexes:
        input["LocalSecondaryIndexes"] = [_index(index) for index in table.local_indexes]
    if table.indexes:
        input["GlobalSecondaryIndexes"] = [_index(index) | _throughput(table) for index in table.indexes]
    if table.stream:
        input["StreamSpecification"] = _stream(table)
    return input | (_settings(table.placement) if table.placement else {})


def create_index(table: TableTarget, index: IndexTarget) -> Json:
    """Input of UpdateTable that adds one global index."""
    parts = dict.fromkeys((*table.keys, *index.keys))
    return {
        "TableName": table.name,
        "AttributeDefinitions": _definition_list({part.attribute: part.type for part in parts}),
        "GlobalSecondaryIndexUpdates": [{"Create": _index(index) | _throughput(table)}],
    }


def _statement(table: TableTarget, object: tuple[str, ...], summary: str, statement: Json, after: Json) -> Statement:
    return Statement(STORE, table.name, object, summary, statement, after)


def _call(operation: str, input: Json) -> Json:
    return {"operation": operation, "input": input}


def _definitions(table: TableTarget) -> Json:
    """Attributes of keys and no others, which the service would reject."""
    indexes = (*table.indexes, *table.local_indexes)
    keys = (*table.keys, *(part for index in indexes for part in index.keys))
    return _definition_list({part.attribute: part.type for part in keys})


def _definition_list(types: dict[str, str]) -> Json:
    return [{"AttributeName": name, "AttributeType": types[name]} for name in sorted(types)]


def _key_schema(keys: tuple[KeyPart, ...]) -> Json:
    return [{"AttributeName": part.attribute, "KeyType": part.role} for part in keys]


def _index(index: IndexTarget) -> dict[str, Json]:
    projection: dict[str, Json] = {"ProjectionType": index.projection}
    if index.projection == "INCLUDE":
        projection["NonKeyAttributes"] = list(index.included)
    return {"IndexName": index.name, "KeySchema": _key_schema(index.keys), "Projection": projection}


def _stream(table: TableTarget) -> Json:
    return {"StreamEnabled": True, "StreamViewType": table.stream}


def _throughput(table: TableTarget) -> dict[str, Json]:
    units = table.placement.capacity if table.placement else None
    return {"ProvisionedThroughput": {"ReadCapacityUnits": units[0], "WriteCapacityUnits": units[1]}} if units else {}


def _settings(placement: Placement) -> dict[str, Json]:
    settings: dict[str, Json] = {"BillingMode": placement.billing}
    if placement.capacity:
        read, write = placement.capacity
        settings["ProvisionedThroughput"] = {"ReadCapacityUnits": read, "WriteCapacityUnits": write}
    if placement.limits:
        read, write = placement.limits
        settings["OnDemandThroughput"] = {"MaxReadRequestUnits": read, "MaxWriteRequestUnits": write}
    if placement.warm:
        read, write = placement.warm
        settings["WarmThroughput"] = {"ReadUnitsPerSecond": read, "WriteUnitsPerSecond": write}
    if placement.table_class:
        settings["TableClass"] = placement.table_class
    if placement.encryption == "aws-managed":
        settings["SSESpecification"] = {"Enabled": True, "SSEType": "KMS"}
    elif placement.encryption and placement.encryption != "aws-owned":
        settings["SSESpecification"] = {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": placement.encryption}
    if placement.is_protected:
        settings["DeletionProtectionEnabled"] = True
    if placement.tags:
        settings["Tags"] = [{"Key": key, "Value": value} for key, value in placement.tags]
    return settings
