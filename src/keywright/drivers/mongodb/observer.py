"""What keywright looks at on a live MongoDB server: samples, indexes, the profiler, figures; nothing is written."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.extras import not_installed
from keywright.engines.flaws.observation import Figure, Way
from keywright.engines.interface import Observed
from keywright.engines.observer import Observer, Taken, Works

from .mongodb_evidence import Listener, explained
from .mongodb_values import CODEC

try:
    import bson
    from bson.raw_bson import RawBSONDocument
    from pymongo import MongoClient, ReadPreference
    from pymongo.errors import OperationFailure
except ImportError as error:
    raise not_installed("mongodb") from error

PAGE = 100
"""Documents of one answer."""

MILLISECONDS = 10_000
"""How long the server may take over one request before it ends it by itself."""

PROFILED = 1000
"""Entries of the profiler that are read, the latest first."""

_LENIENT = CODEC.with_options(unicode_decode_error_handler="replace")
"""Text that is no UTF-8 is not what ends a look."""

_CACHE = {
    "bytes currently in the cache": "cache_bytes", "maximum bytes configured": "cache_bytes_most",
    "pages read into cache": "cache_pages_read", "pages requested from the cache": "cache_pages_asked",
}  # fmt: skip


def observer(asking: Any, url: str, watched: list[Any]) -> Observer:
    """The eyes on all databases of one server; samples are read from a secondary, where there is one.

    watched: clients that end with the driver; the recorded one is added.
    """
    return Observer(
        sample=lambda name, works, limit: _sample(_collection(asking, name), works, limit),
        count=lambda name: _count(asking, name),
        table=lambda name: _table(asking, name),
        ways=lambda name: _ways(asking, name),
        figures=lambda: _figures(asking),
        absent=lambda name, keys: _absent(_collection(asking, name), keys),
        values=lambda name, keys, path: _values(_collection(asking, name), keys, path),
        watch=lambda: _watch(asking, url, watched),
    )


def _collection(asking: Any, name: str) -> Any:
    database, _, collection = name.partition(".")
    return asking[database].get_collection(collection, read_preference=ReadPreference.SECONDARY_PREFERRED)


def _sample(found: Any, works: Works, limit: int) -> Iterator[tuple[Taken, ...]]:
    """Documents that the server draws at random; of small collections all."""
    expiry = _expiring(found)
    raw = found.with_options(codec_options=_LENIENT.with_options(document_class=RawBSONDocument))
    is_small = raw.estimated_document_count(maxTimeMS=MILLISECONDS) <= limit
    drawn: list[Any] = [{"$limit": limit} if is_small else {"$sample": {"size": limit}}]
    page: list[Taken] = []
    with raw.aggregate(drawn, batchSize=PAGE, maxTimeMS=MILLISECONDS) as documents:
        for one in documents:
            document = bson.decode(one.raw, _LENIENT)
            page.append(_taken(document, len(one.raw), works, expiry))
            if len(page) == PAGE:
                yield tuple(page)
                page = []
    if page:
        yield tuple(page)


def _expiring(found: Any) -> str | None:
    """The field by which documents expire."""
    for index in found.list_indexes():
        if "expireAfterSeconds" in index:
            return str(next(iter(index["key"])))
    return None


def _taken(document: Mapping[str, Any], size: int, works: Works, expiry: str | None) -> Taken:
    marked = (name for name, work in works.items() if work.mark is None or document.get(work.mark[0]) == work.mark[1])
    version = document.get(VERSION, 1)
    return Taken(
        entity=next(marked, ""),
        item=document,
        bytes=size,
        version=int(version) if isinstance(version, (int, float)) else None,
        expiry="" if expiry is None else _kind(_at(document, expiry.split("."))),
    )


def _at(value: Any, names: Sequence[str]) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _kind(value: Any) -> str:
    """What stands where a date should; an array expires by its earliest date."""
    if isinstance(value, list):
        return "time" if any(isinstance(one, datetime) for one in value) else "other"
    if value is None:
        return "missing"
    if isinstance(value, (datetime, bson.DatetimeMS)):
        return "time"
    return "text" if isinstance(value, str) else "number" if isinstance(value, (int, float)) else "other"


def _count(asking: Any, name: str) -> int | None:
    """By the collection's own count; a time series has none."""
    count = _stats(asking, name).get("count")
    return None if count is None else int(count)


def _stats(asking: Any, name: str) -> Mapping[str, Any]:
    database, _, collection = name.partition(".")
    found: Mapping[str, Any] = asking[database].command("collStats", collection, maxTimeMS=MILLISECONDS)
    return found


def _table(asking: Any, name: str) -> Mapping[str, Figure]:
    """Sizes in bytes, how long reads take, and what the profiler has kept of collection scans, if it is on."""
    told = _stats(asking, name)
    names = {"size": "bytes", "storageSize": "stored_bytes", "totalIndexSize": "index_bytes"}
    found: dict[str, Figure] = {ours: told[theirs] for theirs, ours in names.items() if theirs in told}
    return {**found, **_latency(asking, name), **_scans(asking, name)}


