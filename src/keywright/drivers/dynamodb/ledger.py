"""History of stores in a DynamoDB table: one partition for each store, with its lock and rows."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.ir.json import Json, canonical

try:
    from botocore.exceptions import ClientError
except ImportError as error:
    raise not_installed("dynamodb") from error

PAGE = 500
"""Rows that one Query requests; a page ends at 1 MB in any case."""

ATTEMPTS = 20
"""Most attempts of a request that conflicts with another one on the same item."""

BUSY = frozenset({"TransactionConflict", "TransactionConflictException", "ThrottlingError", "ThrottlingException",
                  "ProvisionedThroughputExceeded", "ProvisionedThroughputExceededException"})  # fmt: skip
"""Error codes after which a request may be repeated, because it had no effect.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, 2026-11-21."""

RECOVERY_SECONDS = 60
"""Longest wait until a new table accepts the setting of point-in-time recovery."""

_NAMES = {"#owner": "owner", "#fence": "fence", "#beat": "beat"}
_SEEN = "#owner = :seen_owner AND #fence = :seen_fence AND #beat = :seen_beat"


def ledger(client: Any, home: str, store: str) -> Ledger:
    """History of a store in the table `home`, which may contain several stores.

    A free lock has an empty owner. A row is one string, so that conditions compare the whole row.
    """
    partition = {"S": f"STORE#{store}"}
    return Ledger(
        place=f'table "{home}", store "{store}"',
        prepare=lambda: _prepare(client, home, partition),
        lock=lambda: _lock(client, home, partition),
        swap=lambda lock, new: _swap(client, home, partition, lock, new),
        rows=lambda prefix: _rows(client, home, partition, prefix),
        row=lambda key: _row(client, home, partition, key),
        put=lambda key, row, fence: _put(client, home, partition, key, row, fence),
        replace=lambda key, before, after, fence: _replace(client, home, partition, key, before, after, fence),
        now=lambda: _now(client, home, partition),
    )


def _prepare(client: Any, home: str, partition: Any) -> None:
    """Create the table and the lock; the lock is last, so it exists only if everything else does."""
    if _find_lock(client, home, partition) is not None:
        return
    with suppress(client.exceptions.ResourceInUseException):  # it exists, or another process creates it
        _create(client, home)
    client.get_waiter("table_exists").wait(TableName=home, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
    _enable_recovery(client, home)
    free = {"pk": partition, "sk": {"S": "LOCK"}, **_native(UNHELD)}
    _sent(lambda: client.put_item(TableName=home, Item=free, ConditionExpression="attribute_not_exists(pk)"))


def _create(client: Any, home: str) -> None:
    keys = (("pk", "HASH"), ("sk", "RANGE"))
    client.create_table(
        TableName=home,
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name, _ in keys],
        KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in keys],
        BillingMode="PAY_PER_REQUEST",
        DeletionProtectionEnabled=True,
    )


def _enable_recovery(client: Any, home: str) -> None:
    """Switch on point-in-time recovery; skipped by servers without it, repeated until a new table is ready."""
    setting, ends = {"PointInTimeRecoveryEnabled": True}, time.monotonic() + RECOVERY_SECONDS
    while True:
        try:
            client.update_continuous_backups(TableName=home, PointInTimeRecoverySpecification=setting)
            return
        except ClientError as error:
            code = error.response["Error"].get("Code")
            if code == "UnknownOperationException":
                return
            if code != "ContinuousBackupsUnavailableException" or time.monotonic() > ends:
                raise
        time.sleep(1)


def _native(lock: Lock) -> dict[str, Any]:
    return {"owner": {"S": lock.owner or ""}, "fence": {"N": str(lock.fence)}, "beat": {"N": str(lock.beat)}}


def _lock(client: Any, home: str, partition: Any) -> Lock:
    return _find_lock(client, home, partition) or UNHELD


def _find_lock(client: Any, home: str, partition: Any) -> Lock | None:
    try:
        answer = client.get_item(TableName=home, Key={"pk": partition, "sk": {"S": "LOCK"}}, ConsistentRead=True)
    except client.exceptions.ResourceNotFoundException:
        return None
    item = answer.get("Item")
    return item and Lock(item["owner"]["S"] or None, int(item["fence"]["N"]), int(item["beat"]["N"]))


def _swap(client: Any, home: str, partition: Any, lock: Lock, new: Lock) -> bool:
    values = {f":{name}": value for name, value in _native(new).items()}
    values |= {f":seen_{name}": value for name, value in _native(lock).items()}
    return _sent(
        lambda: client.update_item(
            TableName=home,
            Key={"pk": partition, "sk": {"S": "LOCK"}},
            UpdateExpression="SET #owner = :owner, #fence = :fence, #beat = :beat",
            ConditionExpression=_SEEN,
            ExpressionAttributeNames=_NAMES,
            ExpressionAttributeValues=values,
        )
    )


def _rows(client: Any, home: str, partition: Any, prefix: str) -> dict[str, Json]:
    pages = client.get_paginator("query").paginate(
        TableName=home,
        KeyConditionExpression="pk = :pk AND begins_with(sk, :sk)",
        ExpressionAttributeValues={":pk": partition, ":sk": {"S": f"ROW#{prefix}"}},
        ConsistentRead=True,
        Limit=PAGE,
    )
    try:
        items = [item for page in pages for item in page["Items"]]
    except client.exceptions.ResourceNotFoundException:
        return {}
    return {item["sk"]["S"].removeprefix("ROW#"): json.loads(item["row"]["S"]) for item in items}


def _row(client: Any, home: str, partition: Any, key: str) -> Json:
    try:
        item = client.get_item(TableName=home, Key={"pk": partition, "sk": {"S": f"ROW#{key}"}}, ConsistentRead=True)
    except client.exceptions.ResourceNotFoundException:
        return None
    return json.loads(item["Item"]["row"]["S"]) if "Item" in item else None


def _item(partition: Any, key: str, row: Json) -> dict[str, Any]:
    return {"pk": partition, "sk": {"S": f"ROW#{key}"}, "row": {"S": canonical(row)}}


def _put(client: Any, home: str, partition: Any, key: str, row: Json, fence: int) -> bool:
    return _fenced(client, home, partition, {"Item": _item(partition, key, row)}, fence)


def _fenced(client: Any, home: str, partition: Any, put: dict[str, Any], fence: int) -> bool:
    """Whether an item was put, in one transaction with a check that the lock has the writer's fence."""
    check = {
        "TableName": home,
        "Key": {"pk": partition, "sk": {"S": "LOCK"}},
        "ConditionExpression": "#fence = :fence",
        "ExpressionAttributeNames": {"#fence": "fence"},
        "ExpressionAttributeValues": {":fence": {"N": str(fence)}},
    }
    both: Any = [{"ConditionCheck": check}, {"Put": {"TableName": home, **put}}]
    return _sent(lambda: client.transact_write_items(TransactItems=both))


