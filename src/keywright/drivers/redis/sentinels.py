"""Addresses of sentinels, which name the primary of a server: its address is asked for with each connection.

`redis+sentinel://user:password@host:26379,host:26379/0?sentinel=shop`, and `rediss+sentinel://` with TLS for sentinels
and servers. Source: https://redis.io/docs/latest/develop/reference/sentinel-clients/, 2026-11-28.
"""

from typing import Any
from urllib.parse import urlencode, urlsplit

from keywright.drivers.address import options_of
from keywright.drivers.redis.address import parse
from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import ServerUnreachable, StatementFailed

try:
    from redis import Redis
    from redis.exceptions import RedisError
except ImportError as error:
    raise not_installed("redis") from error

SCHEMES = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
"""Scheme of the servers by the scheme of an address of sentinels."""

OPTIONS = ("sentinel", "sentinel_username", "sentinel_password")
"""Options of the sentinels alone: the name under which they watch the server, and their own login."""


def primary_address(url: str, timeout_seconds: float) -> str:
    """The address of the primary that the first answering sentinel names; any other address as it is.

    Raises StatementFailed for an address without a name, and ServerUnreachable if no sentinel knows the name.
    """
    parts = urlsplit(url)
    scheme = SCHEMES.get(parts.scheme)
    if scheme is None:
        return url
    options = dict(options_of(parts.query))
    own = {name: options.pop(name) for name in OPTIONS if name in options}
    if not own.get("sentinel"):
        raise StatementFailed("its address names sentinels and no server; add ?sentinel=NAME, as in sentinel.conf")
    user, _, hosts = parts.netloc.rpartition("@")
    tls_options = {name: value for name, value in options.items() if name.startswith("ssl_")}
    for host in hosts.split(","):
        address = f"{scheme}://{host}/?{urlencode(tls_options)}"
        if (primary := _primary(address, own, timeout_seconds)) is not None:
            netloc = f"{user}@{primary}" if user else primary
            return parts._replace(scheme=scheme, netloc=netloc, query=urlencode(options)).geturl()
    raise ServerUnreachable(f"none of its sentinels answers, or knows a primary named {own['sentinel']}")


def _primary(address: str, own: dict[str, str], timeout_seconds: float) -> str | None:
    """Host and port of the primary; None if this sentinel does not answer, or does not know it."""
    plain, options = parse(address)
    timeouts: dict[str, Any] = {"socket_timeout": timeout_seconds, "socket_connect_timeout": timeout_seconds}
    login = {"username": own.get("sentinel_username"), "password": own.get("sentinel_password")}
    try:
        with Redis.from_url(plain, decode_responses=True, **timeouts, **options, **login) as sentinel:
            answer: Any = sentinel.execute_command("SENTINEL GET-MASTER-ADDR-BY-NAME", own["sentinel"])
    except (RedisError, OSError):
        return None
    return None if answer is None else _host_and_port(*answer)


def _host_and_port(host: str, port: object) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
