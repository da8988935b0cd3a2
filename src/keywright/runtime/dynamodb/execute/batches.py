"""Requests of several items: split by the service's limits, and repeated for unprocessed items."""

import time
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal
from typing import Any

from keywright.engines.dynamodb.schema.capabilities import BATCH_KEYS, BATCH_WRITES, DIGITS

from ..client_types import DynamoClient
from .natives import ordered
from .spans import Key

NativeItem = dict[str, Any]

_EXACT = Context(prec=DIGITS.value)

_PAUSE, _LONGEST = 0.05, 2.0
"""First and longest pause in seconds before unprocessed items are sent again; it doubles each time."""


def get_items(
    client: DynamoClient, table: str, keys: Sequence[Key], *, attributes: tuple[str, ...] = (), is_strong: bool = False
) -> list[NativeItem | None]:
    """Items of keys, in the order of the keys; None for a missing item."""
    names = list(keys[0]) if keys else []
    projected = tuple(dict.fromkeys((*names, *attributes))) if attributes else ()
    placeholders = {f"#n{position}": name for position, name in enumerate(projected)}
    options: dict[str, Any] = {"ConsistentRead": True} if is_strong else {}
    if placeholders:
        options |= {"ProjectionExpression": ", ".join(placeholders), "ExpressionAttributeNames": placeholders}
    items: dict[str, NativeItem] = {}
    distinct = {_identity(key): key for key in keys}
    for chunk in _split(list(distinct.values()), BATCH_KEYS.value):
        pending, pause = {"Keys": chunk, **options}, _PAUSE
        while pending:
            answer = client.batch_get_item(RequestItems={table: pending})
            for item in answer["Responses"].get(table, ()):
                items[_identity({name: item[name] for name in names})] = item
            pending = answer.get("UnprocessedKeys", {}).get(table)
            if pending:
                pause = _wait(pause)
    return [items.get(_identity(key)) for key in keys]


def write_items(client: DynamoClient, table: str, requests: Sequence[dict[str, Any]]) -> None:
    """Puts and deletes, all of different keys."""
    for chunk in _split(list(requests), BATCH_WRITES.value):
        pending, pause = chunk, _PAUSE
        while pending:
            answer = client.batch_write_item(RequestItems={table: pending})
            pending = answer.get("UnprocessedItems", {}).get(table, [])
            if pending:
                pause = _wait(pause)


def _split(elements: list[Any], size: int) -> Iterator[list[Any]]:
    for start in range(0, len(elements), size):
        yield elements[start : start + size]


def _wait(pause: float) -> float:
    time.sleep(pause)
    return min(pause * 2, _LONGEST)


def _identity(key: Key) -> str:
    """Text that identifies a key: the service returns numbers in another form than they were sent."""
    return "|".join(str(_plain(native)) for native in key.values())


def _plain(native: dict[str, Any]) -> Any:
    value = ordered(native)
    return value.normalize(_EXACT) if isinstance(value, Decimal) else value
