"""Where stores are: what variables and the configuration of a stack say."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from keywright.engines.registry import engine_of
from keywright.errors import UsageError
from keywright.local.environment import SCHEMES


def keys_of(store: str) -> tuple[str, str]:
    """The keys of a stack's configuration that say where a store is: its own, and that of its whole engine."""
    engine, _, name = store.partition("/")
    words = re.split(r"[^A-Za-z0-9]+", name)
    own = "".join(word[:1].upper() + word[1:] for word in words)
    return f"{engine}{own}Uri", f"{engine}Uri"


def address_of(
    store: str, addresses: Mapping[str, str] | None, read: Callable[[], Mapping[str, str]]
) -> tuple[str, str]:
    """(what says it, address) of a store: a stack's configuration, `KEYWRIGHT_STORE_<ENGINE>_<NAME>` or
    `KEYWRIGHT_STORE_<ENGINE>`, in the order that `Where.addresses` tells.

    read: reads the configuration. UsageError if nobody says it, or it is no address of that engine; it does not say the
    address, which may hold a password.
    """
    engine, _, name = store.partition("/")
    general = f"KEYWRIGHT_STORE_{engine.upper()}"
    own = f"{general}_{name.upper().replace('-', '_')}"
    variables = [(key, os.environ.get(key)) for key in (own, general)]
    said_by, found = _first([*_told(store, addresses or {}), *variables])
    if not found and addresses is None:
        said_by, found = _first(_told(store, read()))
    if not found and engine == "dynamodb":
        return "aws:region", "aws:"  # the service itself, as boto3 finds it
    if not found:
        help = f"set {own} or {general}, or use --local; in a stack, `pulumi config set --secret keywright:{engine}Uri`"
        raise UsageError(f"nobody says where {store} is", help)
    if wrong := _wrong(engine, found):
        raise UsageError(f'"{said_by}" holds no address of {engine_of(engine).title}: {wrong[0]}', wrong[1])
    return said_by, found


@cache
def configured(root: Path, stack: str) -> Mapping[str, str]:
    """What the configuration of a stack says to keywright, secrets in clear; nothing without Pulumi or such a stack."""
    program = shutil.which("pulumi")
    if program is None or not (root / "Pulumi.yaml").is_file():
        return {}
    command = [program, "config", "--show-secrets", "--json", "--stack", stack, "--non-interactive"]
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    told: Any = json.loads(done.stdout) if done.returncode == 0 else {}
    own = "keywright:"
    return {key.removeprefix(own): str(one.get("value")) for key, one in told.items() if key.startswith(own)}


def _told(store: str, addresses: Mapping[str, str]) -> list[tuple[str, str | None]]:
    return [(f"keywright:{key}", addresses.get(key)) for key in keys_of(store)]


def _first(said: Iterable[tuple[str, str | None]]) -> tuple[str, str]:
    return next(((by, value) for by, value in said if value), ("", ""))


def has_password(address: str) -> bool:
    """Whether an address holds a password."""
    try:
        return urlsplit(address).password is not None
    except ValueError:
        return True  # it cannot be read, and may


def _wrong(engine: str, address: str) -> tuple[str, str] | None:
    """What is wrong with an address, and what to do about it."""
    if engine == "dynamodb" and address.startswith("aws:"):
        return None
    schemes = SCHEMES[engine]
    if address.partition("://")[0] not in schemes:
        return "it begins otherwise", f"begin it with {' or '.join(f'{one}://' for one in schemes)}"
    try:
        for host in urlsplit(address).netloc.rpartition("@")[2].split(","):
            _ = urlsplit(f"//{host}").port
    except ValueError:
        help = "write it as scheme://user:password@host:port, with special characters of the password as %40 and so on"
        return "its host or port cannot be read", help
    return None
