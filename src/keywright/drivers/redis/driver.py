"""The driver of Redis and Valkey servers; only modules of this folder and of `runtime` import redis."""

import time
from collections.abc import Container
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from keywright.drivers.batches import batches
from keywright.drivers.redact import before, unreachable
from keywright.drivers.redis.address import in_database as in_database
from keywright.drivers.redis.address import parse
from keywright.drivers.redis.counting import counted
from keywright.drivers.redis.evidence import RecordingClient, explained
from keywright.drivers.redis.ledger import ledger
from keywright.drivers.redis.observer import observer
from keywright.drivers.redis.pages import pages
from keywright.drivers.redis.searches import searches
from keywright.drivers.redis.sentinels import primary_address
from keywright.drivers.redis.stored_items import stored
from keywright.drivers.translate_errors import not_installed, translate_errors
from keywright.engines.capability import is_older
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import ClientEvent, Description, Driver, Observed, ServerUnreachable, StatementFailed
from keywright.engines.redis.schema.capabilities import DIRECTIVES, PROCESS
from keywright.engines.redis.schema.codec import describe
from keywright.engines.redis.schema.directive import canonical
from keywright.engines.redis.schema.item import commands
from keywright.engines.redis.schema.layout import dead_letters
from keywright.engines.redis.schema.place import product_of
from keywright.engines.redis.schema.target import Placement, ServerTarget, StreamTarget
from keywright.engines.redis.schema.users import UserTarget, user_of
from keywright.errors import quoted
from keywright.record import replace

try:
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.exceptions import AuthenticationError, InvalidResponse, RedisError, ResponseError
    from redis.exceptions import ConnectionError as LostConnection
    from redis.exceptions import TimeoutError as NoAnswer
    from redis.retry import Retry
except ImportError as error:
    raise not_installed("redis") from error

BATCH = 500
"""Items that are sent together in one round trip."""

NO_FILE = "running without a config file"
"""The server's answer to CONFIG REWRITE if it was started without a configuration file."""

NO_USER_FILE = "not configured to use an ACL file"
"""The server's answer to ACL SAVE if its users are in the configuration file, or nowhere."""

SCAN_COUNT = 10_000
"""Keys that one SCAN examines: enough for a fast scan, too few to block other clients."""


def client(url: str, *, timeout_seconds: float = 10, **options: Any) -> Redis:
    """A client of the server at `url` that returns text; the caller closes it."""
    redis: Redis = _client_of(Redis, url, timeout_seconds, **{"decode_responses": True, **options})
    return redis


def _client_of(kind: type[Redis], url: str, timeout_seconds: float = 10, **options: Any) -> Any:
    """A client of a class, with the options of the address and these options."""
    timeouts = {"socket_timeout": timeout_seconds, "socket_connect_timeout": timeout_seconds}
    address, address_options = parse(primary_address(url, timeout_seconds))
    return kind.from_url(address, **{**timeouts, **address_options, **options})


MARKER = "kwproof"
"""The key that reserves a database for proofs; `api/prove/scratch.py` names its scratch stores with it."""

DATABASES = range(15, 0, -1)
"""Logical databases of which scratch stores use an empty one; 0 is the application's."""

NO_EMPTY_PART = (
    f"no logical database from {DATABASES[-1]} to {DATABASES[0]} is empty",
    "empty one of them with FLUSHDB, or restart the server: `keywright local down`, `keywright local up`",
)
"""(problem, help) if no database is empty."""


NO_FIRST_PART = (
    "Search works in database 0 only, which is not empty",
    "empty it with FLUSHDB, or name another server",
)
"""(problem, help) if database 0 is needed and not empty."""


def empty_part(url: str, marker: str, used: Container[str], *, needs_first: bool = False) -> str | None:
    """The address of an empty logical database of a server, which a key named `marker` reserves; None without one.

    used: addresses of databases that are in use. needs_first: whether only database 0 will do, which is empty if it has
    no index either.
    """
    for number in (0,) if needs_first else DATABASES:
        part = in_database(url, number)
        with client(part) as connection:
            # The process that sets the marker owns the database, even if several check it at once.
            is_empty = connection.dbsize() == 0 and not (number == 0 and searches(connection)[0])
            if part not in used and is_empty and connection.set(marker, "taken", nx=True):
                return part
    return None


