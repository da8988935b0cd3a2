"""Whether the server's own evidence of a call agrees with the path that was planned.

DynamoDB Local, up to 3.3.1, reports other units than the service in some cases, which are not judged: those of
transactions (it rounds all items together, and charges indexes twice), of a Query that finds nothing (0 in place of the
least), of keys that are missing in a BatchGetItem (0) or deleted in a BatchWriteItem (2 in place of 1), and of failed
conditions (none). Source: runs against it, and paritysuite/dynamodb-conformance for the service, 2026-08.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.cost import Band
from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.interface import Event

from ..target import TableTarget
from .calls import BatchGetItem, Call, Delete, GetItem, Put, Query, TransactWrite, Update
from .cost import cost
from .cost_read import chunk
from .cost_write import write_arms
from .layout import Entity, entity_of
from .size import entry_bytes, item_bytes
from .units import READ_BYTES

_SLACK = 1e-9


def judge(planned: Planned[TableTarget], events: tuple[Event, ...], returned: int) -> Iterator[str]:
    """See `Engine.judge`."""
    assert isinstance(planned.path, AccessPath)
    call: Any = planned.path.call
    allowed = _operations(call)
    for event in events:
        if event["operation"] not in allowed:
            yield f"{event['operation']} was sent, and the path is {' or '.join(sorted(allowed))}"
    entity = entity_of(planned.target, planned.binding)
    if entity is None or isinstance(call, TransactWrite):
        return
    done = tuple(event for event in events if "error" not in event and event["operation"] in allowed)
    match call:
        case Query():
            yield from _of_query(entity, planned, call, done)
        case GetItem() | BatchGetItem():
            for event in done:
                yield from _of_items(entity, event, is_strong=call.is_strong)
        case _:
            for event in done:
                yield from _of_write(entity, call, event)


def _operations(call: Call) -> frozenset[str]:
    """What a call may send."""
    match call:
        case GetItem():
            return frozenset(("GetItem",))
        case BatchGetItem():
            return frozenset(("BatchGetItem",))
        case Query(fetches=True):
            return frozenset(("Query", "BatchGetItem"))
        case Query():
            return frozenset(("Query",))
        case Put():
            return frozenset(("PutItem", "BatchWriteItem", "TransactWriteItems"))
        case Update():
            return frozenset(("UpdateItem",) if call.place.copies == 1 else ("TransactWriteItems",))
        case Delete():
            return frozenset(
                ("DeleteItem", "BatchWriteItem") if call.place.copies == 1 else ("TransactWriteItems", "BatchWriteItem")
            )
        case TransactWrite():
            return frozenset(("TransactWriteItems",))


def _of_query(entity: Entity, planned: Planned[TableTarget], call: Query, events: tuple[Event, ...]) -> Iterator[str]:
    queries = [event for event in events if event["operation"] == "Query"]
    for event in queries:
        yield from _as_planned(planned, call, event)
        yield from _of_examined(entity, call, event)
    for event in events:
        if event["operation"] == "BatchGetItem":
            yield from _of_items(entity, event, is_strong=False)
    yield from _of_partitions(planned, call, queries)
    yield from _of_whole(planned, call, queries)


def _as_planned(planned: Planned[TableTarget], call: Query, event: Event) -> Iterator[str]:
    """Index, direction and consistency of one request, and whether it looked at more than it found."""
    request: Any = event["request"]
    if event.get("index", "") != call.index:
        yield f"asked {_called(str(event.get('index', '')))}, and the path is by {_called(call.index)}"
    if request.get("ScanIndexForward", True) == call.is_backward:
        yield f"read {'forward' if call.is_backward else 'backward'}, and the order needs the other direction"
    if bool(request.get("ConsistentRead")) != call.is_strong:
        yield f"{'a strong' if call.is_strong else 'an eventual'} read was planned, and another was sent"
    has_filter = bool(call.filters or call.mark or call.head)
    if not has_filter and event["scanned"] != event["count"]:
        yield f"looked at {event['scanned']} items and found {event['count']}, though nothing is filtered"


def _called(index: str) -> str:
    return f'index "{index}"' if index else "the table"


def _of_examined(entity: Entity, call: Query, event: Event) -> Iterator[str]:
    """Units of one request, by the items that it looked at."""
    scanned: Any = event["scanned"]
    if not scanned:
        return
    route = next(one for one in entity.routes if one.index == call.index)
    share = 1 if call.is_strong else 0.5
    size = entry_bytes(entity, route) * scanned
    if call.mark or call.head:  # whatever else is there has another size
        size = Band(0, None, None)
    yield from _units(event, call.index, size.ceil(READ_BYTES) * share)
    if call.is_completed:
        yield from _units(event, "", item_bytes(entity).ceil(READ_BYTES) * share * scanned)


def _of_items(entity: Entity, event: Event, *, is_strong: bool) -> Iterator[str]:
    """Units of items by their keys."""
    count: Any = event.get("count", 0)
    each = item_bytes(entity).ceil(READ_BYTES) * (1 if is_strong else 0.5)
    if event["operation"] == "GetItem":
        yield from _units(event, "", each if count else Band(each.low, None, each.low))
    elif count:
        # What is missing is charged by the service, and not by the local server.
        request: Any = event["request"]
        (keys,) = request["RequestItems"].values()
        missing = (len(keys["Keys"]) - count) * (1 if is_strong else 0.5)
        yield from _units(event, "", each * count + Band(0, None, missing))


def _of_write(entity: Entity, call: Put | Update | Delete, event: Event) -> Iterator[str]:
    if event["operation"] == "TransactWriteItems":
        return
    request: Any = event["request"]
    count = sum(map(len, request["RequestItems"].values())) if event["operation"] == "BatchWriteItem" else 1
    arms = write_arms(entity, call)
    if isinstance(call, Delete) and event["operation"] == "BatchWriteItem":
        arms[""] = arms[""] + Band(0, None, 1)
    for index, units in arms.items():
        yield from _units(event, index, units * count)
    for index in _told(event):
        if index not in arms:
            yield f"wrote to {_called(index)}, which the change does not reach"


def _told(event: Event) -> dict[str, float]:
    units: Any = event.get("units", {})
    return dict(units)


def _units(event: Event, index: str, band: Band) -> Iterator[str]:
    """Whether one arm of a request is inside its band."""
    found = _told(event).get(index, 0.0)
    if found < band.low - _SLACK or (band.high is not None and found > band.high + _SLACK):
        predicted = f"{band.low:g} to {'any' if band.high is None else f'{band.high:g}'}"
        yield f"{event['operation']} consumed {found:g} units of {_called(index)}, predicted were {predicted}"


def _of_partitions(planned: Planned[TableTarget], call: Query, queries: list[Event]) -> Iterator[str]:
    """Whether all partitions of a merged page were asked, and no more than the path says."""
    assert isinstance(planned.path, AccessPath)
    asked = {_partition(call, event) for event in queries}
    slots = [slot for filling in call.key for slot in filling.filled.slots]
    is_known = all(slot.count is not None for slot in slots)
    if is_known and len(asked) > planned.path.fan_out:
        yield f"asked {len(asked)} partitions, and the path has {planned.path.fan_out} at the most"
    is_fixed = all(slot.kind in ("value", "shards", "constants") for slot in slots) and call.merges
    is_first = not any("ExclusiveStartKey" in _request(event) for event in queries)
    if is_fixed and is_first and queries and not call.walked and len(asked) < _partitions(call):
        yield f"asked {len(asked)} partitions of {_partitions(call)}, and all of them are merged"


def _partitions(call: Query) -> int:
    """Partitions whose number is known beforehand."""
    found = 1
    for filling in call.key:
        for slot in filling.filled.slots:
            found *= slot.count or 1
    return found


def _partition(call: Query, event: Event) -> str:
    """The values of the partition half in one request."""
    request = _request(event)
    names = request.get("ExpressionAttributeNames", {})
    values = request.get("ExpressionAttributeValues", {})
    hashes = {filling.attribute for filling in call.key}
    found = []
    for test in str(request.get("KeyConditionExpression", "")).split(" AND "):
        sign, _, value = test.partition(" = ")
        if names.get(sign) in hashes:
            found.append(str(values.get(value)))
    return "|".join(found)


def _request(event: Event) -> dict[str, Any]:
    request: Any = event["request"]
    return dict(request)


def _of_whole(planned: Planned[TableTarget], call: Query, queries: list[Event]) -> Iterator[str]:
    """Whether a page by the pattern's own limit looked at no more, and cost no more, than was predicted."""
    assert isinstance(planned.path, AccessPath)
    slots = [
        *(slot for filling in call.key for slot in filling.filled.slots),
        *(call.span.reading.slots if call.span else ()),
    ]
    if call.limit is None or call.filters or call.mark or call.head or any(slot.count is None for slot in slots):
        return
    most = chunk(call.limit, planned.path.fan_out) if call.merges else call.limit
    if any(_request(event).get("Limit", 0) > most for event in queries):
        return  # the caller asked for another page
    predicted = cost(planned)
    examined: Any = sum(int(str(event["scanned"])) for event in queries)
    if predicted.examined.high is not None and examined > predicted.examined.high:
        yield f"looked at {examined} items, predicted were {predicted.examined.high:g} at the most"
    band = dict(predicted.arms).get(call.index)
    total = sum(_told(event).get(call.index, 0.0) for event in queries)
    if band is not None and band.high is not None and total > band.high + _SLACK:
        yield f"consumed {total:g} units of {_called(call.index)}, predicted were {band.high:g} at the most"
