"""What keywright looks at in a live DynamoDB: a few pages of a scan, and what tables say of themselves."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.dynamodb.access.measured import native_bytes
from keywright.engines.dynamodb.capabilities import TTL_PAST_SECONDS
from keywright.engines.flaws.observation import Figure, Way
from keywright.engines.observer import Observer, Taken, Works
from keywright.engines.told_by import is_of

PAGE = 100
"""Items that one request asks for."""

SEGMENTS = 8
"""Places of a large table that a sample is taken from."""

_MILLISECONDS = 10**11
"""From here on, a number of seconds would be after the year 5000: it is one of milliseconds."""


def observer(asking: Any) -> Observer:
    """The eyes on the tables that one access key sees."""
    return Observer(
        sample=lambda table, works, limit: _sample(asking, table, works, limit),
        count=lambda table: int(_described(asking, table)["ItemCount"]),
        table=lambda table: _table(_described(asking, table)),
        ways=lambda table: _ways(_described(asking, table)),
    )


def _described(asking: Any, table: str) -> Any:
    return asking.describe_table(TableName=table)["Table"]


def _sample(asking: Any, table: str, works: Works, limit: int) -> Iterator[tuple[Taken, ...]]:
    """The first items of some segments of a parallel scan; of small tables all items."""
    described = _described(asking, table)
    keys = [one["AttributeName"] for one in described["KeySchema"]]
    ttl = asking.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    expiry = ttl.get("AttributeName") if ttl.get("TimeToLiveStatus") in ("ENABLED", "ENABLING") else None
    segments = SEGMENTS if described["ItemCount"] > limit else 1
    for segment in range(segments):
        wanted = -(-limit // segments)
        asked: dict[str, Any] = {"TableName": table, "Segment": segment, "TotalSegments": segments}
        while wanted > 0:
            answer = asking.scan(**asked, Limit=min(wanted, PAGE))
            yield tuple(_taken(one, keys, works, expiry) for one in answer["Items"])
            wanted -= len(answer["Items"])
            if "LastEvaluatedKey" not in answer:
                break
            asked["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _taken(item: Mapping[str, Any], keys: list[str], works: Works, expiry: str | None) -> Taken:
    version = item.get(VERSION, {"N": "1"}).get("N", "")
    entity = next((name for name, work in works.items() if _is_of(item, keys, work)), "")
    types = works[entity].types if entity else {}
    return Taken(
        entity=entity,
        is_misplaced=bool(entity) and not is_of(_texts(item, keys), replace(works[entity], others=())),
        wrong=tuple(name for name, value in item.items() if types.get(name) == "N" and "S" in value),
        item=item,
        bytes=native_bytes(item),
        version=int(version) if version.isdecimal() else None,
        expiry="" if expiry is None else _kind(item.get(expiry), time.time()),
    )


def _is_of(item: Mapping[str, Any], keys: list[str], work: Any) -> bool:
    if work.mark:
        name, value = work.mark
        return bool(item.get(name) == {"S": value})
    return is_of(_texts(item, keys), work)


def _texts(item: Mapping[str, Any], keys: list[str]) -> dict[str, str | None]:
    """The texts of its key, by the argument of their templates."""
    return {argument: item[name].get("S") for argument, name in zip(("pk", "sk"), keys, strict=False)}


def _kind(value: Any, now: float) -> str:
    """What stands where seconds since 1970 should."""
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


def _ways(described: Any) -> tuple[Way, ...]:
    """Global indexes that can be asked, with how much is in them; one that is made or dropped cannot."""
    indexes = sorted(described.get("GlobalSecondaryIndexes", ()), key=lambda one: str(one["IndexName"]))
    return tuple(
        Way(table=described["TableName"], name=one["IndexName"], items=int(one.get("ItemCount", 0)))
        for one in indexes
        if one["IndexStatus"] in ("ACTIVE", "UPDATING")
    )
