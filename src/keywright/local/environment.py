"""Environment variables for local servers: programs, addresses, cache and required engines."""

import ipaddress
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from keywright.engines.registry import engine_named
from keywright.errors import UsageError, quoted


def cache_folder() -> Path:
    """The folder of fetched servers: `KEYWRIGHT_CACHE`, else `~/.cache/keywright`."""
    return Path(os.environ.get("KEYWRIGHT_CACHE") or Path.home() / ".cache" / "keywright").absolute()


def named_path(variable: str) -> Path | None:
    """The file or folder in a variable; None if the variable is unset. Raises UsageError if the path does not exist."""
    value = os.environ.get(variable)
    if not value:
        return None
    if not Path(value).exists():
        raise UsageError(f'"{variable}" names "{value}", which does not exist', f"correct it or unset {variable}")
    return Path(value).absolute()


def required_engines(engines: Iterable[str]) -> frozenset[str]:
    """The engines in `KEYWRIGHT_REQUIRE_ENGINES` (`all`, or a comma-separated list), which tests must not skip."""
    allowed = frozenset(engines)
    names = {name.strip() for name in os.environ.get("KEYWRIGHT_REQUIRE_ENGINES", "").split(",")} - {""}
    if "all" in names:
        return allowed
    if unknown := sorted(names - allowed):
        raise UsageError(
            f"KEYWRIGHT_REQUIRE_ENGINES names {quoted(unknown)}, which have no local server",
            f"allowed: all, {', '.join(sorted(allowed))}",
        )
    return frozenset(names)


def url_variable(engine: str) -> str:
    """The variable with the address of a server that replaces the local one."""
    return f"KEYWRIGHT_{engine.upper()}_URL"


def replacement(engine: str) -> str | None:
    """The address that replaces this engine's local server; raises UsageError for an invalid address."""
    variable = url_variable(engine)
    url = os.environ.get(variable)
    if not url:
        return None
    schemes = engine_named(engine).schemes
    if urlsplit(url).scheme not in schemes:
        raise UsageError(
            # The address is not printed, because it may contain a password.
            f'"{variable}" is not the address of a {engine} server',
            f"begin it with {' or '.join(f'{scheme}://' for scheme in schemes)}",
        )
    try:
        hosts = _hosts(url)
    except ValueError:
        problem = f'"{variable}" is not an address: its host or port cannot be read'
        raise UsageError(problem, "write it as scheme://host:port") from None
    remote = [host for host in hosts if not _is_loopback(host)]
    if remote and os.environ.get("KEYWRIGHT_ALLOW_REMOTE") != "1":
        raise UsageError(
            f'"{variable}" names {quoted(remote)}, but a local server must have a loopback address, '
            "so that no test data reaches a real store",
            "use 127.0.0.1, or set KEYWRIGHT_ALLOW_REMOTE=1 if the data there may be overwritten",
        )
    return url


def without_secrets(url: str) -> str:
    """An address without its user, password and options, which can be secrets."""
    address = urlsplit(url)
    return f"{address.scheme}://{address.netloc.rpartition('@')[2]}{address.path}"


def _hosts(url: str) -> tuple[str, ...]:
    """The hosts of an address, which can have several, separated by commas."""
    if not urlsplit(url).netloc:  # a socket or file of this machine
        return ()
    hosts = urlsplit(url).netloc.rpartition("@")[2].split(",")
    addresses = [urlsplit(f"//{host}") for host in hosts]
    return tuple(address.hostname or "" for address in addresses if address.port != 0)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
