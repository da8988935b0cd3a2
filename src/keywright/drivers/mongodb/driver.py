"""Requests of keywright to a MongoDB server; `evidence.py` records the commands of a client."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import Any

from keywright.drivers.batches import batches
from keywright.drivers.mongodb.address import check
from keywright.drivers.mongodb.certificates import SECONDS as REACH_SECONDS
from keywright.drivers.mongodb.certificates import FirstAnswers, is_secured
from keywright.drivers.mongodb.dump import documents_in as documents_in
from keywright.drivers.mongodb.introspect import introspect
from keywright.drivers.mongodb.ledger import ledger
from keywright.drivers.mongodb.observer import observer
from keywright.drivers.mongodb.pages import pages
from keywright.drivers.redact import before, unreachable, without_quotes
from keywright.drivers.translate_errors import not_installed, translate_errors
from keywright.engines.contract.counting import StoreSize
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Driver, Observed, ServerUnreachable, StatementFailed
from keywright.ir.json import Json

try:
    from bson import SON, CodecOptions, json_util
    from pymongo import InsertOne, MongoClient, ReplaceOne
    from pymongo.errors import BulkWriteError, ConnectionFailure, ExecutionTimeout, OperationFailure, PyMongoError

    from .counting import counted
    from .evidence import Listener, explained
except ImportError as error:
    raise not_installed("mongodb") from error

ALREADY_INITIATED = 23
"""The server's error code for a replica set that already has a configuration."""

BATCH = 1000
"""Documents of one bulk write."""

TIMEOUT_SECONDS = 10
"""Seconds for which a client tries to reach a server."""

_OWN_DATABASES = ("admin", "config", "local")


def client(
    url: str, *, timeout_seconds: float = TIMEOUT_SECONDS, listener: Any = None
) -> MongoClient[dict[str, object]]:
    """A client of the server at `url`; it connects on first use and the caller closes it.

    timeout_seconds: time limit to reach a server; options of the address take precedence. listener: listener of the
    client's events.
    """
    check(url)
    query, milliseconds = url.partition("?")[2].lower(), int(timeout_seconds * 1000)
    options: dict[str, Any] = dict.fromkeys(("serverSelectionTimeoutMS", "connectTimeoutMS"), milliseconds)
    timeouts: dict[str, Any] = {name: value for name, value in options.items() if f"{name.lower()}=" not in query}
    return MongoClient(url, event_listeners=[listener] if listener else [], **timeouts)


def is_ready(url: str) -> bool:
    """Whether the server accepts writes: it is the primary of its replica set, or a standalone server."""
    try:
        with client(url, timeout_seconds=1) as mongo_client:
            return bool(mongo_client.admin.command("hello").get("isWritablePrimary"))
    except (PyMongoError, StatementFailed, ValueError):  # the latter two for an unusable address
        return False


def version(url: str) -> str:
    """The server's version, such as `6.0.5`."""
    with client(url) as mongo_client:
        return str(mongo_client.server_info()["version"])


def initiate(url: str) -> None:
    """Make a server started with `--replSet rs0` the only member of that set; do nothing if it already is a member."""
    with client(url, timeout_seconds=1) as mongo_client:
        try:
            if mongo_client.admin.command("hello").get("setName"):
                return
            host, port = mongo_client.address or ("127.0.0.1", 27017)
            # A set of one elects itself; the default timeout of ten seconds would only delay that.
            settings = {"electionTimeoutMillis": 500}
            members = [{"_id": 0, "host": f"{host}:{port}"}]
            mongo_client.admin.command("replSetInitiate", {"_id": "rs0", "members": members, "settings": settings})
        except OperationFailure as failure:
            if failure.code != ALREADY_INITIATED:
                raise
        except PyMongoError:
            return  # not listening yet: the caller tries again


def connect(url: str) -> Driver:
    """A connection to all databases of one server."""
    try:
        mongo_client = _reached(url) if is_secured(url) else client(url)
    except (PyMongoError, ValueError) as error:  # its message may contain a part of the address
        raise ServerUnreachable("its address is invalid, or its name is unknown") from error
    watched: list[Any] = []  # recorded clients, which are closed with the driver
    driver = Driver(
        introspect=lambda names: {name: introspect(mongo_client, name) for name in names},
        names=lambda: tuple(name for name in mongo_client.list_database_names() if name not in _OWN_DATABASES),
        run=lambda statement: _run(mongo_client, statement),
        load=lambda collection, items: sum(_write(mongo_client, collection, batch) for batch in batches(items, BATCH)),
        stored=lambda name, item: _stored(mongo_client, name, item),
        observe=lambda: _observe(url, mongo_client, watched),
        ledger=lambda home, store: ledger(mongo_client, home, store),
        pages=lambda work: pages(mongo_client, work),
        uses=lambda database, path: _uses(mongo_client[database], path),
        observer=lambda: observer(mongo_client, url, watched),
        counted=lambda question: counted(mongo_client, question),
        size=lambda collection: _size(mongo_client, collection),
        drop=lambda names: _drop(mongo_client, names),
        close=lambda: _close(mongo_client, *watched),
    )
    return translate_errors(driver, (PyMongoError,), _failure)


def _reached(url: str) -> MongoClient[dict[str, object]]:
    """A client with TLS; StatementFailed at once if the certificates of all servers are rejected."""
    answers = FirstAnswers()
    mongo_client = client(url, timeout_seconds=TIMEOUT_SECONDS - REACH_SECONDS, listener=answers)
    if failure := answers.refused(tuple(mongo_client.topology_description.server_descriptions())):
        mongo_client.close()
        raise unreachable(str(failure)) from failure
    return mongo_client