def is_ready(url: str) -> bool:
    """Whether the server answers a PING: it has loaded its data and accepts this login."""
    try:
        with client(url, timeout_seconds=1) as connection:
            return bool(connection.ping())
    except (RedisError, StatementFailed, ValueError):  # the latter two for an address that cannot be used
        return False


def version(url: str) -> str:
    """The server's version: `7.0.15`, `redis-stack 7.4.1`, or `valkey 9.1.2`.

    `redis_version` of Valkey is the release that it is compatible with.
    """
    with client(url) as connection:
        try:
            return _version(connection)
        except RedisError as error:
            raise _failure(error, by_tls=url.startswith("rediss")) from error


def connect(url: str) -> Driver:
    """A connection to one server.

    A server is one target and has no name: `introspect` returns the same description under every requested name, and
    `names` returns its address.
    """
    try:
        text_client, bytes_client = client(url), client(url, decode_responses=False)
    except ValueError as error:
        raise ServerUnreachable("its address is invalid") from error
    recorder = _client_of(RecordingClient, url)  # returns bytes, which need not be text
    single_try_client = client(url, retry=Retry(NoBackoff(), 0))  # a script with a decision must not be sent twice

    def close() -> None:
        for connection in (text_client, bytes_client, recorder, single_try_client):
            connection.close()

    driver = Driver(
        introspect=lambda names: _introspect(text_client, tuple(names)),
        names=lambda: (_name(url),),
        run=lambda statement: _run(text_client, statement),
        load=lambda server, items: sum(_write(text_client, batch) for batch in batches(items, BATCH)),
        stored=lambda name, item: stored(bytes_client, item),
        observe=lambda: Observed(client=recorder, events=lambda: _events(text_client, recorder)),
        ledger=lambda home, store: ledger(single_try_client, home, store),
        counted=lambda question: counted(bytes_client, question),
        pages=lambda work: pages([bytes_client], work),
        observer=lambda: observer(bytes_client),
        dead_letters=lambda: _dead_letters(text_client),
        drop=lambda names: _drop(text_client, tuple(names)),
        close=close,
    )
    return translate_errors(driver, (RedisError,), partial(_failure, by_tls=url.startswith("rediss")))


def _name(url: str) -> str:
    """A server's host and port, or its socket."""
    parts = urlsplit(url)
    return parts.path if parts.scheme == "unix" else parts.netloc.rpartition("@")[2]


def _failure(error: Exception, *, by_tls: bool = False) -> StatementFailed:
    """The server's message, without the arguments of an unknown command."""
    if isinstance(error, AuthenticationError):
        return StatementFailed(f"it rejects this user and password: {error}")
    if isinstance(error, (LostConnection, NoAnswer)):
        return unreachable(str(error), is_silent=by_tls and isinstance(error, NoAnswer))
    if isinstance(error, InvalidResponse):
        return ServerUnreachable("no Redis server answers")
    return StatementFailed(before(str(error), ", with args beginning with", " near "))


def _version(client: Redis) -> str:
    server: Any = client.info("server")
    if "valkey_version" in server:
        return f"valkey {server['valkey_version']}"
    version = str(server["redis_version"])
    return f"redis-stack {version}" if is_older(version, "8.0") and _modules(client) >= _STACK else version


_STACK = {"ReJSON", "search", "timeseries", "bf"}
"""Modules by which Redis Stack is known; Redis has them itself from 8.0 on."""


def _modules(client: Redis) -> set[str]:
    info: Any = client.info("modules")
    return {str(module["name"]) for module in info.get("modules", ())}


def _introspect(client: Redis, names: tuple[str, ...]) -> dict[str, Description | None]:
    if not names:
        return {}
    settings, streams, users, placement = _settings(client), _streams(client), _users(client), _placement(client)
    indexes, built = searches(client)
    server = ServerTarget("", 1, settings, streams, users, indexes, built, placement=placement)
    return {name: describe(replace(server, name=name)) for name in names}


def _settings(client: Redis) -> tuple[tuple[str, str], ...]:
    """The server's settings, without secrets and settings of the process."""
    values: Any = client.config_get("*")
    return tuple(sorted((name, _canonical(name, value)) for name, value in values.items() if name not in PROCESS))


