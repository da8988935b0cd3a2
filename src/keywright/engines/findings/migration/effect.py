"""Effects: the net changes of a migration between its two snapshots, whatever its steps are."""

from collections.abc import Callable, Mapping
from typing import Any

from keywright.engines.contract.change import Change, Path
from keywright.engines.contract.classes import row_of
from keywright.engines.contract.diff import diff
from keywright.engines.contract.parts import Part
from keywright.record import Record

from .migration import ChangeFacts, Hints, SnapshotInfo


class Effect(Record):
    """A net change of a migration."""

    change: Change
    """The change."""
    classes: str
    """Its effect on a running system: letters of `Class`."""
    why: str
    """The effect in a few words."""
    object: str
    """Its object in the form for messages: the path without structural keys."""

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
        """Its entity; empty if it has none."""
        return self.path[2] if len(self.path) > 2 and self.path[1] == "shape" else ""

    @property
    def table(self) -> str:
        """Key of its table or collection; the key of the target if this is a table, or if no table is named."""
        if len(self.path) > 3 and self.path[1] == "native" and self.path[2] in ("collections", "tables"):
            return self.path[3]
        if len(self.path) > 4 and self.path[1:3] == ("native", "indexes"):
            return self.path[3]
        value = self.change.after if self.change.before is None else self.change.before
        owner = value.get("table") if isinstance(value, dict) and len(self.path) == 4 else None
        return str(owner) if owner else self.path[0]


def effects(
    before: SnapshotInfo, after: SnapshotInfo, facts: Callable[[str], ChangeFacts], hints: Hints
) -> tuple[Effect, ...]:
    """Every net change from one snapshot to the other, stores in the order of their names."""
    net: list[Effect] = []
    for store in sorted(before.stores.keys() | after.stores.keys()):
        if before.stores.get(store) is after.stores.get(store):
            continue  # a fold shares unchanged stores
        engine = facts(store)
        tree = Part(parts={"*": engine.parts})
        store_hints = {path: old for (hint_store, path), old in hints.items() if hint_store == store}
        old, new = dict(before.stores.get(store, {})), dict(after.stores.get(store, {}))
        for change in diff(store, tree, old, new, (), store_hints):
            row = row_of(engine.classes, change)
            net.append(Effect(change, row.classes, row.why, plain(tree, change.path)))
    return tuple(net)


def plain(tree: Part, path: Path) -> str:
    """A path in the form for messages: `orders/by_status` for `orders/native/indexes/by_status`."""
    names: list[str] = []
    for name in path:
        is_named = name not in tree.parts
        tree = tree.at(name)
        if is_named or tree.noun is not None:
            names.append(name)
    return "/".join(names)


def value_at(snapshot: SnapshotInfo, store: str, path: Path) -> Any:
    """The value at a path of a snapshot; None if there is none."""
    value: Any = snapshot.stores.get(store, {})
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def generation(key: str) -> tuple[str, int]:
    """(name, generation) from the key of a table or target, such as `orders-k2` or `posts_k2`."""
    name, letter, number = key.rpartition("k")
    is_later = bool(letter) and len(name) > 1 and name[-1] in "-_" and number.isdigit() and int(number) > 1
    return (name[:-1], int(number)) if is_later else (key, 1)
