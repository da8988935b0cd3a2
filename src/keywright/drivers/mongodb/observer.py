"""Live checks of a MongoDB server: samples, indexes, the profiler, figures; nothing is written."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.observer import Figure, LiveIndex, Observer, Remembered, SampledItem, Works
from keywright.engines.interface import Observed

from .evidence import Listener, explained
from .values import CODEC

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
"""Time limit of one request, after which the server ends it."""

PROFILED = 1000
"""Entries of the profiler that are read, the latest first."""

_LENIENT = CODEC.with_options(unicode_decode_error_handler="replace")
"""Text that is not UTF-8 does not end a live check."""

_CACHE = {
    "bytes currently in the cache": "cache_bytes", "maximum bytes configured": "cache_bytes_most",
    "pages read into cache": "cache_pages_read", "pages requested from the cache": "cache_pages_asked",
}  # fmt: skip


def observer(client: Any, url: str, watched: list[Any]) -> Observer:
    """The observer of all databases of one server; samples are read from a secondary if there is one.

    watched: clients that are closed with the driver; the recorded client is added.
    """
    return Observer(
        sample=lambda name, works, limit: _sample(_collection(client, name), works, limit),
        count=lambda name: _count(client, name),
        table=lambda name: _table(client, name),
        indexes=lambda name: _ways(client, name),
        remembered=lambda name: _remembered(client, name),
        figures=lambda: _figures(client),
        absent=lambda name, keys: _absent(_collection(client, name), keys),
        values=lambda name, keys, path: _values(_collection(client, name), keys, path),
        watch=lambda: _watch(client, url, watched),
    )


def _remembered(client: Any, name: str) -> Remembered:
    from .remembered import remembered  # only `keywright adopt` needs it

    return remembered(client, name)


def _collection(client: Any, name: str) -> Any:
    database, _, collection = name.partition(".")
    return client[database].get_collection(collection, read_preference=ReadPreference.SECONDARY_PREFERRED)


def _sample(collection: Any, works: Works, limit: int) -> Iterator[tuple[SampledItem, ...]]:
    """Documents that the server selects at random; all documents of a small collection."""
    expiry = _expiring(collection)
    raw = collection.with_options(codec_options=_LENIENT.with_options(document_class=RawBSONDocument))
    is_small = raw.estimated_document_count(maxTimeMS=MILLISECONDS) <= limit
    pipeline: list[Any] = [{"$limit": limit} if is_small else {"$sample": {"size": limit}}]
    page: list[SampledItem] = []
    with raw.aggregate(pipeline, batchSize=PAGE, maxTimeMS=MILLISECONDS) as documents:
        for raw_document in documents:
            document = bson.decode(raw_document.raw, _LENIENT)
            page.append(_sampled(document, len(raw_document.raw), works, expiry))
            if len(page) == PAGE:
                yield tuple(page)
                page = []
    if page:
        yield tuple(page)


def _expiring(collection: Any) -> str | None:
    """The field that expires documents."""
    for index in collection.list_indexes():
        if "expireAfterSeconds" in index:
            return str(next(iter(index["key"])))
    return None


def _sampled(document: Mapping[str, Any], size: int, works: Works, expiry: str | None) -> SampledItem:
    entities = (
        name
        for name, work in works.items()
        if (discriminator := work.discriminator) is None
        or document.get(discriminator.attribute) in discriminator.values
    )
    version = document.get(VERSION, 1)
    return SampledItem(
        entity=next(entities, ""),
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
    """The kind of value in the expiry field; an array expires by its earliest date."""
    if isinstance(value, list):
        return "time" if any(isinstance(element, datetime) for element in value) else "other"
    if value is None:
        return "missing"
    if isinstance(value, (datetime, bson.DatetimeMS)):
        return "time"
    return "text" if isinstance(value, str) else "number" if isinstance(value, (int, float)) else "other"


def _count(client: Any, name: str) -> int | None:
    """The collection's stored count; a time series has none."""
    count = _stats(client, name).get("count")
    return None if count is None else int(count)


def _stats(client: Any, name: str) -> Mapping[str, Any]:
    database, _, collection = name.partition(".")
    command: Mapping[str, Any] = client[database].command("collStats", collection, maxTimeMS=MILLISECONDS)
    return command


def _table(client: Any, name: str) -> Mapping[str, Figure]:
    """Sizes in bytes, read latencies, and collection scans in the profiler, if it is enabled."""
    stats = _stats(client, name)
    names = {"size": "bytes", "storageSize": "stored_bytes", "totalIndexSize": "index_bytes"}
    sizes: dict[str, Figure] = {ours: stats[theirs] for theirs, ours in names.items() if theirs in stats}
    return {**sizes, **_latency(client, name), **_scans(client, name)}


