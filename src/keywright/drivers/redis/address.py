"""Addresses of Redis, converted to options of its client: TLS, Unix sockets, and IAM in place of a password.

`rediss://user:password@host:6379/0?ssl_ca_certs=ca.pem`; the names of options are those of redis-py, except for the
options of IAM, which only keywright has.
"""

from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from keywright.drivers.address import options_of, tls_context
from keywright.engines.interface import StatementFailed
from keywright.errors import did_you_mean

IAM = ("iam_region", "iam_cache", "iam_service", "iam_serverless")
"""Options of signed logins: region, name of the cache or cluster, `elasticache` or `memorydb`, `true`."""

OPTIONS = (
    "db", "username", "password", "protocol", "client_name", "socket_timeout", "socket_connect_timeout",
    "socket_keepalive", "health_check_interval", "ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile",
    "ssl_password", "ssl_cert_reqs", "ssl_check_hostname", "ssl_ciphers", *IAM,
)  # fmt: skip
"""Options that an address may have. redis-py accepts others too, and fails only when it connects."""

REQUIREMENTS = ("none", "optional", "required")
"""Values of `ssl_cert_reqs`."""


def parse(url: str) -> tuple[str, dict[str, Any]]:
    """(address, options) for `redis.Redis.from_url`.

    Raises StatementFailed, with a message without secrets, for an unusable address; ValueError for an address
    that cannot be parsed.
    """
    parts = urlsplit(url)
    query_options = dict(options_of(parts.query))
    for name in query_options:
        if name not in OPTIONS:
            raise StatementFailed(f'its address has the unknown option "{name}"; {did_you_mean(name, OPTIONS)}')
    if parts.scheme != "rediss" and (tls_options := [name for name in query_options if name.startswith("ssl_")]):
        raise StatementFailed(f'the option "{tls_options[0]}" of its address needs TLS; start it with rediss://')
    if parts.scheme != "unix" and not (parts.path.strip("/") or "0").isdecimal():
        raise StatementFailed("its address names a database that is not a number; write redis://host:6379/0")
    options: dict[str, Any] = {}
    if parts.scheme == "rediss":
        options["ssl_check_hostname"] = True  # older clients do not check it by default
        _check_files(query_options)
    if not query_options.keys() & set(IAM):
        return url, options
    if parts.scheme != "rediss":
        raise StatementFailed("its address signs logins by IAM without TLS; start it with rediss://")
    options["credential_provider"] = _signing(
        unquote(parts.username or query_options.get("username", "")), query_options
    )
    remaining = {name: value for name, value in query_options.items() if name not in (*IAM, "username", "password")}
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2], query=urlencode(remaining))
    return plain.geturl(), options


def in_database(url: str, number: int) -> str:
    """The same address with another logical database."""
    parts = urlsplit(url)
    options = [(name, value) for name, value in options_of(parts.query) if name != "db"]
    if parts.scheme == "unix":
        return parts._replace(query=urlencode([*options, ("db", str(number))])).geturl()
    return parts._replace(path=f"/{number}", query=urlencode(options)).geturl()


def _check_files(options: dict[str, str]) -> None:
    requirement = options.get("ssl_cert_reqs", "required")
    if requirement not in REQUIREMENTS:
        raise StatementFailed(f"ssl_cert_reqs of its address is none of {', '.join(REQUIREMENTS)}")
    authority, certificate, key = (options.get(name) for name in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"))
    if authority or certificate or key:
        tls_context(authority, certificate, key, options.get("ssl_password", ""))


def _signing(user: str, options: dict[str, str]) -> Any:
    from keywright.drivers.redis.iam import IamProvider  # only services of AWS need boto3

    if missing := [name for name in ("iam_region", "iam_cache") if not options.get(name)]:
        raise StatementFailed(f"its address signs logins by IAM and lacks {' and '.join(missing)}")
    if not user:
        raise StatementFailed("its address signs logins by IAM and has no user; write rediss://user@host:6379/0")
    is_serverless = options.get("iam_serverless", "false") == "true"
    service = options.get("iam_service", "elasticache")
    if is_serverless and service == "memorydb":
        raise StatementFailed("its address has iam_serverless=true, which MemoryDB does not have; remove it")
    return IamProvider(user, options["iam_cache"], options["iam_region"], service=service, is_serverless=is_serverless)
