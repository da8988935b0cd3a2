"""What the environment variables say about local servers: programs, addresses, cache and required engines."""

import ipaddress
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from keywright.engines.dynamodb.capabilities import LOCAL_KEY, LOCAL_REGION
from keywright.errors import UsageError, quoted

SCHEMES = {
    "mongodb": ("mongodb", "mongodb+srv"),
    "cassandra": ("cassandra",),
    "dynamodb": ("http", "https"),
    "redis": ("redis", "rediss"),
}
"""How the address of each engine's server may begin."""


def cache_folder() -> Path:
    """Where fetched servers are kept: `KEYWRIGHT_CACHE`, else `~/.cache/keywright`."""
    return Path(os.environ.get("KEYWRIGHT_CACHE") or Path.home() / ".cache" / "keywright").absolute()


def named_path(variable: str) -> Path | None:
    """The file or folder that a variable names, or nothing when it is unset; raises UsageError when it isn't there."""
    value = os.environ.get(variable)
    if not value:
        return None
    if not Path(value).exists():
        raise UsageError(f'"{variable}" names "{value}", which does not exist', f"correct it or unset {variable}")
    return Path(value).absolute()


def required_engines(known: Iterable[str]) -> frozenset[str]:
    """The engines that `KEYWRIGHT_REQUIRE_ENGINES` names (`all`, or a list with commas): they may not be skipped."""
    known = frozenset(known)
    names = {name.strip() for name in os.environ.get("KEYWRIGHT_REQUIRE_ENGINES", "").split(",")} - {""}
    if "all" in names:
        return known
    if unknown := sorted(names - known):
        raise UsageError(
            f"KEYWRIGHT_REQUIRE_ENGINES names {quoted(unknown)}, which no local server stands for",
            f"allowed: all, {', '.join(sorted(known))}",
        )
    return frozenset(names)


def url_variable(engine: str) -> str:
    """The variable that names a server to use in place of a local one."""
    return f"KEYWRIGHT_{engine.upper()}_URL"


def replacement(engine: str) -> str | None:
    """The address that replaces this engine's local server; raises UsageError when it is unfit."""
    variable = url_variable(engine)
    url = os.environ.get(variable)
    if not url:
        return None
    if urlsplit(url).scheme not in SCHEMES[engine]:
        raise UsageError(
            f'"{variable}" holds no address of a {engine} server',  # which may hold a password: it is not told
            f"begin it with {' or '.join(f'{scheme}://' for scheme in SCHEMES[engine])}",
        )
    try:
        hosts = _hosts(url)
    except ValueError:
        problem = f'"{variable}" holds no address: its host or port cannot be read'
        raise UsageError(problem, "write it as scheme://host:port") from None
    remote = [host for host in hosts if not _is_loopback(host)]
    if remote and os.environ.get("KEYWRIGHT_ALLOW_REMOTE") != "1":
        raise UsageError(
            f'"{variable}" names {quoted(remote)}, but a local server must have a loopback address, '
            "so that no test data reaches a real store",
            "name 127.0.0.1, or set KEYWRIGHT_ALLOW_REMOTE=1 if the data there may be overwritten",
        )
    return url


def _hosts(url: str) -> tuple[str, ...]:
    """The hosts of an address; MongoDB's may have several, with commas."""
    each = urlsplit(url).netloc.rpartition("@")[2].split(",")
    addresses = [urlsplit(f"//{host}") for host in each]
    return tuple(address.hostname or "" for address in addresses if address.port != 0)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def of_aws(url: str) -> dict[str, str]:
    """The variables by which AWS clients ask DynamoDB Local at an address for the tables that `--local` means."""
    return {
        "AWS_ENDPOINT_URL_DYNAMODB": url,
        "AWS_REGION": LOCAL_REGION,
        "AWS_ACCESS_KEY_ID": LOCAL_KEY,
        "AWS_SECRET_ACCESS_KEY": LOCAL_KEY,
    }
