"""What keywright asks of DynamoDB; the only module that imports boto3 and botocore."""

import time
from collections.abc import Iterable
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, urlsplit

from keywright.drivers.batches import batches
from keywright.drivers.dynamodb_ledger import ledger
from keywright.drivers.dynamodb_misfits import misfits
from keywright.drivers.dynamodb_observed import observed
from keywright.drivers.dynamodb_observer import observer
from keywright.drivers.dynamodb_pages import pages
from keywright.drivers.extras import not_installed
from keywright.drivers.told import told
from keywright.engines.dynamodb.capabilities import LOCAL_KEY, LOCAL_REGION
from keywright.engines.dynamodb.codec import describe
from keywright.engines.dynamodb.target import IndexTarget, KeyPart, Placement, TableTarget
from keywright.engines.interface import Description, Driver, StatementFailed
from keywright.engines.plan import Step
from keywright.engines.sizes import Size

try:
    import boto3
    from botocore import xform_name
    from botocore.client import BaseClient
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError, ConnectionError, HTTPClientError
except ImportError as error:
    raise not_installed("dynamodb") from error

BATCH = 25
"""Items that one BatchWriteItem takes.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html, 2026-11-21."""

SERVICE = "aws:"
"""What the address of the service begins with: `aws:eu-west-1`, or `aws:` for the region that the machine is set to."""


def client(url: str, *, timeout_seconds: float = 10) -> BaseClient:
    """A client of the local server at `url` (`http://host:port`, or `http://KEY@host:port` for tables of its own), or
    of the service, with the credentials that boto3 finds.
    """
    if url.startswith(SERVICE):
        waits = Config(connect_timeout=timeout_seconds, read_timeout=timeout_seconds, retries={"mode": "standard"})
        return boto3.Session(region_name=url.removeprefix(SERVICE) or None).client("dynamodb", config=waits)
    address = urlsplit(url)
    # A session of its own: boto3's shared default session must not be used from several threads.
    return boto3.Session().client(
        "dynamodb",
        endpoint_url=f"{address.scheme}://{address.netloc.rpartition('@')[2]}",
        region_name=LOCAL_REGION,
        aws_access_key_id=unquote(address.username or LOCAL_KEY),
        aws_secret_access_key=LOCAL_KEY,
        config=Config(connect_timeout=timeout_seconds, read_timeout=timeout_seconds, retries={"total_max_attempts": 1}),
    )


def is_ready(url: str) -> bool:
    """Whether the server lists tables."""
    try:
        client(url, timeout_seconds=2).list_tables(Limit=1)
    except (BotoCoreError, ClientError):
        return False
    return True


def version(url: str) -> str:
    """Empty: no DynamoDB, local or not, tells its version; that of a local one stands in its file name."""
    return ""


def connect(url: str) -> Driver:
    """A connection to the tables that one access key sees."""
    try:
        asking = client(url)
    except BotoCoreError as error:  # no region, or a profile that is not there
        raise StatementFailed(_words(error)) from error
    driver = Driver(
        introspect=lambda names: {name: _introspect(asking, name) for name in names},
        names=lambda: tuple(
            name for page in asking.get_paginator("list_tables").paginate() for name in page["TableNames"]
        ),
        run=lambda step: _run(asking, step),
        load=lambda table, items: _load(asking, table, items),
        stored=lambda table, item: _stored(asking, table, item),
        observe=lambda: observed(asking),
        ledger=lambda home, store: ledger(asking, home, store),
        pages=lambda work: pages(asking, work),
        observer=lambda: observer(asking),
        size=lambda table: _size(asking, table),
        misfits=lambda table, index, cursor, limit: misfits(asking, table, index, cursor, limit),
        drop=lambda names: _drop(asking, names),
        close=asking.close,
    )
    return told(driver, (BotoCoreError, ClientError), _words)


def _words(error: Exception) -> str:
    """The server's own words."""
    if isinstance(error, ClientError):
        said: Any = error.response["Error"]
        return f"{said.get('Message') or error} ({said.get('Code')})"
    return f"could not reach it: {error}" if isinstance(error, (ConnectionError, HTTPClientError)) else str(error)


def _introspect(asking: Any, name: str) -> Description | None:
    """A live table as a description; parts that are still made carry "building"."""
    try:
        table = asking.describe_table(TableName=name)["Table"]
        ttl = asking.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    except asking.exceptions.ResourceNotFoundException:
        return None
    if table["TableStatus"] == "DELETING":
        return None
    found = describe(
        TableTarget(
            name=name,
            generation=1,
            keys=_keys(table, table),
            indexes=_indexes(table, "GlobalSecondaryIndexes"),
            local_indexes=_indexes(table, "LocalSecondaryIndexes"),
            ttl=ttl.get("AttributeName") if ttl["TimeToLiveStatus"] == "ENABLED" else None,
            stream=table.get("StreamSpecification", {}).get("StreamViewType"),
            placement=_placement(asking, table),
        )
    )
    native = found["native"]
    assert isinstance(native, dict)
    if table["TableStatus"] in ("CREATING", "UPDATING"):  # it takes no other change meanwhile
        native["building"] = True
        if "stream" in native:
            native["stream"] = {"building": True}
    if ttl["TimeToLiveStatus"] in ("ENABLING", "DISABLING"):
        native["ttl"] = {"building": True}
    indexes: Any = native.get("indexes", {})
    for index in table.get("GlobalSecondaryIndexes", ()):
        if index["IndexStatus"] != "ACTIVE":
            indexes[index["IndexName"]]["building"] = True
    return found