def _latency(client: Any, name: str) -> dict[str, Figure]:
    """The number of timed reads, and the 99th percentile of their latency.

    The histogram contains the lower bound of each bucket: the true time may be up to twice as long.
    """
    database, _, collection = name.partition(".")
    pipeline = [{"$collStats": {"latencyStats": {"histograms": True}}}]
    try:
        statistics = list(client[database][collection].aggregate(pipeline, maxTimeMS=MILLISECONDS))
    except OperationFailure:
        return {}  # a view, or a user without the privilege
    reads = [entry["latencyStats"]["reads"] for entry in statistics]
    count, cumulative = sum(int(read["ops"]) for read in reads), 0
    for bucket in sorted((item for read in reads for item in read["histogram"]), key=lambda item: int(item["micros"])):
        cumulative += int(bucket["count"])
        if cumulative >= count * 0.99:
            return {"reads": count, "read_p99_ms": int(bucket["micros"]) / 1000}
    return {}


def _scans(client: Any, name: str) -> dict[str, Figure]:
    """The number of slow operations in the profiler that scanned the collection, and the most documents of any."""
    database = client[name.partition(".")[0]]
    try:
        profile = database["system.profile"].find({"ns": name}, sort=[("$natural", -1)], limit=PROFILED)
        entries = [entry for entry in profile.max_time_ms(MILLISECONDS) if _is_scan(entry)]
    except OperationFailure:
        return {}  # a user without access to the profiler
    if not entries:
        return {}
    return {"scans": len(entries), "scanned_most": max(int(entry.get("docsExamined", 0)) for entry in entries)}


def _is_scan(entry: Mapping[str, Any]) -> bool:
    """Whether an operation scanned the collection; the requests of live checks do not count."""
    first: Mapping[str, Any] = next(iter(entry.get("command", {}).get("pipeline", ())), {})
    is_live_check = bool({"$sample", "$limit", "$indexStats"} & first.keys())
    return "COLLSCAN" in str(entry.get("planSummary", "")) and not is_live_check


def _ways(client: Any, name: str) -> tuple[LiveIndex, ...]:
    """Indexes with their uses, as the primary counts them; those of all shards together."""
    database, _, collection = name.partition(".")
    now, members_by_index = datetime.now(UTC), dict[str, list[Any]]()
    for member in client[database][collection].aggregate([{"$indexStats": {}}], maxTimeMS=MILLISECONDS):
        members_by_index.setdefault(str(member["name"]), []).append(member)
    return tuple(_way(name, index, members, now) for index, members in sorted(members_by_index.items()))


def _way(place: str, name: str, members: Sequence[Any], now: datetime) -> LiveIndex:
    since = max(member["accesses"]["since"].replace(tzinfo=UTC) for member in members)
    does_more = any({"unique", "expireAfterSeconds"} & member.get("spec", {}).keys() for member in members)
    return LiveIndex(
        table=place,
        name=name,
        uses=sum(int(member["accesses"]["ops"]) for member in members),
        days=(now - since).total_seconds() / 86_400,
        is_needed=name == "_id_" or does_more,
    )


def _figures(client: Any) -> Mapping[str, Figure]:
    """Connections, the cache, and the lag of secondaries."""
    status = client.admin.command("serverStatus")
    connections, cache = status["connections"], status.get("wiredTiger", {}).get("cache", {})
    figures: dict[str, Figure] = {
        "connections": connections["current"],
        "connections_most": connections["current"] + connections["available"],
        **{ours: cache[theirs] for theirs, ours in _CACHE.items() if theirs in cache},
    }
    if "repl" in status:
        try:
            members = client.admin.command("replSetGetStatus")["members"]
        except OperationFailure:
            return figures  # a user without the privilege
        times = {member["stateStr"]: member["optimeDate"] for member in members if "optimeDate" in member}
        secondary_times = [member["optimeDate"] for member in members if member["stateStr"] == "SECONDARY"]
        if "PRIMARY" in times and secondary_times:
            figures["lag_seconds"] = (times["PRIMARY"] - min(secondary_times)).total_seconds()
    return figures


def _absent(collection: Any, keys: Sequence[Any]) -> int:
    """The number of keys without a document, by the index on `_id`, one page of keys at a time."""
    all_keys, present = list(keys), 0
    for at in range(0, len(all_keys), PAGE):
        query = {"_id": {"$in": all_keys[at : at + PAGE]}}
        present += collection.count_documents(query, hint=[("_id", 1)], maxTimeMS=MILLISECONDS)
    return len(all_keys) - present


def _values(collection: Any, keys: Sequence[Any], path: str) -> Mapping[Any, Any]:
    """The values at a path by key, by the index on `_id`, one page of keys at a time."""
    values: dict[Any, Any] = {}
    for at in range(0, len(keys), PAGE):
        query = {"_id": {"$in": list(keys[at : at + PAGE])}}
        for document in collection.find(query, {path: 1}, hint=[("_id", 1)]).max_time_ms(MILLISECONDS):
            values[document["_id"]] = _at(document, path.split("."))
    return values


def _watch(client: Any, url: str, watched: list[Any]) -> Observed:
    listener = Listener()
    recorded: Any = MongoClient(url, event_listeners=[listener], timeoutMS=MILLISECONDS)
    watched.append(recorded)
    return Observed(client=recorded, events=lambda: tuple(explained(client, command) for command in listener.taken()))
