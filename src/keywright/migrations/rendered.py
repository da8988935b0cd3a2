"""A migration as files for the stores' own tools: `rendered/<store>/040_1_update-table.json`."""

from collections.abc import Callable, Mapping
from typing import Any

from keywright.engines.interface import Artefact, Engine

from .migration import Migration
from .snapshot import Snapshot, applied, target_of


def rendered(migration: Migration, before: Snapshot, engines: Callable[[str], Engine[Any, Any]]) -> dict[str, str]:
    """Files by their path in the migration's folder, independent of any environment."""
    files: dict[str, str] = {}
    stores = before.stores
    for step in migration.steps:
        after = applied(stores, migration.changes_of(step))
        if step.op == "alter":
            artefacts = _scripts(engines(step.store), stores.get(step.store, {}), after.get(step.store, {}))
            folder = f"rendered/{step.store.replace('/', '-')}"
            for position, artefact in enumerate(artefacts, start=1):
                number = f"{step.n:03d}" if len(artefacts) == 1 else f"{step.n:03d}_{position}"
                files[f"{folder}/{number}_{artefact.path}"] = artefact.text
        stores = after
    return files


def _scripts(engine: Engine[Any, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Artefact]:
    artefacts: list[Artefact] = []
    for key in sorted(old.keys() | new.keys()):
        before, after = (target_of(engine, key, targets[key]) if key in targets else None for targets in (old, new))
        if before != after:
            artefacts += engine.script(before, after)
    return artefacts
