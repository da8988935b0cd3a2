"""The beginning of a history where data was there first: as the first version, or as one that there is already."""

from collections.abc import Mapping
from typing import Any

from keywright.compiler import Compiled
from keywright.engines.compare import Difference
from keywright.engines.registry import engine_of
from keywright.errors import Blocked, UsageError
from keywright.history.author import Draft, author
from keywright.history.records import recorded
from keywright.history.rendered import rendered
from keywright.history.site import Site
from keywright.history.snapshot import EMPTY, Snapshot, Stores, described, key_of
from keywright.history.version import Version
from keywright.project.migrations import Folder, read_folder, write_versions

from .drift import drifted
from .hints import hints_of, spent
from .live import answering
from .locked import Order, Watcher, executing
from .position import position_of
from .sites import Where, opened


def write_from_live(where: Where, compiled: Compiled, folder: Folder) -> Version:
    """Write `0001_baseline`: what is there of what the models declare; the rest is for the next `migrate diff`.

    UsageError if there are versions already, or if nothing is there; Blocked if a store remembers some.
    """
    if folder.head is not None:
        raise UsageError("there are versions already", "`keywright migrate baseline` records the one that fits")
    stores: Stores = {}
    with opened(where, {one.store for one in compiled.targets}) as sites:
        for one in compiled.targets:
            site = sites[one.store]
            placed = one.engine.place(one.declared, site.environment)
            with answering(one.store):
                if known := recorded(site.ledger.rows("")).revisions:
                    problem = f'{one.store} has a history, up to version "{max(known)}"'
                    raise Blocked(problem, "take the migrations folder from git: its versions were applied here")
                live = site.driver.introspect([placed.name])[placed.name]
            if live is not None and not one.engine.is_untouched(placed, live):
                found = one.engine.unplace(one.engine.managed(one.engine.parse(live), placed), site.environment)
                told: dict[str, Any] = described(one.engine, one.declared)
                told["native"] = described(one.engine, found)["native"]
                stores.setdefault(one.store, {})[key_of(one.engine, one.declared)] = told
    if not stores:
        raise UsageError("nothing of what the models declare is there", "begin with `keywright migrate diff`")
    renamed = {spent(hint): old for hint, old in hints_of(compiled).items()}
    draft = Draft(after=Snapshot(stores, renamed=renamed))
    version = author(draft, engine_of, number="0001", slug="baseline", parent=None)
    write_versions(folder.path, [], [(version, rendered(version, EMPTY, engine_of))])
    return version


def baseline(where: Where, order: Order, watcher: Watcher) -> str:
    """Record, without running anything, the newest version that the stores are as it says; returns its number."""
    folder = read_folder(where.settings)
    if folder.head is None:
        raise UsageError("there is no version yet", "write one with `keywright migrate diff -m baseline`")
    with executing(where, folder, order, watcher) as execution:
        if not position_of(folder, execution.sites).is_without_history:
            raise Blocked("the stores have a history already", "`keywright migrate status` shows it")
        version, differing = _matching(folder, execution.sites)
        if version is None:
            raise Blocked(*drifted(differing))
        execution.adopt([one for one in folder.versions if one.number <= version.number], "baseline")
        return version.number


def _matching(folder: Folder, sites: Mapping[str, Site]) -> tuple[Version | None, list[tuple[str, str, Difference]]]:
    """The newest version that the stores are at; else None, with what differs from the last one."""
    first: list[tuple[str, str, Difference]] = []
    for version in reversed(folder.versions):
        found = [
            (store, name, one)
            for store, site in sites.items()
            for name, one in site.differences(version.snapshot.stores.get(store, {}))
        ]
        if not found:
            return version, []
        first = first or found
    return None, first