def _keys(keyed: Any, table: Any) -> tuple[KeyPart, ...]:
    """A key with its types; of an index that is deleted, attributes that are in no other key are told no longer."""
    types = {one["AttributeName"]: one["AttributeType"] for one in table["AttributeDefinitions"]}
    return tuple(
        KeyPart(one["AttributeName"], types.get(one["AttributeName"], ""), one["KeyType"]) for one in keyed["KeySchema"]
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


def _placement(asking: Any, table: Any) -> Placement:
    """What the environment owns, as far as this server reports it."""
    billing = table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
    units, limits = table.get("ProvisionedThroughput", {}), table.get("OnDemandThroughput")
    arn, is_service = table["TableArn"], _is_service(table)
    return Placement(
        billing=billing,
        capacity=(units["ReadCapacityUnits"], units["WriteCapacityUnits"]) if billing == "PROVISIONED" else None,
        limits=(limits["MaxReadRequestUnits"], limits["MaxWriteRequestUnits"]) if limits else None,
        table_class=table.get("TableClassSummary", {}).get("TableClass", "STANDARD") if is_service else None,
        has_recovery=_has_recovery(asking, table["TableName"]) if is_service else None,
        is_protected=table.get("DeletionProtectionEnabled", False),
        encryption=_encryption(table.get("SSEDescription", {})) if is_service else None,
        tags=_tags(asking, arn) if is_service else None,
    )


def _encryption(described: Any) -> str:
    """Who owns the key; the service names a key of the account and one of yours alike, by its ARN."""
    return str(described.get("KMSMasterKeyArn", "aws-owned")) if described.get("Status") == "ENABLED" else "aws-owned"


def _has_recovery(asking: Any, name: str) -> bool:
    backups = asking.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    recovery = backups.get("PointInTimeRecoveryDescription", {})
    return bool(recovery.get("PointInTimeRecoveryStatus") == "ENABLED")


def _tags(asking: Any, arn: str) -> tuple[tuple[str, str], ...]:
    pages = asking.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
    return tuple(sorted((tag["Key"], tag["Value"]) for page in pages for tag in page["Tags"]))


def _run(asking: Any, step: Step) -> None:
    statement: Any = step.statement
    getattr(asking, xform_name(statement["operation"]))(**statement["input"])


def _load(asking: Any, table: str, items: Iterable[Any]) -> int:
    """Write items in batches; of several with one key the last stays, as if they were put one after the other."""
    key = [one["AttributeName"] for one in _key_schema(asking, table)]
    written = 0
    for batch in batches(items, BATCH):
        latest = {tuple(str(item.get(name)) for name in key): item for item in batch}
        _write(asking, table, list(latest.values()))
        written += len(batch)
    return written


def _stored(asking: Any, table: str, item: Any) -> Any:
    """The stored item with the key of another one."""
    key = {one["AttributeName"]: item[one["AttributeName"]] for one in _key_schema(asking, table)}
    found = asking.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
    return None if found is None else {name: _alike(value, item.get(name)) for name, value in found.items()}


def _alike(native: Any, like: Any) -> Any:
    """A stored value as `runtime` writes it: equal numbers with the same digits, sets in order."""
    ((kind, value),) = native.items()
    other = like.get(kind) if isinstance(like, dict) else None
    match kind:
        case "N":
            return {kind: other if other is not None and Decimal(other) == Decimal(value) else value}
        case "NS":
            texts = {Decimal(one): one for one in other or ()}
            return {kind: sorted(texts.get(Decimal(one), one) for one in value)}
        case "SS" | "BS":
            return {kind: sorted(value)}
        case "L":
            others = other if other is not None and len(other) == len(value) else [None] * len(value)
            return {kind: [_alike(one, another) for one, another in zip(value, others, strict=True)]}
        case "M":
            return {kind: {name: _alike(one, (other or {}).get(name)) for name, one in value.items()}}
        case _:
            return native


def _key_schema(asking: Any, table: str) -> Any:
    return asking.describe_table(TableName=table)["Table"]["KeySchema"]


def _size(asking: Any, name: str) -> Size:
    """What a table says of itself; the service counts now and then, a local server at once.

    Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html, 2026-11-21.
    """
    try:
        table = asking.describe_table(TableName=name)["Table"]
    except asking.exceptions.ResourceNotFoundException:
        return Size(0, 0)
    remark = "counted by the service about every six hours" if _is_service(table) else ""
    return Size(table["ItemCount"], table["TableSizeBytes"], remark=remark)


def _is_service(table: Any) -> bool:
    return not table["TableArn"].startswith("arn:aws:dynamodb:ddblocal:")


def _drop(asking: Any, names: Iterable[str]) -> None:
    """Delete tables and wait until they are gone; what is not there is gone already."""
    going: list[str] = []
    for name in names:
        try:
            asking.delete_table(TableName=name)
            going.append(name)
        except asking.exceptions.ResourceNotFoundException:
            continue
    for name in going:
        asking.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})


def _write(asking: Any, table: str, items: list[Any]) -> None:
    """Write a batch; what the server leaves unprocessed is sent again, with growing pauses."""
    waiting, pause = [{"PutRequest": {"Item": item}} for item in items], 0.05
    while waiting:
        waiting = asking.batch_write_item(RequestItems={table: waiting})["UnprocessedItems"].get(table, [])
        if waiting:
            time.sleep(pause)
            pause = min(pause * 2, 2)