def _replace(client: Any, home: str, partition: Any, key: str, before: Json, after: Json, fence: int) -> bool:
    condition: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(pk)"}
    if before is not None:
        condition = {
            "ConditionExpression": "#row = :before",
            "ExpressionAttributeNames": {"#row": "row"},
            "ExpressionAttributeValues": {":before": {"S": canonical(before)}},
        }
    return _fenced(client, home, partition, {"Item": _item(partition, key, after), **condition}, fence)


def _now(client: Any, home: str, partition: Any) -> datetime:
    """Date in the header of every answer, to the second."""
    answer = client.get_item(TableName=home, Key={"pk": partition, "sk": {"S": "LOCK"}})
    return parsedate_to_datetime(answer["ResponseMetadata"]["HTTPHeaders"]["date"])


def _sent(send: Callable[[], object]) -> bool:
    """Whether a conditional write took effect; a write that conflicts with another is repeated."""
    for attempt in range(ATTEMPTS):
        try:
            send()
            return True
        except ClientError as error:
            response: Any = error.response
            codes = {reason.get("Code") for reason in response.get("CancellationReasons", ())} - {"None"}
            codes = codes or {response["Error"].get("Code")}
            if codes & {"ConditionalCheckFailed", "ConditionalCheckFailedException"}:
                return False
            if not codes & BUSY:
                raise
        time.sleep(min(0.01 * 2**attempt, 0.5))
    raise StatementFailed(f"other requests interfered with all {ATTEMPTS} attempts")
