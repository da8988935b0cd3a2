"""The difference between the models and the last version, as the next version: needs no network and no engine."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.compiler import Compiled, plan_access
from keywright.engines.change import Change
from keywright.engines.registry import engine_of
from keywright.errors import UsageError
from keywright.history.author import Draft, author, changes
from keywright.history.snapshot import EMPTY, Snapshot, Stores, described, key_of
from keywright.history.version import Version
from keywright.history.wording import named
from keywright.ir.json import Json
from keywright.project.migrations import Folder

from .hints import hints_of, spent
from .transforms import transforms_of


@dataclass(frozen=True, slots=True)
class Difference:
    """What the models say that no version says yet."""

    draft: Draft
    """The two snapshots, with what helps to tell changes."""
    changes: tuple[Change, ...]
    """The changes, as they are found."""


def difference(compiled: Compiled, folder: Folder) -> Difference:
    """The difference between the models and the last version."""
    before = folder.head.snapshot if folder.head else EMPTY
    after = snapshot_of(compiled, before)
    known = hints_of(compiled) if folder.head else {}  # before the first version nothing had another name
    hints = {hint: old for hint, old in known.items() if before.renamed.get(spent(hint)) != old}
    draft = Draft(before=before, after=after, hints=hints, transforms=transforms_of(compiled, before, after))
    return Difference(draft, changes(draft, engine_of))


def snapshot_of(compiled: Compiled, before: Snapshot) -> Snapshot:
    """The snapshot of the models, whose graveyard is that of the version before and what goes now."""
    stores: Stores = {}
    for one in compiled.targets:
        key = key_of(one.engine, one.declared)
        stores.setdefault(one.store, {})[key] = described(one.engine, one.declared)
    for store, targets in stores.items():
        engine = engine_of(store)
        stores[store] = engine.keep(
            compiled.project.design.of_engine(engine.name), before.stores.get(store, {}), targets
        )
    access = {row.pattern.name: _served(row.placed.store, row.planned) for row in plan_access(compiled).rows}
    renamed = {spent(hint): old for hint, old in hints_of(compiled).items()}
    return Snapshot(stores, before.graveyard, access, renamed)


def _served(store: str, planned: Planned[Any]) -> str:
    """What serves a pattern, for the note in the snapshot."""
    if not isinstance(planned.path, AccessPath):
        return "nothing"
    by = planned.path.by
    return f"{store}/{by.name}" if by.kind not in ("table", "partition", "structure") else store


def next_version(found: Difference, folder: Folder, text: str | None) -> Version:
    """The version that leads to the models; its graveyard has what it drops."""
    parent = folder.head.number if folder.head else None
    number = f"{int(parent or 0) + 1:04d}"
    slug = slug_of(text) if text else suggested(found.changes, is_first=parent is None)
    graves = [_grave(change, number) for change in found.changes if _leaves_a_grave(change)]
    after = replace(found.draft.after, graveyard=(*found.draft.after.graveyard, *graves))
    return author(replace(found.draft, after=after), engine_of, number=number, slug=slug, parent=parent)


def _leaves_a_grave(change: Change) -> bool:
    return change.kind in ("DropField", "DropTable")


def _grave(change: Change, number: str) -> dict[str, Json]:
    """What was dropped, under which name, and as what."""
    before: Any = change.before
    type = before["type"] if isinstance(before, Mapping) and "type" in before else before
    told = type if isinstance(type, str) else "table"
    return {"object": f"{change.store}/{change.object}", "type": told, "dropped_in": number, "purged": False}


def slug_of(text: str) -> str:
    """A text as the end of a folder's name; UsageError if nothing is left of it."""
    slug = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:60].strip("_")
    if not slug:
        raise UsageError(f'-m "{text}" has no letter or digit', 'say what changes, such as -m "orders by status"')
    return slug


def suggested(found: tuple[Change, ...], *, is_first: bool) -> str:
    """A slug from the changes themselves."""
    if is_first:
        return "first"
    return slug_of(" ".join(named(change) for change in found[:2]))


def amended(made: Version, last: Version) -> Version:
    """A version that takes the place of the last: what people wrote in that stays, as far as it still fits."""
    changes = [one.change for one in made.landings]
    if changes == [one.change for one in last.landings]:
        return replace(made, landings=last.landings, stages=last.stages, ignore=last.ignore)
    return replace(made, ignore=last.ignore)
