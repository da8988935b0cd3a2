"""A DynamoDB client that records requests with the capacity that the server reports for them."""

import base64
from collections.abc import Callable
from typing import Any

from keywright.engines.interface import ClientEvent, Observed
from keywright.ir.json import Json

METERED = {
    "get_item": "GetItem", "batch_get_item": "BatchGetItem", "query": "Query", "scan": "Scan", "put_item": "PutItem",
    "update_item": "UpdateItem", "delete_item": "DeleteItem", "batch_write_item": "BatchWriteItem",
    "transact_write_items": "TransactWriteItems", "transact_get_items": "TransactGetItems",
}  # fmt: skip
"""Operations with reported capacity, by the client's name for them."""


class Recorder:
    """Proxy of a client that requests consumed units with every request and records them."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._events: list[dict[str, Json]] = []

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._client, name)
        return self._recording(name, attribute) if name in METERED else attribute

    def _recording(self, name: str, send: Callable[..., Any]) -> Callable[..., Any]:
        def sent(**request: Any) -> Any:
            event: dict[str, Json] = {"operation": METERED[name], "request": _plain(request)}
            self._events.append(event)
            is_requested = "ReturnConsumedCapacity" in request
            try:
                answer = send(**{"ReturnConsumedCapacity": "INDEXES", **request})
            except Exception as error:
                response = getattr(error, "response", None)
                event["error"] = str(response["Error"]["Code"]) if isinstance(response, dict) else type(error).__name__
                raise
            event |= _evidence(request, answer)
            if not is_requested:
                answer.pop("ConsumedCapacity", None)
            return answer

        return sent

    def events(self) -> tuple[ClientEvent, ...]:
        """Events since the last call."""
        events, self._events = tuple(self._events), []
        return events


def observed(client: Any) -> Observed:
    """A recorded client of the same store."""
    recorder = Recorder(client)
    return Observed(client=recorder, events=recorder.events)


def _evidence(request: Any, answer: Any) -> dict[str, Json]:
    """Evidence in the server's answer to a request."""
    evidence: dict[str, Json] = {}
    if "IndexName" in request:
        evidence["index"] = request["IndexName"]
    for name, field in (("Count", "count"), ("ScannedCount", "scanned")):
        if name in answer:
            evidence[field] = answer[name]
    if "Item" in answer or "Responses" in answer:
        evidence["count"] = _count(answer.get("Responses"))
    consumed = answer.get("ConsumedCapacity", [])
    arms: dict[str, float] = {}
    for capacity in consumed if isinstance(consumed, list) else [consumed]:
        if "Table" in capacity:
            arms[""] = arms.get("", 0) + capacity["Table"]["CapacityUnits"]
        for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
            for name, units in capacity.get(kind, {}).items():
                arms[name] = arms.get(name, 0) + units["CapacityUnits"]
    evidence["units"] = {name: units for name, units in sorted(arms.items()) if units or not name}
    return evidence


def _count(responses: Any) -> int:
    """Number of items in the responses of a batch, by table, or of a transaction, in a list; 1 for a single item."""
    if responses is None:
        return 1
    if isinstance(responses, dict):
        return sum(map(len, responses.values()))
    return sum("Item" in response for response in responses)


def _plain(value: Any) -> Json:
    """Request as JSON; bytes in base64, as the service writes them."""
    match value:
        case dict():
            return {str(key): _plain(inner) for key, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_plain(inner) for inner in value]
        case bytes() | bytearray():
            return base64.b64encode(value).decode()
        case None | bool() | int() | float() | str():
            return value
        case _:
            return str(value)