def _users(client: Redis) -> tuple[UserTarget, ...]:
    """The users without their passwords; none for a login that may not list them, and for a service, which does not."""
    try:
        lines: Any = client.acl_list()
    except ResponseError:  # NOPERM, or an unknown command
        return ()
    users = map(user_of, lines)
    return tuple(sorted((user for user in users if user.name != "default"), key=lambda user: user.name))


def _canonical(name: str, value: str) -> str:
    """The canonical form of a value: the server reports some, such as `save`, in the order in which they were set."""
    try:
        return canonical(DIRECTIVES[name], value)
    except (KeyError, ValueError):
        return value


def _streams(client: Redis) -> tuple[StreamTarget, ...]:
    """All streams with groups, found by a scan of all keys, the only way to find existing groups.

    The server filters by type, so this costs a request for each 10,000 keys and blocks no other client.
    """
    keys = set(client.scan_iter(count=SCAN_COUNT, _type="stream"))
    streams = (StreamTarget(str(key), _groups(client, key)) for key in sorted(keys))
    return tuple(stream for stream in streams if stream.groups)


def _dead_letters(client: Redis) -> dict[str, int]:
    """The number of entries in each stream of dead letters, by key."""
    keys = sorted(map(str, client.scan_iter(match=dead_letters("*"), count=SCAN_COUNT, _type="stream")))
    return {key: int(client.xlen(key)) for key in keys}


def _groups(client: Redis, key: str) -> tuple[str, ...]:
    groups: Any = client.xinfo_groups(key)
    return tuple(sorted(str(group["name"]) for group in groups))


def _placement(client: Redis) -> Placement:
    flavour, version = product_of(_version(client))
    replication: Any = client.info("replication")
    return Placement(flavour, version, int(replication.get("connected_slaves", 0)))


def _run(client: Any, statement: Statement) -> None:
    """Run a command, and rewrite the server's file so that its effect survives a restart, if the server has a file.

    The rewrite is also run before the command, to raise if it fails: a setting that is active but not in the file would
    count as done from then on.
    """
    native: Any = statement.native
    rewrite = native.get("then")
    can_rewrite = bool(rewrite) and _rewrite_file(client, rewrite)
    try:
        if "also" in native:
            _together(client, native["command"], native["also"])
        else:
            client.execute_command(*native["command"])
    except ResponseError as error:  # its code is "ERR" for all causes
        if unknown_settings := _unknown_settings(client, native["command"]):
            help = "write the server's `version:` in the stack file, or remove the setting"
            raise StatementFailed(f"the server has no setting {quoted(unknown_settings)}", help) from error
        raise
    if can_rewrite:
        _rewrite_file(client, rewrite)


def _together(client: Any, *commands: list[str]) -> None:
    pipeline = client.pipeline(transaction=True)
    for words in commands:
        pipeline.execute_command(*words)
    pipeline.execute()


def _unknown_settings(client: Any, command: list[str]) -> list[str]:
    """Settings of a CONFIG SET that the server does not have."""
    names = command[2::2] if command[:2] == ["CONFIG", "SET"] else []
    return [name for name in names if not client.config_get(name)]


def _rewrite_file(client: Any, command: list[str]) -> bool:
    """Rewrite the server's configuration file; False if the server runs without one."""
    try:
        client.execute_command(*command)
    except ResponseError as error:
        if NO_USER_FILE in str(error):
            return _rewrite_file(client, ["CONFIG", "REWRITE"])
        if NO_FILE in str(error):
            return False
        raise
    return True


def _events(client: Redis, recorder: RecordingClient) -> tuple[ClientEvent, ...]:
    """The events since the last call, with keys, slots and encodings."""
    events = list(recorder.recorded)
    recorder.recorded.clear()
    return explained(client, events)


def _drop(client: Any, names: tuple[str, ...]) -> None:
    """Remove all keys of the logical database in the address; raises for database 0, the default of all clients.

    A database 0 that was empty when it was reserved is no other client's.
    """
    if not names:
        return
    number = int(client.connection_pool.connection_kwargs.get("db") or 0)
    if number == 0 and not client.exists(MARKER):
        raise StatementFailed(
            "database 0 must not be emptied: name another one in the address, such as redis://host:6379/7"
        )
    client.execute_command("FLUSHDB")


def _write(client: Redis, items: tuple[Any, ...]) -> int:
    pipeline: Any = client.pipeline(transaction=False)
    for item in items:
        for command in commands(item, time.time()):
            pipeline.execute_command(*command)
    pipeline.execute()
    return len(items)
