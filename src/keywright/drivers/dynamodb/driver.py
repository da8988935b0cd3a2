"""The driver of DynamoDB; the only module that imports boto3 and botocore."""

import time
from collections.abc import Iterable
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, urlsplit

from keywright.drivers.batches import batches
from keywright.drivers.dynamodb.counting import counted
from keywright.drivers.dynamodb.introspect import introspect, is_service
from keywright.drivers.dynamodb.ledger import ledger
from keywright.drivers.dynamodb.misfits import misfits
from keywright.drivers.dynamodb.observer import observer
from keywright.drivers.dynamodb.pages import pages
from keywright.drivers.dynamodb.recorder import observed
from keywright.drivers.redact import before, without_quotes
from keywright.drivers.translate_errors import not_installed, translate_errors
from keywright.engines.contract.counting import StoreSize
from keywright.engines.contract.plan import Statement
from keywright.engines.dynamodb.access.stand_in import DYNOXIDE
from keywright.engines.dynamodb.schema.capabilities import LOCAL_KEY, LOCAL_REGION
from keywright.engines.interface import Driver, ServerUnreachable, StatementFailed, TooSoon

try:
    import boto3
    from botocore import xform_name
    from botocore.client import BaseClient
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError, ConnectionError, HTTPClientError, ParamValidationError
except ImportError as error:
    raise not_installed("dynamodb") from error

BATCH = 25
"""Items of one BatchWriteItem.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html, 2026-11-21."""

SERVICE = "aws:"
"""Prefix of the service's address: `aws:eu-west-1`, or `aws:` for the default region of the machine."""


def client(url: str, *, timeout_seconds: float = 10) -> BaseClient:
    """Client of the local server at `url` (`http://host:port`, or `http://KEY@host:port` for separate tables), or of
    the service, with the credentials that boto3 finds.
    """
    if url.startswith(SERVICE):
        config = Config(connect_timeout=timeout_seconds, read_timeout=timeout_seconds, retries={"mode": "standard"})
        return boto3.Session(region_name=url.removeprefix(SERVICE) or None).client("dynamodb", config=config)
    address = urlsplit(url)
    _ = address.port  # boto3 would report an invalid port only later
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
    except (BotoCoreError, ClientError, ValueError):  # ValueError for an address that cannot be parsed
        return False
    return True


def version(url: str) -> str:
    """Version of dynoxide; empty for other servers, which do not report one."""
    try:
        answer = client(url, timeout_seconds=2).list_tables(Limit=1)
    except (BotoCoreError, ClientError):
        return ""
    server = str(answer["ResponseMetadata"]["HTTPHeaders"].get("server", ""))
    return server.lower().replace("/", " ") if server.lower().startswith(DYNOXIDE) else ""


def connect(url: str) -> Driver:
    """Connection to the tables of one access key."""
    try:
        boto_client = client(url)
    except BotoCoreError as error:  # no region, or a missing profile
        raise _failure(error) from error
    except ValueError as error:  # its message may contain a part of the address
        raise ServerUnreachable("its address is invalid") from error
    driver = Driver(
        introspect=lambda names: {name: introspect(boto_client, name) for name in names},
        names=lambda: tuple(
            name for page in boto_client.get_paginator("list_tables").paginate() for name in page["TableNames"]
        ),
        run=lambda statement: _run(boto_client, statement),
        load=lambda table, items: _load(boto_client, table, items),
        stored=lambda table, item: _stored(boto_client, table, item),
        observe=lambda: observed(boto_client),
        ledger=lambda home, store: ledger(boto_client, home, store),
        pages=lambda work: pages(boto_client, work),
        observer=lambda: observer(boto_client),
        size=lambda table: _size(boto_client, table),
        counted=lambda question: counted(boto_client, question),
        misfits=lambda table, index, cursor, limit: misfits(boto_client, table, index, cursor, limit),
        drop=lambda names: _drop(boto_client, names),
        close=boto_client.close,
    )
    return translate_errors(driver, (BotoCoreError, ClientError), _failure)


ON_ITEMS = frozenset((
    "BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "DeleteItem", "ExecuteStatement", "ExecuteTransaction",
    "GetItem", "PutItem", "Query", "Scan", "TransactGetItems", "TransactWriteItems", "UpdateItem",
))  # fmt: skip
"""Operations whose requests contain items or parts of them."""

QUOTING = frozenset((
    "ConditionalCheckFailedException", "DuplicateItemException", "SerializationException",
    "TransactionCanceledException", "ValidationException",
))  # fmt: skip
"""Error codes whose messages may quote the request or the stored item.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html, 2026-11-22."""


