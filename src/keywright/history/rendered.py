"""What a version does, as files that stock tools run: `rendered/<store>/040_1_update-table.json`."""

from collections.abc import Callable, Mapping
from typing import Any

from keywright.engines.interface import Artefact, Engine

from .snapshot import Snapshot, landed, target_of
from .version import Version


def rendered(version: Version, before: Snapshot, engines: Callable[[str], Engine[Any, Any]]) -> dict[str, str]:
    """Files by their path in the version's folder, free of any environment."""
    files: dict[str, str] = {}
    stores = before.stores
    for stage in version.stages:
        after = landed(stores, version.changes_of(stage))
        if stage.op == "alter":
            made = _scripts(engines(stage.store), stores.get(stage.store, {}), after.get(stage.store, {}))
            folder = f"rendered/{stage.store.replace('/', '-')}"
            for at, artefact in enumerate(made, start=1):
                number = f"{stage.n:03d}" if len(made) == 1 else f"{stage.n:03d}_{at}"
                files[f"{folder}/{number}_{artefact.path}"] = artefact.text
        stores = after
    return files


def _scripts(engine: Engine[Any, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Artefact]:
    found: list[Artefact] = []
    for key in sorted(old.keys() | new.keys()):
        before, after = (target_of(engine, key, one[key]) if key in one else None for one in (old, new))
        if before != after:
            found += engine.script(before, after)
    return found
