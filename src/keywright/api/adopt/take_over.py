"""Taking over unmanaged objects, by a migration that records them as they are; later migrations may change them."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from keywright.engines.contract.change import Path
from keywright.engines.contract.parts import PartNames
from keywright.engines.registry import engine_of
from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.migration import Migration
from keywright.migrations.rendered import rendered
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import Snapshot, described, key_of
from keywright.project.migrations.folder import Folder, read_folder, write_migrations

from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from ..live.unmanaged import UnmanagedObject, unmanaged_objects
from ..migrate.position import position_of, stores_of

_OWNED = ("indexes", "views")
"""Parts that are described beside their table or collection, and are taken over with it."""


def take_over(where: StoreSelector, objects: Iterable[str]) -> Migration:
    """Write a migration that makes existing objects managed.

    objects: names as in `drift`. UsageError for an object that is missing or already managed, or if there is no
    migration yet; Blocked while a migration is pending.
    """
    folder = read_folder(where.settings)
    if folder.head is None:
        raise UsageError("there is no migration yet", "start with `keywright migrate baseline --from live`")
    with opened(where, stores_of(folder)) as connections:
        if position_of(folder, connections).pending:
            raise Blocked("a migration is pending", "apply it first; `keywright migrate status` shows its steps")
        unmanaged_by_name = {
            unmanaged.object: unmanaged for unmanaged in unmanaged_objects(connections, folder.head.snapshot.stores)
        }
        stores = deepcopy(folder.head.snapshot.stores)
        for name in dict.fromkeys(objects):
            if name not in unmanaged_by_name:
                help = did_you_mean(name, unmanaged_by_name) or "`keywright drift` lists the unmanaged objects"
                raise UsageError(f'"{name}" is not an unmanaged object', help)
            unmanaged = unmanaged_by_name[name]
            _add(stores.setdefault(unmanaged.store, {}), connections[unmanaged.store], unmanaged)
    return _written(folder, stores, [unmanaged_by_name[name] for name in dict.fromkeys(objects)])


def _written(folder: Folder, stores: Any, objects: list[UnmanagedObject]) -> Migration:
    assert folder.head is not None
    before = folder.head.snapshot
    draft = Draft(before=before, after=Snapshot(stores, before.graveyard, before.access, before.renamed))
    slug = "take_over_" + "_".join(_word(unmanaged) for unmanaged in objects[:2])
    number = f"{int(folder.head.number) + 1:04d}"
    migration = author(draft, engine_of, number=number, slug=slug[:60].strip("_"), parent=folder.head.number)
    folders = [earlier.folder for earlier in folder.migrations]
    write_migrations(folder.path, folders, [(migration, rendered(migration, before, engine_of))])
    return migration


def _word(unmanaged: UnmanagedObject) -> str:
    """Name of an object within the name of a folder."""
    name = unmanaged.part.path[-1] if unmanaged.part.path else unmanaged.name
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name.lower())


def _add(targets: dict[str, Any], connection: StoreConnection, unmanaged: UnmanagedObject) -> None:
    """Add an object with its live state to a store's descriptions, including the parts that belong to it."""
    with answering(unmanaged.store):
        live = connection.driver.introspect([unmanaged.name])[unmanaged.name]
    assert live is not None
    if unmanaged.key:
        live = connection.engine.deliberate(live, connection.place(unmanaged.key, targets[unmanaged.key]))
    target = connection.engine.unplace(connection.engine.parse(live), connection.environment)
    description = described(connection.engine, target)
    if not unmanaged.part.path:
        targets[key_of(connection.engine, target)] = {**description, "shape": {}}
        return
    native = targets[unmanaged.key]["native"]
    for path in _together(connection, description["native"], unmanaged.part.path):
        _copy(native, description["native"], path)
    for part, name, part_description in _owned_parts(description["native"], unmanaged.part.path):
        native.setdefault(part, {})[name] = part_description


def _owned_parts(native: Mapping[str, Any], path: Path) -> Iterator[tuple[str, str, Any]]:
    """(kind, key, description) of the indexes and views of a table or collection."""
    if len(path) != 2 or path[0] in _OWNED:
        return
    for part in _OWNED:
        for name, description in native.get(part, {}).items():
            if path[1] == (description.get("table") if path[0] == "tables" else name):
                yield part, name, description


def _together(connection: StoreConnection, native: Mapping[str, Any], path: Path) -> Iterator[Path]:
    """Path of a part; for an option of a validator, the paths of all options of the validator."""
    part, siblings = connection.engine.parts.at("native"), native
    for key in path[:-1]:
        part, siblings = part.at(key), siblings[key]
    is_validator = part.at(path[-1]).noun is PartNames.VALIDATOR
    yield from (
        (*path[:-1], key)
        for key in siblings
        if key == path[-1] or (is_validator and part.at(key).noun is PartNames.VALIDATOR)
    )


def _copy(target: dict[str, Any], source: Mapping[str, Any], path: tuple[str, ...]) -> None:
    for key in path[:-1]:
        target, source = target.setdefault(key, {}), source[key]
    target[path[-1]] = source[path[-1]]
