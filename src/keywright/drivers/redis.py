"""What keywright asks of a Redis or Valkey server; the only module that imports redis."""

from keywright.drivers.extras import not_installed

try:
    from redis import Redis
    from redis.exceptions import RedisError
except ImportError as error:
    raise not_installed("redis") from error


def client(url: str, *, timeout_seconds: float = 10) -> Redis:
    """A client of the server at `url` that answers with text; the caller closes it."""
    return Redis.from_url(
        url, decode_responses=True, socket_timeout=timeout_seconds, socket_connect_timeout=timeout_seconds
    )


def is_ready(url: str) -> bool:
    """Whether the server answers a PING: it has loaded its data and takes this login."""
    try:
        with client(url, timeout_seconds=1) as asking:
            return bool(asking.ping())
    except RedisError:
        return False


def version(url: str) -> str:
    """The server's version: `7.0.15`, or `valkey 9.1.2`, whose `redis_version` is the release it is compatible with."""
    with client(url) as asking:
        server = asking.info("server")
    if "valkey_version" in server:
        return f"valkey {server['valkey_version']}"
    return str(server["redis_version"])
