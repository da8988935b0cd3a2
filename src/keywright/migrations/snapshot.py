"""Snapshots: all targets of a project after a migration, as JSON without settings of an environment."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from keywright.engines.contract.change import Change
from keywright.engines.contract.diff import patch
from keywright.engines.interface import Engine, Target
from keywright.ir.json import Json, canonical, pretty
from keywright.record import Record, field

FORMAT = 1
"""Format number of the file; older formats stay readable for ever."""

Stores = dict[str, dict[str, Any]]
"""Descriptions by store and key of the target: `{"mongodb/content": {"content": {…}}}`."""


class Snapshot(Record):
    """All targets after a migration."""

    stores: Stores = field(default_factory=dict)
    """Descriptions of every target."""
    graveyard: tuple[dict[str, Json], ...] = ()
    """Dropped objects, oldest first; a name in it cannot be reused for another type."""
    access: Mapping[str, str] = field(default_factory=dict)
    """Access path of each access pattern; a note, so the fingerprint omits it."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Used rename hints: former name by store and object; also a note."""

    @property
    def fingerprint(self) -> str:
        """Hash of graveyard and stores, as `sha256:…`."""
        return digest({"format": FORMAT, "graveyard": list(self.graveyard), "stores": _json(self.stores)})


EMPTY = Snapshot()
"""Snapshot before the first migration."""


def digest(value: Json) -> str:
    """Hash of a JSON value in its canonical form."""
    return "sha256:" + hashlib.sha256(canonical(value).encode()).hexdigest()


def described(engine: Engine[Any, Any], target: Target) -> dict[str, Any]:
    """Description of a target in a snapshot: keys sorted, without the name."""
    document: dict[str, Any] = json.loads(canonical(engine.describe(target)))
    return {half: document[half] for half in ("generation", "native", "shape")}


def key_of(engine: Engine[Any, Any], target: Target) -> str:
    """Key of a target in a snapshot: its name, with the generation if each generation is a separate target."""
    is_apart = engine.generations_apart and target.generation > 1
    return f"{target.name}-k{target.generation}" if is_apart else target.name


def target_of(engine: Engine[Any, Any], key: str, description: Mapping[str, Any]) -> Any:
    """Inverse of `described` and `key_of`."""
    generation = description["generation"]
    name = key.removesuffix(f"-k{generation}") if engine.generations_apart and generation > 1 else key
    return engine.parse({"name": name, **json.loads(canonical(dict(description)))})


def applied(stores: Stores, changes: Iterable[Change]) -> Stores:
    """Stores with changes applied; stores that become empty are left out."""
    by_store: dict[str, list[Change]] = {}
    for change in changes:
        by_store.setdefault(change.store, []).append(change)
    result = {**stores}
    for store, store_changes in by_store.items():
        result[store] = pruned(patch(stores.get(store, {}), store_changes))
    return {store: targets for store, targets in result.items() if targets}


def pruned(targets: Any) -> Any:
    """Targets without the empty collections that a patch leaves when it removes the last part."""
    return {key: _without_empty(target) for key, target in targets.items()}


def _without_empty(target: dict[str, Any]) -> dict[str, Any]:
    """The target without empty parts; the same object if no part is empty."""
    empty = [key for key, value in target["native"].items() if value == {} and key not in _ALWAYS_DESCRIBED]
    native = {key: value for key, value in target["native"].items() if key not in empty}
    return {**target, "native": native} if empty else target


_ALWAYS_DESCRIBED = ("collections", "indexes", "settings")
"""Parts that a description contains even when they are empty."""


def dump(snapshot: Snapshot) -> str:
    """Text of a snapshot, as `migrate snapshot` prints it."""
    content: Json = {
        "access": dict(snapshot.access),
        "format": FORMAT,
        "graveyard": list(snapshot.graveyard),
        "renamed": dict(snapshot.renamed),
        "stores": _json(snapshot.stores),
    }
    return pretty(content, sort_keys=True)


class NewerFormat(ValueError):
    """A file in a format of a newer keywright."""


def load(text: str) -> Snapshot:
    """Inverse of `dump`; KeyError or ValueError if the text is not a snapshot."""
    document: Any = json.loads(text)
    if document["format"] > FORMAT:
        raise NewerFormat(f"format {document['format']} is newer than {FORMAT}, the newest that this keywright reads")
    return Snapshot(document["stores"], tuple(document["graveyard"]), document["access"], document["renamed"])


def _json(stores: Stores) -> Json:
    return {store: dict(targets) for store, targets in stores.items()}
