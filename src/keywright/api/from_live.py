"""The first version of stores that were there first: what they hold, as far as the models speak of it."""

from typing import Any

from keywright.compiler import Compiled
from keywright.errors import UsageError
from keywright.history.author import Draft, author
from keywright.history.rendered import rendered
from keywright.history.snapshot import EMPTY, Snapshot, Stores, described, key_of
from keywright.history.version import Version
from keywright.project.migrations import Folder, write_versions

from .live import answering
from .sites import Where, opened
from .versions import engine_at, hints_of, spent


def baseline_from_live(where: Where, compiled: Compiled, folder: Folder) -> Version:
    """Write `0001_baseline`: what is there of what the models declare; the rest is for the next `migrate diff`.

    UsageError if there are versions already, or if nothing is there.
    """
    if folder.head is not None:
        raise UsageError("there are versions already", "`keywright migrate baseline` records the one that fits")
    stores: Stores = {}
    with opened(where, {one.store for one in compiled.targets}) as sites:
        for one in compiled.targets:
            site = sites[one.store]
            placed = one.engine.place(one.declared, site.environment)
            with answering(one.store):
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
    version = author(draft, engine_at, number="0001", slug="baseline", parent=None)
    write_versions(folder.path, [], [(version, rendered(version, EMPTY, engine_at))])
    return version
