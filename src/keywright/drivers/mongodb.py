"""What keywright asks of a MongoDB server; the only module that imports pymongo."""

from keywright.drivers.extras import not_installed

try:
    from pymongo import MongoClient
    from pymongo.errors import OperationFailure, PyMongoError
except ImportError as error:
    raise not_installed("mongodb") from error

ALREADY_INITIATED = 23
"""The server's error code when a replica set has its configuration already."""


def client(url: str, *, timeout_seconds: float = 10) -> MongoClient[dict[str, object]]:
    """A client of the server at `url`; it connects on first use and the caller closes it."""
    milliseconds = int(timeout_seconds * 1000)
    return MongoClient(url, serverSelectionTimeoutMS=milliseconds, connectTimeoutMS=milliseconds)


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