def _uses(database: Any, path: tuple[str, ...]) -> Json:
    """The number of operations that used an index, and the start of the count, for each member."""
    _, collection, index = path
    statistics = database[collection].aggregate([{"$indexStats": {}}, {"$match": {"name": index}}])
    accesses = {member["host"]: member["accesses"] for member in statistics}
    return {host: [uses["ops"], uses["since"].isoformat()] for host, uses in sorted(accesses.items())} or None


def _close(*clients: Any) -> None:
    for mongo_client in clients:
        mongo_client.close()


def _drop(mongo_client: Any, names: Iterable[str]) -> None:
    for name in names:
        mongo_client.drop_database(name)


def _size(mongo_client: Any, name: str) -> StoreSize | None:
    """The server's figures of a collection; a time series has no count of its measurements."""
    database, _, collection = name.partition(".")
    if not collection:
        return None
    statistics = mongo_client[database].command("collStats", collection)
    return StoreSize(statistics["count"], statistics["size"], "document") if "count" in statistics else None


def _stored(mongo_client: Any, collection: str, item: Any) -> Any:
    """The document with an item's `_id`; an item without one is found by all its fields."""
    database, _, name = collection.partition(".")
    documents = mongo_client[database].get_collection(name, codec_options=CodecOptions(tz_aware=True, tzinfo=UTC))
    if "_id" in item:
        return documents.find_one({"_id": item["_id"]})
    # With the index on `_id`, which contains every document, a server that rejects scans answers too.
    is_series = mongo_client[database].command("listCollections", filter={"name": name})["cursor"]["firstBatch"]
    hint = {} if is_series and is_series[0]["type"] == "timeseries" else {"hint": [("_id", 1)]}
    document = documents.find_one(item, **hint)
    return None if document is None else {key: value for key, value in document.items() if key != "_id"}


def _observe(url: str, mongo_client: Any, watched: list[Any]) -> Observed:
    """A client whose commands are recorded; another client explains them afterwards."""
    listener = Listener()
    recorded: Any = MongoClient(url, event_listeners=[listener])
    watched.append(recorded)
    return Observed(
        client=recorded, events=lambda: tuple(explained(mongo_client, command) for command in listener.taken())
    )


def _run(mongo_client: Any, statement: Statement) -> None:
    native: Any = statement.native
    arguments = _from_json(native["arguments"])
    for index in arguments.get("indexes", ()):
        index["key"] = SON((path, direction) for path, direction in index["key"])
        if "text" in index["key"].values() and _has_collation(mongo_client[statement.target], native["collection"]):
            index["collation"] = {"locale": "simple"}
    mongo_client[statement.target].command(native["command"], native["collection"], **arguments)


def _has_collation(database: Any, name: str) -> bool:
    """Whether a collection has a collation: an index would inherit it, and the server rejects it for a text index."""
    entries = database.command("listCollections", filter={"name": name})["cursor"]["firstBatch"]
    return any("collation" in entry.get("options", {}) for entry in entries)


DEFINITIONS = frozenset((26, 27, 48, 67, 72, 73, 85, 86))
"""Codes of errors whose messages quote collections, indexes and options, but no documents.
Source: https://www.mongodb.com/docs/manual/reference/error-codes/, 2026-11-22."""

DUPLICATE = 11000
"""The code of a unique index's error, which quotes the value."""


HELP = {
    85: "another index has the same keys: `keywright drift` lists it; drop it, or declare the same index",
    86: "another index has the same name: `keywright drift` shows it; drop it, or declare the same index",
    DUPLICATE: "`keywright migrate plan` counts the documents that share a key",
}  # fmt: skip
"""Help lines, by code of the error."""


def _failure(error: Exception) -> StatementFailed:
    """The server's message, without the rest of its answer and without quoted values of documents."""
    if isinstance(error, ExecutionTimeout) and isinstance(error.__cause__, PyMongoError):
        error = error.__cause__  # a transaction without remaining time wraps its last failure in another error
    if isinstance(error, ConnectionFailure):
        return unreachable(before(str(error), " (", ", Timeout: "))
    help = HELP.get(error.code, "") if isinstance(error, OperationFailure) and error.code is not None else ""
    details: Any = (error.details if isinstance(error, OperationFailure) else None) or {}
    if isinstance(error, BulkWriteError):  # one error for each document; the first represents all
        details = next(iter(details["writeErrors"] or details["writeConcernErrors"]), details)
    words, code = str(details.get("errmsg") or error), details.get("code")
    if code == DUPLICATE:
        words = before(words, "dup key", "{")
    elif code not in DEFINITIONS:
        words = without_quotes(words)
    return StatementFailed(words, help)


def _from_json(value: Any) -> Any:
    """A BSON document from its Extended JSON."""
    return json_util.loads(json.dumps(value))


def _write(mongo_client: Any, collection: str, documents: tuple[Any, ...]) -> int:
    """Write a batch into `database.collection`; a document with an `_id` replaces an older one."""
    database, _, name = collection.partition(".")
    writes = [
        ReplaceOne({"_id": document["_id"]}, document, upsert=True) if "_id" in document else InsertOne(document)
        for document in documents
    ]
    mongo_client[database][name].bulk_write(writes, ordered=False)
    return len(documents)


@contextmanager
def refusing_scans(url: str) -> Iterator[None]:
    """Within the block, the server rejects every query that no index serves; only for servers without other users.

    Source: https://www.mongodb.com/docs/manual/reference/parameters/#mongodb-parameter-param.notablescan, 2026-11-21.
    """
    with client(url) as mongo_client:
        mongo_client.admin.command({"setParameter": 1, "notablescan": True})
        try:
            yield
        finally:
            mongo_client.admin.command({"setParameter": 1, "notablescan": False})
