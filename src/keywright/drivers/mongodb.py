"""What keywright asks of a MongoDB server; `mongodb_evidence` is its part that watches a client."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import Any

from keywright.drivers.batches import batches
from keywright.drivers.extras import not_installed
from keywright.drivers.mongodb_ledger import ledger
from keywright.drivers.mongodb_observer import observer
from keywright.drivers.mongodb_pages import pages
from keywright.drivers.told import told
from keywright.engines.interface import Description, Driver, Observed, StatementFailed
from keywright.engines.mongodb import reported
from keywright.engines.plan import Step
from keywright.engines.sizes import Size
from keywright.ir.json import Json

try:
    from bson import SON, CodecOptions, json_util
    from pymongo import InsertOne, MongoClient, ReplaceOne
    from pymongo.errors import BulkWriteError, ConnectionFailure, OperationFailure, PyMongoError

    from .mongodb_evidence import Listener, explained
except ImportError as error:
    raise not_installed("mongodb") from error

ALREADY_INITIATED = 23
"""The server's error code when a replica set has its configuration already."""

BATCH = 1000
"""Documents that one bulk write carries."""

_OWN_DATABASES = ("admin", "config", "local")


def client(url: str, *, timeout_seconds: float = 10) -> MongoClient[dict[str, object]]:
    """A client of the server at `url`; it connects on first use and the caller closes it.

    timeout_seconds: how long it looks for a server; what the address says of that wins.
    """
    said, milliseconds = url.partition("?")[2].lower(), int(timeout_seconds * 1000)
    options: dict[str, Any] = dict.fromkeys(("serverSelectionTimeoutMS", "connectTimeoutMS"), milliseconds)
    return MongoClient(url, **{name: value for name, value in options.items() if f"{name.lower()}=" not in said})


def is_ready(url: str) -> bool:
    """Whether the server takes writes: it is the primary of its replica set, or stands alone."""
    try:
        with client(url, timeout_seconds=1) as asking:
            return bool(asking.admin.command("hello").get("isWritablePrimary"))
    except PyMongoError:
        return False


def version(url: str) -> str:
    """The server's version, such as `6.0.5`."""
    with client(url) as asking:
        return str(asking.server_info()["version"])


def initiate(url: str) -> None:
    """Make a server that was started with `--replSet rs0` the only member of that set; does nothing when it is one."""
    with client(url, timeout_seconds=1) as asking:
        try:
            if asking.admin.command("hello").get("setName"):
                return
            host, port = asking.address or ("127.0.0.1", 27017)
            # A set of one elects itself; the default timeout of ten seconds would only delay that.
            settings = {"electionTimeoutMillis": 500}
            members = [{"_id": 0, "host": f"{host}:{port}"}]
            asking.admin.command("replSetInitiate", {"_id": "rs0", "members": members, "settings": settings})
        except OperationFailure as failure:
            if failure.code != ALREADY_INITIATED:
                raise
        except PyMongoError:
            return  # not listening yet: whoever waits for the server asks again


def connect(url: str) -> Driver:
    """A connection to all databases of one server."""
    try:
        asking = client(url)
    except PyMongoError as error:  # whose words may hold a part of the address
        raise StatementFailed("could not reach it: its address cannot be read, or its name is not known") from error
    watched: list[Any] = []  # recorded clients, which end with the driver
    driver = Driver(
        introspect=lambda names: {name: _introspect(asking, name) for name in names},
        names=lambda: tuple(name for name in asking.list_database_names() if name not in _OWN_DATABASES),
        run=lambda step: _run(asking, step),
        load=lambda collection, items: sum(_write(asking, collection, batch) for batch in batches(items, BATCH)),
        stored=lambda name, item: _stored(asking, name, item),
        observe=lambda: _observe(url, asking, watched),
        ledger=lambda home, store: ledger(asking, home, store),
        pages=lambda work: pages(asking, work),
        uses=lambda database, path: _uses(asking[database], path),
        observer=lambda: observer(asking, url, watched),
        size=lambda collection: _size(asking, collection),
        drop=lambda names: _drop(asking, names),
        close=lambda: _close(asking, *watched),
    )
    return told(driver, (PyMongoError,), _words)


def _uses(database: Any, path: tuple[str, ...]) -> Json:
    """How often operations have asked an index, and since when the server counts; each member counts for itself."""
    _, collection, index = path
    found = database[collection].aggregate([{"$indexStats": {}}, {"$match": {"name": index}}])
    told = {one["host"]: one["accesses"] for one in found}
    return {host: [one["ops"], one["since"].isoformat()] for host, one in sorted(told.items())} or None


def _close(*clients: Any) -> None:
    for one in clients:
        one.close()


def _drop(asking: Any, names: Iterable[str]) -> None:
    for name in names:
        asking.drop_database(name)


def _size(asking: Any, name: str) -> Size | None:
    """What the server knows of a collection; a time series keeps no count of its measurements."""
    database, _, collection = name.partition(".")
    if not collection:
        return None
    found = asking[database].command("collStats", collection)
    return Size(found["count"], found["size"], "document") if "count" in found else None