def _latency(asking: Any, name: str) -> dict[str, Figure]:
    """How many reads the server has timed, and what all but one in a hundred took at the most.

    The histogram tells where a bucket begins: the true time may be up to twice as long.
    """
    database, _, collection = name.partition(".")
    asked = [{"$collStats": {"latencyStats": {"histograms": True}}}]
    try:
        told = list(asking[database][collection].aggregate(asked, maxTimeMS=MILLISECONDS))
    except OperationFailure:
        return {}  # a view, or who may not ask
    reads = [one["latencyStats"]["reads"] for one in told]
    count, seen = sum(int(one["ops"]) for one in reads), 0
    for bucket in sorted((one for read in reads for one in read["histogram"]), key=lambda one: int(one["micros"])):
        seen += int(bucket["count"])
        if seen >= count * 0.99:
            return {"reads": count, "read_p99_ms": int(bucket["micros"]) / 1000}
    return {}


def _scans(asking: Any, name: str) -> dict[str, Figure]:
    """How many slow operations of the profiler have read the collection from end to end, and what the worst read."""
    database = asking[name.partition(".")[0]]
    try:
        profile = database["system.profile"].find({"ns": name}, sort=[("$natural", -1)], limit=PROFILED)
        entries = [one for one in profile.max_time_ms(MILLISECONDS) if _is_scan(one)]
    except OperationFailure:
        return {}  # who may not read it cannot be told what is in it
    if not entries:
        return {}
    return {"scans": len(entries), "scanned_most": max(int(one.get("docsExamined", 0)) for one in entries)}


def _is_scan(entry: Mapping[str, Any]) -> bool:
    """Whether an operation read the collection from end to end; a look such as this one does not count."""
    first: Mapping[str, Any] = next(iter(entry.get("command", {}).get("pipeline", ())), {})
    is_look = bool({"$sample", "$limit", "$indexStats"} & first.keys())
    return "COLLSCAN" in str(entry.get("planSummary", "")) and not is_look


def _ways(asking: Any, name: str) -> tuple[Way, ...]:
    """Indexes with their uses, as the primary counts them; those of shards together."""
    database, _, collection = name.partition(".")
    now, found = datetime.now(UTC), dict[str, list[Any]]()
    for one in asking[database][collection].aggregate([{"$indexStats": {}}], maxTimeMS=MILLISECONDS):
        found.setdefault(str(one["name"]), []).append(one)
    return tuple(_way(name, index, members, now) for index, members in sorted(found.items()))


def _way(place: str, name: str, members: Sequence[Any], now: datetime) -> Way:
    since = max(one["accesses"]["since"].replace(tzinfo=UTC) for one in members)
    does_more = any({"unique", "expireAfterSeconds"} & one.get("spec", {}).keys() for one in members)
    return Way(
        table=place,
        name=name,
        uses=sum(int(one["accesses"]["ops"]) for one in members),
        days=(now - since).total_seconds() / 86_400,
        is_needed=name == "_id_" or does_more,
    )


def _figures(asking: Any) -> Mapping[str, Figure]:
    """Connections, the cache, and how far secondaries are behind."""
    status = asking.admin.command("serverStatus")
    connections, cache = status["connections"], status.get("wiredTiger", {}).get("cache", {})
    found: dict[str, Figure] = {
        "connections": connections["current"],
        "connections_most": connections["current"] + connections["available"],
        **{ours: cache[theirs] for theirs, ours in _CACHE.items() if theirs in cache},
    }
    if "repl" in status:
        try:
            members = asking.admin.command("replSetGetStatus")["members"]
        except OperationFailure:
            return found  # whoever may not ask
        moments = {one["stateStr"]: one["optimeDate"] for one in members if "optimeDate" in one}
        behind = [one["optimeDate"] for one in members if one["stateStr"] == "SECONDARY"]
        if "PRIMARY" in moments and behind:
            found["lag_seconds"] = (moments["PRIMARY"] - min(behind)).total_seconds()
    return found


def _absent(found: Any, keys: Sequence[Any]) -> int:
    """By the index on `_id`, a page of keys at a time."""
    wanted, there = list(keys), 0
    for at in range(0, len(wanted), PAGE):
        query = {"_id": {"$in": wanted[at : at + PAGE]}}
        there += found.count_documents(query, hint="_id_", maxTimeMS=MILLISECONDS)
    return len(wanted) - there


def _values(found: Any, keys: Sequence[Any], path: str) -> Mapping[Any, Any]:
    """By the index on `_id`, a page of keys at a time."""
    values: dict[Any, Any] = {}
    for at in range(0, len(keys), PAGE):
        query = {"_id": {"$in": list(keys[at : at + PAGE])}}
        for one in found.find(query, {path: 1}, hint="_id_").max_time_ms(MILLISECONDS):
            values[one["_id"]] = _at(one, path.split("."))
    return values


def _watch(asking: Any, url: str, watched: list[Any]) -> Observed:
    listener = Listener()
    recorded: Any = MongoClient(url, event_listeners=[listener], timeoutMS=MILLISECONDS)
    watched.append(recorded)
    return Observed(client=recorded, events=lambda: tuple(explained(asking, one) for one in listener.taken()))
