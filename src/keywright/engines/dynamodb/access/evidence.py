"""Compares the server's evidence of a call with the planned path.

DynamoDB Local, up to 3.3.1, reports other units than the service in some cases, which are not compared: those of
transactions (it rounds all items together, and charges indexes twice), of an empty Query (0 instead of the least), of
keys that are missing in a BatchGetItem (0) or deleted in a BatchWriteItem (2 instead of 1), and of failed
conditions (none). Source: runs against it, and paritysuite/dynamodb-conformance for the service, 2026-08.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.cost import Band
from keywright.access.search import Planned
from keywright.engines.interface import ClientEvent
from keywright.ir.text import counted, exact

from ..schema.target import TableTarget
from .calls import (
    BatchGetItem,
    Call,
    DeleteItem,
    GetItem,
    PutItems,
    QueryItems,
    QueryTogether,
    ScanItems,
    TransactGet,
    TransactWrite,
    UpdateItem,
)
from .cost.call import cost
from .cost.read import chunk
from .cost.size import entry_bytes, item_bytes
from .cost.units import READ_BYTES
from .cost.write import write_arms
from .layout import Layout, entity_of

_SLACK = 1e-9


def verify(planned: Planned[TableTarget], events: tuple[ClientEvent, ...], returned: int) -> Iterator[str]:
    """See `Engine.verify_evidence`."""
    call: Any = planned.access_path.call
    allowed = _operations(call)
    for event in events:
        if event["operation"] not in allowed:
            yield f"{event['operation']} was sent, but the path is {' or '.join(sorted(allowed))}"
    entity = entity_of(planned.target, planned.binding)
    if entity is None or isinstance(call, (TransactWrite, TransactGet)):
        return
    done = tuple(event for event in events if "error" not in event and event["operation"] in allowed)
    match call:
        case QueryTogether():
            yield from _together_evidence(planned, call, done)
        case QueryItems():
            yield from _query_evidence(entity, planned, call, done)
        case ScanItems():
            yield from _scan_evidence(entity, planned, call, done)
        case GetItem() | BatchGetItem():
            for event in done:
                yield from _key_evidence(entity, event, is_strong=call.is_strong)
        case _:
            for event in done:
                yield from _write_evidence(entity, call, event)


def _operations(call: Call) -> frozenset[str]:
    """Operations that a call may send."""
    match call:
        case GetItem():
            return frozenset(("GetItem",))
        case BatchGetItem():
            return frozenset(("BatchGetItem",))
        case QueryItems(fetches=True):
            return frozenset(("Query", "BatchGetItem"))
        case QueryItems():
            return frozenset(("Query",))
        case ScanItems():
            return frozenset(("Scan",))
        case PutItems():
            return frozenset(("PutItem", "BatchWriteItem", "TransactWriteItems"))
        case UpdateItem():
            return frozenset(("UpdateItem",) if call.place.copies == 1 else ("TransactWriteItems",))
        case DeleteItem():
            return frozenset(
                ("DeleteItem", "BatchWriteItem") if call.place.copies == 1 else ("TransactWriteItems", "BatchWriteItem")
            )
        case QueryTogether():
            return frozenset(("Query",))
        case TransactWrite():
            return frozenset(("TransactWriteItems",))
        case TransactGet():
            return frozenset(("TransactGetItems",))


def _together_evidence(
    planned: Planned[TableTarget], call: QueryTogether, queries: tuple[ClientEvent, ...]
) -> Iterator[str]:
    """Requests, and their units, of a Query of several entities; items of other entities have any size."""
    sizes: list[Band] = []
    for part in planned.parts:
        if (entity := entity_of(part.target, part.binding)) is not None:
            route = next(route for route in entity.routes if route.index == call.query.index)
            sizes.append(entry_bytes(entity, route))
    highs = [size.high for size in sizes if size.high is not None]
    is_alone = not (call.drops or call.query.discriminator) and len(highs) == len(sizes)
    share = 1 if call.query.is_strong else 0.5
    for event in queries:
        yield from _request_evidence(planned, call.query, event)
        scanned: Any = event["scanned"]
        if scanned and is_alone:
            size = Band(min(size.low for size in sizes), None, max(highs)) * scanned
            yield from _units(event, call.query.index, size.ceil(READ_BYTES) * share)
    yield from _partition_evidence(planned, call.query, list(queries))


def _query_evidence(
    entity: Layout, planned: Planned[TableTarget], call: QueryItems, events: tuple[ClientEvent, ...]
) -> Iterator[str]:
    queries = [event for event in events if event["operation"] == "Query"]
    for event in queries:
        yield from _request_evidence(planned, call, event)
        yield from _unit_evidence(entity, call, event)
    for event in events:
        if event["operation"] == "BatchGetItem":
            yield from _key_evidence(entity, event, is_strong=False)
    yield from _partition_evidence(planned, call, queries)
    yield from _page_evidence(planned, call, queries)


def _scan_evidence(
    entity: Layout, planned: Planned[TableTarget], call: ScanItems, events: tuple[ClientEvent, ...]
) -> Iterator[str]:
    for event in events:
        yield from _request_evidence(planned, call.query, event)
        yield from _unit_evidence(entity, call.query, event)
    segments = {_request(event).get("TotalSegments", 1) for event in events} - {call.segments}
    if segments:
        yield f"read a segment of {min(segments)}, but the path has {counted(call.segments, 'segment')}"
    yield from _page_evidence(planned, call.query, list(events))


def _request_evidence(planned: Planned[TableTarget], call: QueryItems, event: ClientEvent) -> Iterator[str]:
    """Index, direction and consistency of one request, and items that it examined without returning them."""
    request: Any = event["request"]
    if event.get("index", "") != call.index:
        yield f"read {_description(str(event.get('index', '')))}, but the path is by {_description(call.index)}"
    if request.get("ScanIndexForward", True) == call.is_backward:
        yield f"read {'forward' if call.is_backward else 'backward'}, but the order needs the other direction"
    if bool(request.get("ConsistentRead")) != call.is_strong:
        yield f"{'a strong' if call.is_strong else 'an eventual'} read was planned, but another was sent"
    has_filter = bool(call.filters or call.discriminator or call.head)
    if not has_filter and event["scanned"] != event["count"]:
        scanned = counted(int(str(event["scanned"])), "item")
        yield f"examined {scanned} and returned {event['count']}, although nothing is filtered"


def _description(index: str) -> str:
    return f'index "{index}"' if index else "the table"


def _unit_evidence(entity: Layout, call: QueryItems, event: ClientEvent) -> Iterator[str]:
    """Units of one request, from the items that it examined."""
    scanned: Any = event["scanned"]
    if not scanned:
        return
    route = next(route for route in entity.routes if route.index == call.index)
    share = 1 if call.is_strong else 0.5
    size = entry_bytes(entity, route) * scanned
    if call.discriminator or call.head:  # items of other entities have other sizes
        size = Band(0, None, None)
    yield from _units(event, call.index, size.ceil(READ_BYTES) * share)
    if call.is_completed:
        yield from _units(event, "", item_bytes(entity).ceil(READ_BYTES) * share * scanned)


def _key_evidence(entity: Layout, event: ClientEvent, *, is_strong: bool) -> Iterator[str]:
    """Units of reads by keys."""
    count: Any = event.get("count", 0)
    item_units = item_bytes(entity).ceil(READ_BYTES) * (1 if is_strong else 0.5)
    if event["operation"] == "GetItem":
        yield from _units(event, "", item_units if count else Band(item_units.low, None, item_units.low))
    elif count:
        # The service charges for missing items; the local server does not.
        request: Any = event["request"]
        (keys,) = request["RequestItems"].values()
        missing = (len(keys["Keys"]) - count) * (1 if is_strong else 0.5)
        yield from _units(event, "", item_units * count + Band(0, None, missing))


def _write_evidence(entity: Layout, call: PutItems | UpdateItem | DeleteItem, event: ClientEvent) -> Iterator[str]:
    if event["operation"] == "TransactWriteItems":
        return
    request: Any = event["request"]
    count = sum(map(len, request["RequestItems"].values())) if event["operation"] == "BatchWriteItem" else 1
    arms = write_arms(entity, call)
    if isinstance(call, DeleteItem) and event["operation"] == "BatchWriteItem":
        arms[""] = arms[""] + Band(0, None, 1)
    for index, units in arms.items():
        yield from _units(event, index, units * count)
    for index in _consumed_units(event):
        if index not in arms:
            yield f"wrote to {_description(index)}, which the change does not affect"


def _consumed_units(event: ClientEvent) -> dict[str, float]:
    units: Any = event.get("units", {})
    return dict(units)


def _units(event: ClientEvent, index: str, band: Band) -> Iterator[str]:
    """Reports an arm of a request whose units are outside its band."""
    units = _consumed_units(event).get(index, 0.0)
    if units < band.low - _SLACK or (band.high is not None and units > band.high + _SLACK):
        predicted = f"{exact(band.low)} to {'any' if band.high is None else exact(band.high)}"
        consumed = f"{counted(units, 'unit')} of {_description(index)}"
        yield f"{event['operation']} consumed {consumed}, predicted {predicted}"


def _partition_evidence(planned: Planned[TableTarget], call: QueryItems, queries: list[ClientEvent]) -> Iterator[str]:
    """Reports partitions that a merged page did not read, and more partitions than the path has."""
    partitions = {_partition(call, event) for event in queries}
    slots = [slot for filling in call.key for slot in filling.filled.slots]
    is_known = all(slot.count is not None for slot in slots)
    fan_out = planned.access_path.fan_out
    if is_known and len(partitions) > fan_out:
        yield f"read {counted(len(partitions), 'partition')}, but the path has at most {fan_out}"
    is_fixed = all(slot.kind in ("value", "shards", "constants") for slot in slots) and call.merges
    is_first = not any("ExclusiveStartKey" in _request(event) for event in queries)
    if is_fixed and is_first and queries and not call.walked and len(partitions) < _partitions(call):
        yield f"read {counted(len(partitions), 'partition')} of {_partitions(call)}, but all of them are merged"


def _partitions(call: QueryItems) -> int:
    """Number of partitions that the path itself determines."""
    partitions = 1
    for filling in call.key:
        for slot in filling.filled.slots:
            partitions *= slot.count or 1
    return partitions


def _partition(call: QueryItems, event: ClientEvent) -> str:
    """Values of the partition key in one request."""
    request = _request(event)
    names = request.get("ExpressionAttributeNames", {})
    values = request.get("ExpressionAttributeValues", {})
    hashes = {filling.attribute for filling in call.key}
    key_values = []
    for test in str(request.get("KeyConditionExpression", "")).split(" AND "):
        sign, _, value = test.partition(" = ")
        if names.get(sign) in hashes:
            key_values.append(str(values.get(value)))
    return "|".join(key_values)


def _request(event: ClientEvent) -> dict[str, Any]:
    request: Any = event["request"]
    return dict(request)


def _page_evidence(planned: Planned[TableTarget], call: QueryItems, queries: list[ClientEvent]) -> Iterator[str]:
    """Reports a page of the pattern's limit that examined or cost more than predicted."""
    slots = [
        *(slot for filling in call.key for slot in filling.filled.slots),
        *(call.span.reading.slots if call.span else ()),
    ]
    if (
        call.limit is None
        or call.filters
        or call.discriminator
        or call.head
        or any(slot.count is None for slot in slots)
    ):
        return
    most = chunk(call.limit, planned.access_path.fan_out) if call.merges else call.limit
    if any(_request(event).get("Limit", 0) > most for event in queries):
        return  # the caller asked for another page
    predicted = cost(planned)
    examined: Any = sum(int(str(event["scanned"])) for event in queries)
    if predicted.examined.high is not None and examined > predicted.examined.high:
        yield f"examined {counted(examined, 'item')}, predicted at most {exact(predicted.examined.high)}"
    band = dict(predicted.arms).get(call.index)
    total = sum(_consumed_units(event).get(call.index, 0.0) for event in queries)
    if band is not None and band.high is not None and total > band.high + _SLACK:
        consumed = f"{counted(total, 'unit')} of {_description(call.index)}"
        yield f"consumed {consumed}, predicted at most {exact(band.high)}"
