"""Requests of several items: split as the service wants them, and what it leaves undone sent again."""

import time
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal
from typing import Any

from keywright.engines.dynamodb.capabilities import BATCH_KEYS, BATCH_WRITES, DIGITS

from .natives import ordered
from .spans import Key

Item = dict[str, Any]

_EXACT = Context(prec=DIGITS.value)

_PAUSE, _LONGEST = 0.05, 2.0
"""Seconds before what was left undone is sent again, doubled each time."""


def get_items(
    client: Any, table: str, keys: Sequence[Key], *, attributes: tuple[str, ...] = (), is_strong: bool = False
) -> list[Item | None]:
    """The items under some keys, in their order; None for one that is not there."""
    names = list(keys[0]) if keys else []
    wanted = tuple(dict.fromkeys((*names, *attributes))) if attributes else ()
    signs = {f"#n{at}": name for at, name in enumerate(wanted)}
    further: dict[str, Any] = {"ConsistentRead": True} if is_strong else {}
    if signs:
        further |= {"ProjectionExpression": ", ".join(signs), "ExpressionAttributeNames": signs}
    found: dict[str, Item] = {}
    different = {_text(key): key for key in keys}
    for some in _split(list(different.values()), BATCH_KEYS.value):
        waiting, pause = {"Keys": some, **further}, _PAUSE
        while waiting:
            answer = client.batch_get_item(RequestItems={table: waiting})
            for item in answer["Responses"].get(table, ()):
                found[_text({name: item[name] for name in names})] = item
            waiting = answer.get("UnprocessedKeys", {}).get(table)
            if waiting:
                pause = _wait(pause)
    return [found.get(_text(key)) for key in keys]


def write_items(client: Any, table: str, requests: Sequence[dict[str, Any]]) -> None:
    """Puts and deletes, none of them of the same key."""
    for some in _split(list(requests), BATCH_WRITES.value):
        waiting, pause = some, _PAUSE
        while waiting:
            answer = client.batch_write_item(RequestItems={table: waiting})
            waiting = answer.get("UnprocessedItems", {}).get(table, [])
            if waiting:
                pause = _wait(pause)


def _split(some: list[Any], size: int) -> Iterator[list[Any]]:
    for at in range(0, len(some), size):
        yield some[at : at + size]


def _wait(pause: float) -> float:
    time.sleep(pause)
    return min(pause * 2, _LONGEST)


def _text(key: Key) -> str:
    """What tells keys apart: numbers come back in another form than they were sent."""
    return "|".join(str(_plain(native)) for native in key.values())


def _plain(native: dict[str, Any]) -> Any:
    value = ordered(native)
    return value.normalize(_EXACT) if isinstance(value, Decimal) else value
