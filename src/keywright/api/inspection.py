"""What live stores hold of what a project speaks of: as a server tells it, and as a version would have it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from keywright.compiler import compile, load
from keywright.engines.interface import Description
from keywright.engines.registry import engine_of
from keywright.history.snapshot import Snapshot, Stores, described, key_of, target_of
from keywright.project.migrations import read_folder

from .live import answering
from .sites import Where, opened


@dataclass(frozen=True, slots=True)
class Live:
    """One target that is there."""

    store: str
    """Its store."""
    key: str
    """What it is called in a snapshot."""
    description: Description
    """All that the server tells of it, under its physical name."""
    declared: dict[str, Any]
    """What the project speaks of, without what the environment owns, as a snapshot holds it; its shape is unknown."""


def inspect(where: Where, engines: Iterable[str] = ()) -> list[Live]:
    """The targets of a project that are there, by store and key.

    Which those are, the last version says; where there is none, the models do. engines: only these; all by default.
    """
    chosen = set(engines)
    known = {store: one for store, one in _known(where).items() if not chosen or store.partition("/")[0] in chosen}
    found: list[Live] = []
    with opened(where, known) as sites:
        for store, site in sites.items():
            for key, told in sorted(known[store].items()):
                placed, engine = site.place(key, told), site.engine
                with answering(store):
                    live = site.driver.introspect([placed.name])[placed.name]
                if live is None or engine.is_untouched(placed, live):
                    continue
                target = engine.unplace(engine.managed(engine.parse(live), placed), site.environment)
                native = described(engine, target)["native"]
                found.append(Live(store, key, live, {"generation": told["generation"], "native": native, "shape": {}}))
    return found


def snapshot(found: Iterable[Live]) -> Snapshot:
    """The same as a snapshot, to be compared with that of a version."""
    stores: Stores = {}
    for one in found:
        stores.setdefault(one.store, {})[one.key] = one.declared
    return Snapshot(stores)


def scripts(found: Iterable[Live]) -> dict[str, str]:
    """Files for stock tools that make the same from nothing, by path: `dynamodb/shop/create-table.json`."""
    return {
        str(PurePosixPath(engine.name, one.key, artefact.path)): artefact.text
        for one in found
        for engine in (engine_of(one.store),)
        for artefact in engine.script(None, target_of(engine, one.key, one.declared))
    }


def _known(where: Where) -> Stores:
    """Every target that the project speaks of."""
    head = read_folder(where.settings).head
    if head is not None:
        return head.snapshot.stores
    stores: Stores = {}
    for one in compile(load(str(where.settings.root)), where.environment).targets:
        stores.setdefault(one.store, {})[key_of(one.engine, one.declared)] = described(one.engine, one.declared)
    return stores