HELP = {
    "ResourceInUseException": "another change of the table is in progress: wait until it is ACTIVE",
    "LimitExceededException": "the limit of concurrent changes, or of tables and indexes, is reached: "
    "wait for the other changes, or request a higher quota",
}
"""Help lines for errors, by code.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html, 2026-11-22."""


def _failure(error: Exception) -> StatementFailed:
    """The server's message; messages about items only up to the first quotation."""
    if isinstance(error, ParamValidationError):
        return StatementFailed("the client cannot send the request")
    if isinstance(error, ClientError):
        details: Any = error.response["Error"]
        code, help = details.get("Code"), HELP.get(str(details.get("Code")), "")
        if error.operation_name == "UpdateTimeToLive" and code == "ValidationException":
            # Names of attributes were checked, so this is the pause of an hour after a change of the same table.
            return TooSoon(f"{details.get('Message') or error} ({code})")
        if error.operation_name in ON_ITEMS and code in QUOTING:
            return StatementFailed(
                f"{before(without_quotes(str(details.get('Message') or '')), ':')} ({code})".strip(), help
            )
        return StatementFailed(f"{details.get('Message') or error} ({code})", help)
    if isinstance(error, (ConnectionError, HTTPClientError)):
        return ServerUnreachable(str(error))
    return StatementFailed(str(error))


def _run(boto_client: Any, statement: Statement) -> None:
    native: Any = statement.native
    getattr(boto_client, xform_name(native["operation"]))(**native["input"])


def _load(boto_client: Any, table: str, items: Iterable[Any]) -> int:
    """Write items in batches; of several items with one key the last remains, as with single puts."""
    key = [part["AttributeName"] for part in _key_schema(boto_client, table)]
    written = 0
    for batch in batches(items, BATCH):
        latest = {tuple(str(item.get(name)) for name in key): item for item in batch}
        _write(boto_client, table, list(latest.values()))
        written += len(batch)
    return written


def _stored(boto_client: Any, table: str, item: Any) -> Any:
    """Stored item with the key of another item."""
    key = {part["AttributeName"]: item[part["AttributeName"]] for part in _key_schema(boto_client, table)}
    stored = boto_client.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
    return None if stored is None else {name: _normalised(value, item.get(name)) for name, value in stored.items()}


def _normalised(native: Any, model: Any) -> Any:
    """Stored value as `runtime` writes it: equal numbers with the same digits, sets in order."""
    ((kind, value),) = native.items()
    other = model.get(kind) if isinstance(model, dict) else None
    match kind:
        case "N":
            return {kind: other if other is not None and Decimal(other) == Decimal(value) else value}
        case "NS":
            texts = {Decimal(element): element for element in other or ()}
            return {kind: sorted(texts.get(Decimal(element), element) for element in value)}
        case "SS" | "BS":
            return {kind: sorted(value)}
        case "L":
            others = other if other is not None and len(other) == len(value) else [None] * len(value)
            return {
                kind: [
                    _normalised(element, other_element) for element, other_element in zip(value, others, strict=True)
                ]
            }
        case "M":
            return {kind: {name: _normalised(element, (other or {}).get(name)) for name, element in value.items()}}
        case _:
            return native


def _key_schema(boto_client: Any, table: str) -> Any:
    return boto_client.describe_table(TableName=table)["Table"]["KeySchema"]


def _size(boto_client: Any, name: str) -> StoreSize:
    """Size that a table reports; the service updates it periodically, a local server at once.

    Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html, 2026-11-21.
    """
    try:
        table = boto_client.describe_table(TableName=name)["Table"]
    except boto_client.exceptions.ResourceNotFoundException:
        return StoreSize(0, 0)
    remark = "counted by the service about every six hours" if is_service(table) else ""
    return StoreSize(table["ItemCount"], table["TableSizeBytes"], remark=remark)


def _drop(boto_client: Any, names: Iterable[str]) -> None:
    """Delete tables and wait until they are gone; missing tables are ignored."""
    deleted: list[str] = []
    for name in names:
        try:
            boto_client.delete_table(TableName=name)
            deleted.append(name)
        except boto_client.exceptions.ResourceNotFoundException:
            continue
    for name in deleted:
        boto_client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})


def _write(boto_client: Any, table: str, items: list[Any]) -> None:
    """Write a batch; unprocessed items are sent again, with growing pauses."""
    unprocessed, pause = [{"PutRequest": {"Item": item}} for item in items], 0.05
    while unprocessed:
        unprocessed = boto_client.batch_write_item(RequestItems={table: unprocessed})["UnprocessedItems"].get(table, [])
        if unprocessed:
            time.sleep(pause)
            pause = min(pause * 2, 2)
