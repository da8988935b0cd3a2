"""Records, beside each local server, the keys of its items as of the last `apply --local`."""

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from keywright.compiler import Placed
from keywright.engines.contract.identity import identity
from keywright.ir.json import Json, pretty
from keywright.local import Running, folder_of
from keywright.migrations.snapshot import described, key_of
from keywright.project.files import write
from keywright.project.settings import Settings

from ..live.addresses import server_of

FILE = "keys.json"


def recorded(
    settings: Settings, server: Running, targets: Iterable[Placed], environment: str
) -> dict[str, dict[str, Any]]:
    """The recorded item keys on a server, by store and key: of these targets, and of the environment's former targets.

    Empty if nothing has been applied to the server.
    """
    records = _read(_file(settings, server)).get(server_of(server.instance.engine, server.url), {})
    identities: dict[str, dict[str, Any]] = {}
    for name, entry in records.items():
        if entry.get("environment") == environment:
            identities.setdefault(name.partition(" ")[0], {})[entry["key"]] = entry
    for target in targets:
        if (entry := records.get(_name(target))) is not None:
            identities.setdefault(target.store, {})[key_of(target.engine, target.declared)] = entry
    return identities


def record(
    settings: Settings, server: Running, targets: Iterable[Placed], environment: str, differing: Collection[Placed] = ()
) -> None:
    """Record the item keys of all targets that an environment has on a server.

    differing: targets whose former record stays. Records of other environments stay too. Records of the environment's
    other tables are removed: these tables were empty, or their items were given up.
    """
    file = _file(settings, server)
    records, address = _read(file), server_of(server.instance.engine, server.url)
    before, current = records.get(address, {}), {_name(target): target for target in targets}
    updated = {name: _record(placed, environment) for name, placed in current.items() if placed not in differing}
    unchanged = {
        name: entry for name, entry in before.items() if name in current or entry.get("environment") != environment
    }
    contents: dict[str, Json] = {**records, address: {**unchanged, **updated}}
    if contents != records:
        write(file, pretty(contents, sort_keys=True))


def _record(placed: Placed, environment: str) -> dict[str, Json]:
    identified = identity(placed.engine.classes, described(placed.engine, placed.declared))
    return {**identified, "environment": environment, "key": key_of(placed.engine, placed.declared)}


def _name(placed: Placed) -> str:
    """Key of a record, with the physical name because environments may share a server."""
    return f"{placed.store} {placed.placed.name}"


def _file(settings: Settings, server: Running) -> Path:
    return folder_of(settings.state / "local", server.instance) / FILE


def _read(file: Path) -> dict[str, Any]:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # missing or incomplete
        return {}
    return document if isinstance(document, dict) else {}
