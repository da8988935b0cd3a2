"""Addresses of stores, from variables and from the configuration of a stack."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from keywright.engines.registry import engine_named
from keywright.errors import UsageError
from keywright.ir.text import one_line
from keywright.project.environments.configuration import keys_of


def address_of(
    store: str, addresses: Mapping[str, str] | None, read: Callable[[], Mapping[str, str]]
) -> tuple[str, str]:
    """(source, address) of a store: a stack's configuration, `KEYWRIGHT_STORE_<ENGINE>_<NAME>` or
    `KEYWRIGHT_STORE_<ENGINE>`, in the order of `StoreSelector.addresses`.

    read: reads the configuration. UsageError if the address is missing or belongs to another engine; the message does
    not contain the address, which may contain a password.
    """
    engine, _, name = store.partition("/")
    general = f"KEYWRIGHT_STORE_{engine.upper()}"
    own = f"{general}_{name.upper().replace('-', '_')}"
    variables = [_variable(key) for key in (own, general)]
    source, address = _first([*_configured_addresses(store, addresses or {}), *variables])
    if not address and addresses is None:
        source, address = _first(_configured_addresses(store, read()))
    service = engine_named(engine).service
    if not address and service:
        return f"{service}region", service  # the service itself, as its client finds it
    if not address:
        help = f"set {own} or {general}, or use --local; in a stack, `pulumi config set --secret keywright:{engine}Uri`"
        raise UsageError(f"no address is set for {store}", help)
    if error := _error(engine, address):
        raise UsageError(f'"{source}" is not an address of {engine_named(engine).title}: {error[0]}', error[1])
    return source, address


def _variable(key: str) -> tuple[str, str | None]:
    """(source, address) of a variable, or of the file in the variable with the suffix `_FILE`."""
    file = os.environ.get(f"{key}_FILE")
    if os.environ.get(key) or not file:
        return key, os.environ.get(key)
    return f"{key}_FILE", _contents(file, f"{key}_FILE")


def _contents(file: str, variable: str) -> str:
    """Address in a file; UsageError with the reason if there is none."""
    try:
        text = Path(file).read_text(encoding="utf-8-sig").strip()
        problem = "is empty" if not text else ""
    except UnicodeDecodeError:
        text, problem = "", "is not text in UTF-8"
    except OSError as error:
        text, problem = "", f"cannot be read: {(error.strerror or 'unknown reason').lower()}"
    if problem:
        help = "name a file that contains only the address, and that this user may read"
        raise UsageError(f'"{variable}" names "{one_line(file)}", which {problem}', help)
    return text


@cache
def configured(root: Path, stack: str) -> Mapping[str, str]:
    """Keywright's configuration of a stack, with decrypted secrets; empty without Pulumi or such a stack."""
    program = shutil.which("pulumi")
    if program is None or not (root / "Pulumi.yaml").is_file():
        return {}
    command = [program, "config", "--show-secrets", "--json", "--stack", stack, "--non-interactive"]
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    document: Any = json.loads(done.stdout) if done.returncode == 0 else {}
    prefix = "keywright:"
    return {
        key.removeprefix(prefix): str(entry.get("value")) for key, entry in document.items() if key.startswith(prefix)
    }


def _configured_addresses(store: str, addresses: Mapping[str, str]) -> list[tuple[str, str | None]]:
    return [(f"keywright:{key}", addresses.get(key)) for key in keys_of(store)]


def _first(candidates: Iterable[tuple[str, str | None]]) -> tuple[str, str]:
    return next(((source, address) for source, address in candidates if address), ("", ""))


_CONTROL = re.compile("[\x00-\x1f\x7f]")
"""Characters that Python silently removes from an address, or that no client sends."""

_SECRET = re.compile(r"passw|secret|token|credential|authMechanismProperties", re.IGNORECASE)
"""Options of an address with secrets: `password`, `tlsCertificateKeyFilePassword`, `AWS_SESSION_TOKEN`."""


def has_password(address: str) -> bool:
    """Whether an address contains a password, before its host or in its options."""
    try:
        parts = urlsplit(address)
        options = parse_qsl(parts.query, keep_blank_values=True)
        return parts.password is not None or any(_SECRET.search(name) for name, _ in options)
    except ValueError:
        return True  # an address that cannot be parsed may contain one


def server_of(engine: str, address: str) -> str:
    """Server of an address, without user, password and options, so that a stack's state may contain it."""
    if address.startswith("aws:"):
        return address
    parts = urlsplit(address)
    hosts = ",".join(sorted(parts.netloc.rpartition("@")[2].lower().split(",")))
    is_place = not parts.netloc or engine_named(engine).has_parts_by_path
    path = parts.path.strip("/") if is_place else ""  # for other engines it does not identify the server
    return f"{parts.scheme}://{hosts}" + (f"/{path}" if path else "")


def _error(engine: str, address: str) -> tuple[str, str] | None:
    """Problem of an address and help text; None for a valid address."""
    service = engine_named(engine).service
    if service and address.startswith(service):
        return None
    if _CONTROL.search(address):
        return (
            "it contains a line break or control character",
            "write it in one line, with such characters escaped, such as %0A",
        )
    schemes = engine_named(engine).schemes
    if address.partition("://")[0] not in schemes:
        return "it has another scheme", f"start it with {' or '.join(f'{scheme}://' for scheme in schemes)}"
    try:
        for host in urlsplit(address).netloc.rpartition("@")[2].split(","):
            _ = urlsplit(f"//{host}").port
    except ValueError:
        help = (
            "write it as scheme://user:password@host:port, with special characters of the password escaped, such as %40"
        )
        return "its host or port is invalid", help
    return None
