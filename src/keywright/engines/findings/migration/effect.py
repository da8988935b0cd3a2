"""Effects: what a version amounts to between its two snapshots, whatever ways it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from keywright.engines.change import Change, Path
from keywright.engines.classes import row_of
from keywright.engines.diff import diff
from keywright.engines.parts import Part

from .version import Facts, Hints, Snapshot


@dataclass(frozen=True, slots=True)
class Effect:
    """A change that a whole version amounts to, whatever ways it takes."""

    change: Change
    """The change."""
    classes: str
    """What it does to a running system: letters of `Class`."""
    why: str
    """What happens, in a few words."""
    object: str
    """What it is about, as people write it: the path without the words that only order it."""

    @property
    def store(self) -> str:
        """Its store."""
        return self.change.store

    @property
    def engine(self) -> str:
        """Name of its engine."""
        return self.change.store.partition("/")[0]

    @property
    def kind(self) -> str:
        """Name of the type of change."""
        return self.change.kind

    @property
    def path(self) -> Path:
        """Path of the part."""
        return self.change.path

    @property
    def name(self) -> str:
        """The last name of the path."""
        return self.change.path[-1]

    @property
    def entity(self) -> str:
        """The entity that it is about; empty if it is about none."""
        return self.path[2] if len(self.path) > 2 and self.path[1] == "shape" else ""

    @property
    def table(self) -> str:
        """Key of the table or collection that it is about; of the whole target where that is one, or none is told."""
        if len(self.path) > 3 and self.path[1] == "native" and self.path[2] in ("collections", "tables"):
            return self.path[3]
        if len(self.path) > 4 and self.path[1:3] == ("native", "indexes"):
            return self.path[3]
        value = self.change.after if self.change.before is None else self.change.before
        owner = value.get("table") if isinstance(value, dict) and len(self.path) == 4 else None
        return str(owner) if owner else self.path[0]


def effects(before: Snapshot, after: Snapshot, facts: Callable[[str], Facts], hints: Hints) -> tuple[Effect, ...]:
    """Every net change from one snapshot to the other, stores in the order of their names."""
    made: list[Effect] = []
    for store in sorted(before.stores.keys() | after.stores.keys()):
        engine = facts(store)
        tree = Part(parts={"*": engine.parts})
        known = {path: old for (where, path), old in hints.items() if where == store}
        old, new = dict(before.stores.get(store, {})), dict(after.stores.get(store, {}))
        for change in diff(store, tree, old, new, (), known):
            row = row_of(engine.classes, change)
            made.append(Effect(change, row.classes, row.why, plain(tree, change.path)))
    return tuple(made)


def plain(tree: Part, path: Path) -> str:
    """A path as people write it: `orders/by_status` for `orders/native/indexes/by_status`."""
    kept: list[str] = []
    for name in path:
        is_named = name not in tree.parts
        tree = tree.at(name)
        if is_named or tree.noun is not None:
            kept.append(name)
    return "/".join(kept)


def found(snapshot: Snapshot, store: str, path: Path) -> Any:
    """What stands at a path of a snapshot; None if nothing does."""
    value: Any = snapshot.stores.get(store, {})
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def generation(key: str) -> tuple[str, int]:
    """(name, generation) of the key of a table or target: `orders-k2`, `posts_k2`."""
    name, mark, number = key.rpartition("k")
    is_later = bool(mark) and len(name) > 1 and name[-1] in "-_" and number.isdigit() and int(number) > 1
    return (name[:-1], int(number)) if is_later else (key, 1)
