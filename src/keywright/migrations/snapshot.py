"""Snapshots: all targets of a project after a version, as JSON that holds nothing of an environment."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from keywright.engines.change import Change
from keywright.engines.diff import patch
from keywright.engines.interface import Engine, Target
from keywright.ir.json import Json, canonical, pretty

FORMAT = 1
"""Number of the form of the file; older ones are read for ever."""

Stores = dict[str, dict[str, Any]]
"""Descriptions by store and key of the target: `{"mongodb/content": {"content": {…}}}`."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole of what a version leads to."""

    stores: Stores = field(default_factory=dict)
    """Every target."""
    graveyard: tuple[dict[str, Json], ...] = ()
    """What was dropped and when, oldest first: a name in it may not come back as something else."""
    access: Mapping[str, str] = field(default_factory=dict)
    """What serves each pattern; a note, which no fingerprint counts."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Hints that are spent: former name by store and object; a note too."""

    @property
    def fingerprint(self) -> str:
        """What tells two snapshots apart, as `sha256:…`."""
        return digest({"format": FORMAT, "graveyard": list(self.graveyard), "stores": _json(self.stores)})


EMPTY = Snapshot()
"""What there is before the first version."""


def digest(value: Json) -> str:
    """The hash of a JSON value in its canonical form."""
    return "sha256:" + hashlib.sha256(canonical(value).encode()).hexdigest()


def described(engine: Engine[Any, Any], target: Target) -> dict[str, Any]:
    """A target as a snapshot holds it: keys sorted, its name outside."""
    told: dict[str, Any] = json.loads(canonical(engine.describe(target)))
    return {half: told[half] for half in ("generation", "native", "shape")}


def key_of(engine: Engine[Any, Any], target: Target) -> str:
    """What a target is called in a snapshot: its name, and its generation where each is a target of its own."""
    is_apart = engine.generations_apart and target.generation > 1
    return f"{target.name}-k{target.generation}" if is_apart else target.name


def target_of(engine: Engine[Any, Any], key: str, description: Mapping[str, Any]) -> Any:
    """The inverse of `described` and `key_of`."""
    generation = description["generation"]
    name = key.removesuffix(f"-k{generation}") if engine.generations_apart and generation > 1 else key
    return engine.parse({"name": name, **json.loads(canonical(dict(description)))})


def landed(stores: Stores, changes: Iterable[Change]) -> Stores:
    """The stores with changes carried out; what is empty afterwards is left out."""
    by_store: dict[str, list[Change]] = {}
    for change in changes:
        by_store.setdefault(change.store, []).append(change)
    made = {**stores}
    for store, found in by_store.items():
        made[store] = patch(stores.get(store, {}), found)
    return {store: _pruned(targets) for store, targets in made.items() if targets}


def _pruned(targets: Any) -> Any:
    """Without the empty collections of parts that a patch leaves where the last part went."""
    return {key: {**one, "native": _without_empty(one["native"])} for key, one in targets.items()}


def _without_empty(native: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in native.items() if value != {} or key in _KEPT_EMPTY}


_KEPT_EMPTY = ("collections", "indexes", "settings")
"""Parts that stand in a description even when nothing is in them."""


def dump(snapshot: Snapshot) -> str:
    """The text of `snapshot.json`."""
    told: Json = {
        "access": dict(snapshot.access),
        "format": FORMAT,
        "graveyard": list(snapshot.graveyard),
        "renamed": dict(snapshot.renamed),
        "stores": _json(snapshot.stores),
    }
    return pretty(told, sort_keys=True)


def load(text: str) -> Snapshot:
    """The inverse of `dump`; KeyError or ValueError where the text is no snapshot."""
    told: Any = json.loads(text)
    if told["format"] > FORMAT:
        raise ValueError(f"format {told['format']} is newer than this keywright reads, which is {FORMAT}")
    return Snapshot(told["stores"], tuple(told["graveyard"]), told["access"], told["renamed"])


def _json(stores: Stores) -> Json:
    return {store: dict(targets) for store, targets in stores.items()}
