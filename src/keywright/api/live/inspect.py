"""Live targets of a project: the server's description, and the same in the form of a snapshot."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from keywright.compiler import compile, load
from keywright.engines.interface import Description
from keywright.engines.registry import engine_of
from keywright.migrations.snapshot import Snapshot, Stores, described, key_of, target_of
from keywright.project.migrations.folder import read_folder
from keywright.record import Record, field

from .connect import StoreSelector, opened
from .local_servers import answering
from .unmanaged import UnmanagedObject, unmanaged_objects


class Live(Record):
    """A live target."""

    store: str
    """Store of the target."""
    key: str
    """Key of the target in a snapshot."""
    description: Description
    """Complete description from the server, with the physical name."""
    declared: dict[str, Any]
    """Managed parts without the environment's settings, in the form of a snapshot; the shape half is empty."""
    unmanaged: tuple[UnmanagedObject, ...] = ()
    """Unmanaged parts."""
    dead_letters: Mapping[str, int] = field(default_factory=dict)
    """Numbers of entries of dead-letter streams, by key of the stream."""


def inspect(where: StoreSelector, engines: Iterable[str] = ()) -> list[Live]:
    """Existing targets of a project, by store and key.

    The last migration lists the targets; without migrations, the models do. engines: only these; all by default.
    """
    chosen = set(engines)
    stores = {
        store: targets
        for store, targets in _project_stores(where).items()
        if not chosen or store.partition("/")[0] in chosen
    }
    live_targets: list[Live] = []
    with opened(where, stores) as connections:
        for store, connection in connections.items():
            others = tuple(unmanaged_objects({store: connection}, stores))
            for key, description in sorted(stores[store].items()):
                placed, engine = connection.place(key, description), connection.engine
                with answering(store):
                    live = connection.driver.introspect([placed.name])[placed.name]
                    dead_letters = connection.driver.dead_letters() if connection.driver.dead_letters else {}
                if live is None or engine.is_untouched(placed, live):
                    continue
                parsed = engine.parse(live)
                target = engine.unplace(
                    engine.managed(parsed, engine.with_live_names(placed, parsed)), connection.environment
                )
                native = described(engine, target)["native"]
                declared = {"generation": description["generation"], "native": native, "shape": {}}
                own = tuple(unmanaged for unmanaged in others if unmanaged.key == key)
                live_targets.append(Live(store, key, live, declared, own, dead_letters))
    return live_targets


def snapshot(live_targets: Iterable[Live]) -> Snapshot:
    """Live targets as a snapshot, for comparison with a migration's."""
    stores: Stores = {}
    for live in live_targets:
        stores.setdefault(live.store, {})[live.key] = live.declared
    return Snapshot(stores)


def scripts(live_targets: Iterable[Live]) -> dict[str, str]:
    """Files for the stores' own tools that create the targets, by path: `dynamodb/shop/create-table.json`."""
    return {
        str(PurePosixPath(engine.name, live.key, artefact.path)): artefact.text
        for live in live_targets
        for engine in (engine_of(live.store),)
        for artefact in engine.script(None, target_of(engine, live.key, live.declared))
    }


def _project_stores(where: StoreSelector) -> Stores:
    """Descriptions of all targets of the project."""
    head = read_folder(where.settings).head
    if head is not None:
        return head.snapshot.stores
    stores: Stores = {}
    for target in compile(load(str(where.settings.root)), where.environment).targets:
        stores.setdefault(target.store, {})[key_of(target.engine, target.declared)] = described(
            target.engine, target.declared
        )
    return stores
