"""Live tables as descriptions, from the answers of the service or of a local server."""

from typing import Any

from keywright.engines.dynamodb.schema.codec import describe
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, Placement, TableTarget
from keywright.engines.interface import Description

NO_ACCOUNT = "000000000000"
"""Account in the ARNs of local servers: after the region `ddblocal` in DynamoDB Local, after any region in dynoxide."""


def introspect(boto_client: Any, name: str) -> Description | None:
    """Live table as a description; unfinished parts contain "building"."""
    try:
        table = boto_client.describe_table(TableName=name)["Table"]
        ttl = boto_client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    except boto_client.exceptions.ResourceNotFoundException:
        return None
    if table["TableStatus"] == "DELETING":
        return None
    description = describe(
        TableTarget(
            name=name,
            generation=1,
            keys=_keys(table, table),
            indexes=_indexes(table, "GlobalSecondaryIndexes"),
            local_indexes=_indexes(table, "LocalSecondaryIndexes"),
            ttl=ttl.get("AttributeName") if ttl["TimeToLiveStatus"] == "ENABLED" else None,
            stream=table.get("StreamSpecification", {}).get("StreamViewType"),
            placement=_placement(boto_client, table),
        )
    )
    native = description["native"]
    assert isinstance(native, dict)
    if table["TableStatus"] in ("CREATING", "UPDATING"):  # the table rejects other changes meanwhile
        native["building"] = True
        if "stream" in native:
            native["stream"] = {"building": True}
    if ttl["TimeToLiveStatus"] in ("ENABLING", "DISABLING"):
        native["ttl"] = {"building": True}
    indexes: Any = native.get("indexes", {})
    for index in table.get("GlobalSecondaryIndexes", ()):
        if index["IndexStatus"] != "ACTIVE":
            indexes[index["IndexName"]]["building"] = True
    return description


def _keys(owner: Any, table: Any) -> tuple[KeyPart, ...]:
    """Key with its types; for an index in deletion, attributes of no other key are no longer reported."""
    types = {attribute["AttributeName"]: attribute["AttributeType"] for attribute in table["AttributeDefinitions"]}
    return tuple(
        KeyPart(part["AttributeName"], types.get(part["AttributeName"], ""), part["KeyType"])
        for part in owner["KeySchema"]
    )


def _indexes(table: Any, kind: str) -> tuple[IndexTarget, ...]:
    indexes = sorted(table.get(kind, ()), key=lambda index: str(index["IndexName"]))
    return tuple(
        IndexTarget(
            index["IndexName"],
            _keys(index, table),
            index["Projection"]["ProjectionType"],
            tuple(sorted(index["Projection"].get("NonKeyAttributes", ()))),
        )
        for index in indexes
    )


def _placement(boto_client: Any, table: Any) -> Placement:
    """Settings of the environment, as far as this server reports them."""
    billing = table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
    units, limits = table.get("ProvisionedThroughput", {}), table.get("OnDemandThroughput")
    arn, is_remote = table["TableArn"], is_service(table)
    return Placement(
        billing=billing,
        capacity=(units["ReadCapacityUnits"], units["WriteCapacityUnits"]) if billing == "PROVISIONED" else None,
        limits=(limits["MaxReadRequestUnits"], limits["MaxWriteRequestUnits"]) if limits else None,
        table_class=table.get("TableClassSummary", {}).get("TableClass", "STANDARD") if is_remote else None,
        has_recovery=_has_recovery(boto_client, table["TableName"]) if is_remote else None,
        is_protected=table.get("DeletionProtectionEnabled", False),
        encryption=_encryption(table.get("SSEDescription", {})) if is_remote else None,
        tags=_tags(boto_client, arn) if is_remote else None,
    )


def _encryption(described: Any) -> str:
    """Owner of the key; the service reports the account's key and a customer's key alike, as an ARN."""
    return str(described.get("KMSMasterKeyArn", "aws-owned")) if described.get("Status") == "ENABLED" else "aws-owned"


def _has_recovery(boto_client: Any, name: str) -> bool:
    backups = boto_client.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    recovery = backups.get("PointInTimeRecoveryDescription", {})
    return bool(recovery.get("PointInTimeRecoveryStatus") == "ENABLED")


def _tags(boto_client: Any, arn: str) -> tuple[tuple[str, str], ...]:
    pages = boto_client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
    return tuple(sorted((tag["Key"], tag["Value"]) for page in pages for tag in page["Tags"]))


def is_service(table: Any) -> bool:
    """Whether a table is described by the service, not by a local server."""
    region, account = table["TableArn"].split(":")[3:5]
    return bool(region != "ddblocal" and account != NO_ACCOUNT)
