"""Histories in a DynamoDB table: one partition for each store, its lock beside its rows."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from keywright.drivers.extras import not_installed
from keywright.engines.interface import StatementFailed
from keywright.engines.ledger import UNHELD, Ledger, Lock
from keywright.ir.json import Json, canonical

try:
    from botocore.exceptions import ClientError
except ImportError as error:
    raise not_installed("dynamodb") from error

PAGE = 500
"""Rows that one Query asks for; a page ends at 1 MB in any case."""

ATTEMPTS = 20
"""How often a request is sent that meets another one on its way to the same item."""

BUSY = frozenset({"TransactionConflict", "TransactionConflictException", "ThrottlingError", "ThrottlingException",
                  "ProvisionedThroughputExceeded", "ProvisionedThroughputExceededException"})  # fmt: skip
"""Codes that a request may be sent again after, as it had no effect.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, 2026-11-21."""

RECOVERY_SECONDS = 60
"""The longest wait for a new table to take the setting of point-in-time recovery."""

_NAMES = {"#owner": "owner", "#fence": "fence", "#beat": "beat"}
_SEEN = "#owner = :seen_owner AND #fence = :seen_fence AND #beat = :seen_beat"


def ledger(asking: Any, home: str, store: str) -> Ledger:
    """The history of a store in the table `home`; the service itself keeps several stores in one table apart.

    Nobody's lock has an empty owner. A row is one string, so that it compares as a whole.
    """
    part = {"S": f"STORE#{store}"}
    return Ledger(
        place=f'table "{home}", store "{store}"',
        prepare=lambda: _prepare(asking, home, part),
        lock=lambda: _lock(asking, home, part),
        swap=lambda seen, new: _swap(asking, home, part, seen, new),
        rows=lambda prefix: _rows(asking, home, part, prefix),
        put=lambda key, row, fence: _put(asking, home, part, key, row, fence),
        replace=lambda key, before, after: _replace(asking, home, part, key, before, after),
    )


def _prepare(asking: Any, home: str, part: Any) -> None:
    """The lock comes last: where it is, everything is."""
    if _find_lock(asking, home, part) is not None:
        return
    with suppress(asking.exceptions.ResourceInUseException):  # it is there, or somebody else makes it
        _create(asking, home)
    asking.get_waiter("table_exists").wait(TableName=home, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
    _recoverable(asking, home)
    free = {"pk": part, "sk": {"S": "LOCK"}, **_native(UNHELD)}
    _sent(lambda: asking.put_item(TableName=home, Item=free, ConditionExpression="attribute_not_exists(pk)"))


def _create(asking: Any, home: str) -> None:
    keys = (("pk", "HASH"), ("sk", "RANGE"))
    asking.create_table(
        TableName=home,
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name, _ in keys],
        KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in keys],
        BillingMode="PAY_PER_REQUEST",
        DeletionProtectionEnabled=True,
    )


def _recoverable(asking: Any, home: str) -> None:
    """Turn point-in-time recovery on; a server that does not know it goes without, a new table may not be ready."""
    setting, ends = {"PointInTimeRecoveryEnabled": True}, time.monotonic() + RECOVERY_SECONDS
    while True:
        try:
            asking.update_continuous_backups(TableName=home, PointInTimeRecoverySpecification=setting)
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


def _lock(asking: Any, home: str, part: Any) -> Lock:
    return _find_lock(asking, home, part) or UNHELD


def _find_lock(asking: Any, home: str, part: Any) -> Lock | None:
    try:
        found = asking.get_item(TableName=home, Key={"pk": part, "sk": {"S": "LOCK"}}, ConsistentRead=True)
    except asking.exceptions.ResourceNotFoundException:
        return None
    item = found.get("Item")
    return item and Lock(item["owner"]["S"] or None, int(item["fence"]["N"]), int(item["beat"]["N"]))


def _swap(asking: Any, home: str, part: Any, seen: Lock, new: Lock) -> bool:
    values = {f":{name}": value for name, value in _native(new).items()}
    values |= {f":seen_{name}": value for name, value in _native(seen).items()}
    return _sent(
        lambda: asking.update_item(
            TableName=home,
            Key={"pk": part, "sk": {"S": "LOCK"}},
            UpdateExpression="SET #owner = :owner, #fence = :fence, #beat = :beat",
            ConditionExpression=_SEEN,
            ExpressionAttributeNames=_NAMES,
            ExpressionAttributeValues=values,
        )
    )


def _rows(asking: Any, home: str, part: Any, prefix: str) -> dict[str, Json]:
    pages = asking.get_paginator("query").paginate(
        TableName=home,
        KeyConditionExpression="pk = :pk AND begins_with(sk, :sk)",
        ExpressionAttributeValues={":pk": part, ":sk": {"S": f"ROW#{prefix}"}},
        ConsistentRead=True,
        Limit=PAGE,
    )
    try:
        found = [item for page in pages for item in page["Items"]]
    except asking.exceptions.ResourceNotFoundException:
        return {}
    return {item["sk"]["S"].removeprefix("ROW#"): json.loads(item["row"]["S"]) for item in found}


def _item(part: Any, key: str, row: Json) -> dict[str, Any]:
    return {"pk": part, "sk": {"S": f"ROW#{key}"}, "row": {"S": canonical(row)}}


def _put(asking: Any, home: str, part: Any, key: str, row: Json, fence: int) -> bool:
    check = {
        "TableName": home,
        "Key": {"pk": part, "sk": {"S": "LOCK"}},
        "ConditionExpression": "#fence = :fence",
        "ExpressionAttributeNames": {"#fence": "fence"},
        "ExpressionAttributeValues": {":fence": {"N": str(fence)}},
    }
    put = {"TableName": home, "Item": _item(part, key, row)}
    return _sent(lambda: asking.transact_write_items(TransactItems=[{"ConditionCheck": check}, {"Put": put}]))


def _replace(asking: Any, home: str, part: Any, key: str, before: Json, after: Json) -> bool:
    condition: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(pk)"}
    if before is not None:
        condition = {
            "ConditionExpression": "#row = :before",
            "ExpressionAttributeNames": {"#row": "row"},
            "ExpressionAttributeValues": {":before": {"S": canonical(before)}},
        }
    return _sent(lambda: asking.put_item(TableName=home, Item=_item(part, key, after), **condition))


def _sent(send: Callable[[], object]) -> bool:
    """Whether a conditional write took effect; one that met another request is sent again."""
    for attempt in range(ATTEMPTS):
        try:
            send()
            return True
        except ClientError as error:
            response: Any = error.response
            codes = {one.get("Code") for one in response.get("CancellationReasons", ())} - {"None"}
            codes = codes or {response["Error"].get("Code")}
            if codes & {"ConditionalCheckFailed", "ConditionalCheckFailedException"}:
                return False
            if not codes & BUSY:
                raise
        time.sleep(min(0.01 * 2**attempt, 0.5))
    raise StatementFailed(f"other requests were in the way {ATTEMPTS} times")