def _stored(asking: Any, collection: str, item: Any) -> Any:
    """The document under an item's `_id`; one without is found by all that it holds."""
    database, _, name = collection.partition(".")
    found = asking[database].get_collection(name, codec_options=CodecOptions(tz_aware=True, tzinfo=UTC))
    if "_id" in item:
        return found.find_one({"_id": item["_id"]})
    # By the index on `_id`, which holds every document, a server that refuses scans answers too.
    is_series = asking[database].command("listCollections", filter={"name": name})["cursor"]["firstBatch"]
    hint = {} if is_series and is_series[0]["type"] == "timeseries" else {"hint": "_id_"}
    document = found.find_one(item, **hint)
    return None if document is None else {key: value for key, value in document.items() if key != "_id"}


def _observe(url: str, asking: Any, watched: list[Any]) -> Observed:
    """A client whose commands are written down; what they read is explained afterwards, by another client."""
    listener = Listener()
    recorded: Any = MongoClient(url, event_listeners=[listener])
    watched.append(recorded)
    return Observed(client=recorded, events=lambda: tuple(explained(asking, one) for one in listener.taken()))


def _introspect(asking: Any, name: str) -> Description:
    """The description of a database; one that is not there is one without collections, to the server too."""
    entries = [one for one in asking[name].list_collections() if not reported.is_hidden_collection(one["name"])]
    indexes: dict[str, Json] = {}
    for entry in entries:
        if found := _indexes(asking[name], entry):
            indexes[entry["name"]] = found
    collections: dict[str, Json] = {one["name"]: reported.collection(_to_json(one)) for one in entries}
    return {"name": name, "generation": 1, "native": {"collections": collections, "indexes": indexes}, "shape": {}}


def _indexes(database: Any, entry: dict[str, Any]) -> dict[str, Json]:
    """Descriptions of a collection's indexes, builds that go on marked as such; that on `_id` is always there."""
    found: dict[str, Json] = {}
    for one in _list_indexes(database, entry):
        name, described = reported.index(_to_json(one.get("spec", one)))
        if name != "_id_":
            found[name] = {**described, "building": True} if "indexBuildInfo" in one else described
    return found


def _list_indexes(database: Any, entry: dict[str, Any]) -> list[dict[str, Any]]:
    if entry["type"] == "view":
        return []
    # Asked for builds, 6.0 answers of a time series that it has no index at all.
    if entry["type"] == "collection":
        try:
            return _all(database, {"listIndexes": entry["name"], "includeIndexBuildInfo": True})
        except OperationFailure:
            pass  # a server that does not know the option
    return _all(database, {"listIndexes": entry["name"]})


def _all(database: Any, command: dict[str, Any]) -> list[dict[str, Any]]:
    """Every document of a command's cursor; no server has more indexes than its first batch holds."""
    return list(database.command(command, cursor={"batchSize": BATCH})["cursor"]["firstBatch"])


def _run(asking: Any, step: Step) -> None:
    statement: Any = step.statement
    arguments = _from_json(statement["arguments"])
    for index in arguments.get("indexes", ()):
        index["key"] = SON((path, direction) for path, direction in index["key"])
    asking[step.target].command(statement["command"], statement["collection"], **arguments)


def _words(error: Exception) -> str:
    """The server's own words, without the rest of its answer."""
    if isinstance(error, ConnectionFailure):
        return f"could not reach it: {str(error).partition(' (')[0]}"
    details: Any = (error.details if isinstance(error, OperationFailure) else None) or {}
    if isinstance(error, BulkWriteError):  # a refusal for each document; the first stands for all
        details = next(iter(details["writeErrors"] or details["writeConcernErrors"]), details)
    return str(details.get("errmsg") or error)


def _to_json(document: Any) -> Any:
    """Relaxed Extended JSON of a BSON document."""
    return json.loads(json_util.dumps(document, json_options=json_util.RELAXED_JSON_OPTIONS))


def _from_json(value: Any) -> Any:
    """The inverse of `_to_json`."""
    return json_util.loads(json.dumps(value))


def _write(asking: Any, collection: str, documents: tuple[Any, ...]) -> int:
    """Write a batch into `database.collection`; a document with an `_id` takes the place of an older one."""
    database, _, name = collection.partition(".")
    writes = [
        ReplaceOne({"_id": one["_id"]}, one, upsert=True) if "_id" in one else InsertOne(one) for one in documents
    ]
    asking[database][name].bulk_write(writes, ordered=False)
    return len(documents)


@contextmanager
def refusing_scans(url: str) -> Iterator[None]:
    """Within the block, the server refuses every query that no index serves: for servers that nobody else uses.

    Source: https://www.mongodb.com/docs/manual/reference/parameters/#mongodb-parameter-param.notablescan, 2026-11-21.
    """
    with client(url) as asking:
        asking.admin.command({"setParameter": 1, "notablescan": True})
        try:
            yield
        finally:
            asking.admin.command({"setParameter": 1, "notablescan": False})
