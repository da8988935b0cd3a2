"""Live checks of DynamoDB: a few pages of a scan, and the tables' own figures."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.contract.discriminators import is_of
from keywright.engines.contract.observer import Figure, LiveIndex, Observer, SampledItem, Works
from keywright.engines.dynamodb.access.cost.native_bytes import native_bytes
from keywright.engines.dynamodb.schema.capabilities import TTL_PAST_SECONDS
from keywright.record import replace

PAGE = 100
"""Items of one request."""

SEGMENTS = 8
"""Segments of a large table that a sample reads."""

_MILLISECONDS = 10**11
"""Least number that is milliseconds: as seconds, it would be after the year 5000."""


def observer(client: Any) -> Observer:
    """Observer of the tables of one access key."""
    return Observer(
        sample=lambda table, works, limit: _sample(client, table, works, limit),
        count=lambda table: int(_describe(client, table)["ItemCount"]),
        table=lambda table: _table(_describe(client, table)),
        indexes=lambda table: _indexes(_describe(client, table)),
        plain=lambda item, work: {name: _plain(value) for name, value in item.items()},
    )


def _plain(value: Any) -> Any:
    """Native value as dictionaries and lists; single values are unchanged, NULL is None."""
    if "M" in value:
        return {name: _plain(inner) for name, inner in value["M"].items()}
    if "L" in value:
        return [_plain(inner) for inner in value["L"]]
    return None if "NULL" in value else value


def _describe(client: Any, table: str) -> Any:
    return client.describe_table(TableName=table)["Table"]


def _sample(client: Any, table: str, works: Works, limit: int) -> Iterator[tuple[SampledItem, ...]]:
    """First items of some segments of a parallel scan; all items of small tables."""
    described = _describe(client, table)
    keys = [part["AttributeName"] for part in described["KeySchema"]]
    ttl = client.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    expiry = ttl.get("AttributeName") if ttl.get("TimeToLiveStatus") in ("ENABLED", "ENABLING") else None
    segments = SEGMENTS if described["ItemCount"] > limit else 1
    for segment in range(segments):
        remaining = -(-limit // segments)
        request: dict[str, Any] = {"TableName": table, "Segment": segment, "TotalSegments": segments}
        while remaining > 0:
            answer = client.scan(**request, Limit=min(remaining, PAGE))
            yield tuple(_sampled_item(item, keys, works, expiry) for item in answer["Items"])
            remaining -= len(answer["Items"])
            if "LastEvaluatedKey" not in answer:
                break
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _sampled_item(item: Mapping[str, Any], keys: list[str], works: Works, expiry: str | None) -> SampledItem:
    version = item.get(VERSION, {"N": "1"}).get("N", "")
    entity = next((name for name, work in works.items() if _is_of(item, keys, work)), "")
    types = works[entity].types if entity else {}
    return SampledItem(
        entity=entity,
        is_misplaced=bool(entity) and not is_of(_texts(item, keys), replace(works[entity], others=())),
        wrong=tuple(name for name, value in item.items() if types.get(name) == "N" and "S" in value),
        item=item,
        bytes=native_bytes(item),
        version=int(version) if version.isdecimal() else None,
        expiry="" if expiry is None else _expiry_kind(item.get(expiry), time.time()),
    )


def _is_of(item: Mapping[str, Any], keys: list[str], work: Any) -> bool:
    if (discriminator := work.discriminator) is not None:
        return item.get(discriminator.attribute) in [{"S": value} for value in discriminator.values]
    return is_of(_texts(item, keys), work)


def _texts(item: Mapping[str, Any], keys: list[str]) -> dict[str, str | None]:
    """Texts of an item's key, by the argument of their templates."""
    return {argument: item[name].get("S") for argument, name in zip(("pk", "sk"), keys, strict=False)}


def _expiry_kind(value: Any, now: float) -> str:
    """Kind of a value where epoch seconds are expected."""
    if value is None or "NULL" in value:
        return "missing"
    if "N" not in value:
        return "text" if "S" in value else "other"
    seconds = float(value["N"])
    if seconds >= _MILLISECONDS:
        return "milliseconds"
    return "past" if seconds < now - TTL_PAST_SECONDS.value else "seconds"


def _table(described: Any) -> Mapping[str, Figure]:
    return {
        "status": str(described["TableStatus"]),
        "items": described["ItemCount"],
        "bytes": described["TableSizeBytes"],
    }


def _indexes(described: Any) -> tuple[LiveIndex, ...]:
    """Global indexes that can be queried, with their sizes; indexes in creation or deletion cannot."""
    indexes = sorted(described.get("GlobalSecondaryIndexes", ()), key=lambda index: str(index["IndexName"]))
    return tuple(
        LiveIndex(table=described["TableName"], name=index["IndexName"], items=int(index.get("ItemCount", 0)))
        for index in indexes
        if index["IndexStatus"] in ("ACTIVE", "UPDATING")
    )
