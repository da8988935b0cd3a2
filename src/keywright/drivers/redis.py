"""What keywright asks of a Redis or Valkey server; with `redis_evidence` the only module that imports redis."""

import time
from typing import Any
from urllib.parse import urlsplit

from keywright.drivers.batches import batches
from keywright.drivers.extras import not_installed
from keywright.drivers.redis_evidence import Recorded, explained
from keywright.drivers.redis_ledger import ledger
from keywright.drivers.redis_observer import observer
from keywright.drivers.redis_pages import pages
from keywright.drivers.redis_stored import stored
from keywright.drivers.told import told
from keywright.engines.interface import Description, Driver, Event, Observed, StatementFailed
from keywright.engines.plan import Step
from keywright.engines.redis.capabilities import DIRECTIVES, PROCESS
from keywright.engines.redis.codec import describe
from keywright.engines.redis.directive import canonical
from keywright.engines.redis.item import commands
from keywright.engines.redis.target import Placement, ServerTarget, StreamTarget

try:
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.exceptions import ConnectionError as LostConnection
    from redis.exceptions import RedisError, ResponseError
    from redis.exceptions import TimeoutError as NoAnswer
    from redis.retry import Retry
except ImportError as error:
    raise not_installed("redis") from error

BATCH = 500
"""Items that are sent together, without waiting for answers."""

NO_FILE = "running without a config file"
"""The server's words where it was started without a file, which CONFIG REWRITE could write."""

SCAN_COUNT = 10_000
"""Keys that one SCAN looks at: long enough to be done in time, short enough to hold nobody up."""


def client(url: str, *, timeout_seconds: float = 10, **options: Any) -> Redis:
    """A client of the server at `url` that answers with text; the caller closes it."""
    timeouts = {"socket_timeout": timeout_seconds, "socket_connect_timeout": timeout_seconds}
    return Redis.from_url(url, **{"decode_responses": True, **timeouts, **options})


def is_ready(url: str) -> bool:
    """Whether the server answers a PING: it has loaded its data and takes this login."""
    try:
        with client(url, timeout_seconds=1) as asking:
            return bool(asking.ping())
    except (RedisError, ValueError):  # the latter for an address that cannot be read
        return False


def version(url: str) -> str:
    """The server's version: `7.0.15`, or `valkey 9.1.2`, whose `redis_version` is the release it is compatible with."""
    with client(url) as asking:
        return _version(asking)


def connect(url: str) -> Driver:
    """A connection to one server.

    A server is one target and has no name: `introspect` gives the same description under every name that it is asked
    for, and `names` calls it by its address.
    """
    try:
        asking, raw = client(url), client(url, decode_responses=False)
    except ValueError as error:
        raise StatementFailed("could not reach it: its address cannot be read") from error
    recorded: Any = Recorded.from_url(url)  # answers with bytes, which need not be text
    deciding = client(url, retry=Retry(NoBackoff(), 0))  # what a script decided must not be asked twice

    def close() -> None:
        for one in (asking, raw, recorded, deciding):
            one.close()

    driver = Driver(
        introspect=lambda names: _introspect(asking, tuple(names)),
        names=lambda: (urlsplit(url).netloc.rpartition("@")[2],),
        run=lambda step: _run(asking, step),
        load=lambda server, items: sum(_write(asking, batch) for batch in batches(items, BATCH)),
        stored=lambda name, item: stored(raw, item),
        observe=lambda: Observed(client=recorded, events=lambda: _events(asking, recorded)),
        ledger=lambda home, store: ledger(deciding, home, store),
        pages=lambda work: pages([raw], work),
        observer=lambda: observer(raw),
        drop=lambda names: _drop(asking, tuple(names)),
        close=close,
    )
    return told(driver, (RedisError,), _words)


def _words(error: Exception) -> str:
    return f"could not reach it: {error}" if isinstance(error, (LostConnection, NoAnswer)) else str(error)


def _version(asking: Redis) -> str:
    server: Any = asking.info("server")
    return f"valkey {server['valkey_version']}" if "valkey_version" in server else str(server["redis_version"])


def _introspect(asking: Redis, names: tuple[str, ...]) -> dict[str, Description | None]:
    if not names:
        return {}
    settings, streams, placement = _settings(asking), _streams(asking), _placement(asking)
    return {name: describe(ServerTarget(name, 1, settings, streams, placement=placement)) for name in names}


def _settings(asking: Redis) -> tuple[tuple[str, str], ...]:
    """What the server is set to, without what belongs to the process or is secret."""
    found: Any = asking.config_get("*")
    return tuple(sorted((name, _canonical(name, value)) for name, value in found.items() if name not in PROCESS))


def _canonical(name: str, value: str) -> str:
    """The one form of a value: some, such as `save`, are reported in the order in which they were given."""
    try:
        return canonical(DIRECTIVES[name], value)
    except (KeyError, ValueError):
        return value


def _streams(asking: Redis) -> tuple[StreamTarget, ...]:
    """Every stream with groups, found by looking at every key: nothing else tells where a group already is.

    The server filters by type, so this costs a request for each 10,000 keys and blocks nobody.
    """
    keys = set(asking.scan_iter(count=SCAN_COUNT, _type="stream"))
    streams = (StreamTarget(str(key), _groups(asking, key)) for key in sorted(keys))
    return tuple(stream for stream in streams if stream.groups)


def _groups(asking: Redis, key: str) -> tuple[str, ...]:
    groups: Any = asking.xinfo_groups(key)
    return tuple(sorted(str(group["name"]) for group in groups))


def _placement(asking: Redis) -> Placement:
    *flavour, number = _version(asking).split(" ")
    replication: Any = asking.info("replication")
    version = ".".join(number.split(".")[:2])
    return Placement(flavour[0] if flavour else "redis", version, int(replication.get("connected_slaves", 0)))


def _run(asking: Any, step: Step) -> None:
    """Run a command, and what keeps its effect over a restart; nothing is kept where the server has no file.

    Whether it can be kept is tried before: a setting that is in force but in no file would pass for done from then on.
    """
    statement: Any = step.statement
    kept = statement.get("then")
    is_kept = bool(kept) and _keep(asking, kept)
    asking.execute_command(*statement["command"])
    if is_kept:
        _keep(asking, kept)


def _keep(asking: Any, command: list[str]) -> bool:
    """Have the server write its file; False where it runs without one."""
    try:
        asking.execute_command(*command)
    except ResponseError as refusal:
        if NO_FILE in str(refusal):
            return False
        raise
    return True


def _events(asking: Redis, recorded: Recorded) -> tuple[Event, ...]:
    """What was recorded since the last time, explained."""
    events = list(recorded.recorded)
    recorded.recorded.clear()
    return explained(asking, events)


def _drop(asking: Any, names: tuple[str, ...]) -> None:
    """Remove all keys of the logical database in the address; the first one, which everybody uses, is left alone."""
    if not names:
        return
    number = int(asking.connection_pool.connection_kwargs.get("db") or 0)
    if number == 0:
        raise StatementFailed("database 0 is not emptied: name another one in the address, such as redis://host:6379/7")
    asking.execute_command("FLUSHDB")


def _write(asking: Redis, items: tuple[Any, ...]) -> int:
    pipeline: Any = asking.pipeline(transaction=False)
    for item in items:
        for command in commands(item, time.time()):
            pipeline.execute_command(*command)
    pipeline.execute()
    return len(items)
