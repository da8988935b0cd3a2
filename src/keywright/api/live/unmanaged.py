"""Unmanaged objects of live stores: reported, and left alone until a person takes them over."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keywright.engines.contract.change import Path
from keywright.engines.contract.parts import Part, PartNames
from keywright.engines.contract.plan import Statement
from keywright.engines.contract.unmanaged import Unmanaged
from keywright.ir.json import Json
from keywright.ir.text import one_line
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import Stores
from keywright.record import Record

from .local_servers import answering


class UnmanagedObject(Record):
    """An unmanaged object."""

    store: str
    """Store of the object."""
    key: str
    """Key of its target in a snapshot; empty for a table outside the snapshot."""
    name: str
    """Physical name of the target."""
    part: Unmanaged
    """Part of the target; the path is empty for a whole table."""
    equal: str = ""
    """Managed index that is equal except for its name; empty if there is none."""

    @property
    def object(self) -> str:
        """Name on the command line, such as `mongodb/shop/indexes/users/email_1`."""
        return called(self.store, self.key or self.name, self.part.path)


def called(store: str, key: str, path: Iterable[str]) -> str:
    """Name of a part of a target on the command line."""
    return "/".join((store.partition("/")[0], *map(_written, (key, *path))))


def unmanaged_objects(connections: Mapping[str, StoreConnection], stores: Stores) -> Iterator[UnmanagedObject]:
    """Unmanaged objects of connected stores, in the order of their names."""
    for store, connection in connections.items():
        with answering(store):
            unmanaged = tuple(connection.unmanaged(stores.get(store, {})))
        targets = stores.get(store, {})
        yield from (
            UnmanagedObject(store, key, name, part, _equal(connection, targets.get(key, {}), part))
            for key, name, part in unmanaged
        )


class ManagedCounts(Record):
    """Counts of a store's managed and unmanaged objects, by kind such as `indexes`."""

    store: str
    """Name of the store."""
    managed: Mapping[str, int]
    """Managed objects by kind."""
    unmanaged: Mapping[str, int]
    """Unmanaged objects by kind."""


def tallies(connections: Mapping[str, StoreConnection], stores: Stores) -> Iterator[ManagedCounts]:
    """Counts of connected stores, in the order of their names; an unmanaged table counts once, with all its parts."""
    for store, connection in sorted(connections.items()):
        native = connection.engine.parts.at("native")
        targets = stores.get(store, {}).values()
        managed = Counter(_kind(path) for target in targets for path in _parts(native, target["native"], ()))
        if "/" not in store:
            managed["tables"] += len(targets)
        unmanaged = unmanaged_objects({store: connection}, stores)
        yield ManagedCounts(
            store,
            dict(sorted(managed.items())),
            dict(sorted(Counter(_kind(each.part.path) for each in unmanaged).items())),
        )


def _parts(tree: Part, native: Mapping[str, Any], path: Path) -> Iterator[Path]:
    """Paths of all parts with a noun; the key of a table counts as part of the table."""
    for key, inner in native.items():
        part, part_path = tree.at(key), (*path, key)
        if part.noun is not None and part.noun is not PartNames.KEY:
            yield part_path
        if part.parts and isinstance(inner, Mapping):
            yield from _parts(part, inner, part_path)


def _kind(path: Path) -> str:
    """Kind of a part, by its path in the native half."""
    if not path:
        return "tables"
    if path[0] in ("collections", "tables") and len(path) > 2:
        return "columns" if path[2] in ("columns", "static") else "options"
    return path[0].replace("_", " ") if len(path) > 1 else "options"


class RivalIndex(Record):
    """An unmanaged index that makes a new index unnecessary or prevents it."""

    name: str
    """Name of the index."""
    is_equal: bool
    """Whether only its name differs."""

    @property
    def text(self) -> str:
        """Problem and solution in a few words."""
        if self.is_equal:
            return f'the same index exists unmanaged, as "{one_line(self.name)}": declare it with that name'
        return f'the unmanaged index "{one_line(self.name)}" conflicts with it: drop that index'


def rival(
    connection: StoreConnection, targets: Mapping[str, Any], key: str, path: Path, index: Json
) -> RivalIndex | None:
    """Unmanaged index that is equal to a new index, or that the server rejects in combination with it.

    targets: the store's part of its current snapshot. path: path of the new index in the native half.
    """
    with answering(connection.store):
        unmanaged = tuple(connection.unmanaged(targets)) if key in targets else ()
    other_indexes = {
        part.path[-1]: part.description
        for target_key, _, part in unmanaged
        if (target_key, part.path[:-1]) == (key, path[:-1])
    }
    other_indexes.pop(path[-1], None)
    equal = next((RivalIndex(name, True) for name, other in other_indexes.items() if other == index), None)
    return equal or next(
        (RivalIndex(name, False) for name, other in other_indexes.items() if _clash(connection, other, index)), None
    )


def rival_of(connection: StoreConnection, targets: Mapping[str, Any], statement: Statement) -> RivalIndex | None:
    """Unmanaged index that is equal to or conflicts with the index that a step builds."""
    if not _is_index(statement.object) or statement.wants is None:
        return None
    keys = (key for key in targets if connection.place(key, targets[key]).name == statement.target)
    return next((rival(connection, targets, key, statement.object, statement.wants) for key in keys), None)


def _clash(connection: StoreConnection, first: Json, second: Json) -> bool:
    return isinstance(first, dict) and isinstance(second, dict) and connection.engine.clash(first, second)


def _equal(connection: StoreConnection, target: Mapping[str, Any], part: Unmanaged) -> str:
    if not _is_index(part.path):
        return ""
    indexes: Any = target.get("native", {})
    for step in part.path[:-1]:
        indexes = indexes.get(step, {})
    return next((name for name, index in indexes.items() if index == part.description), "")


def _is_index(path: Path) -> bool:
    return len(path) > 1 and path[0] in ("indexes", "local_indexes", "views")


def _written(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
