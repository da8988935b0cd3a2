"""The difference between the models and the last migration, as the next migration; needs no network or server."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.compiler import Compiled, plan_access
from keywright.engines.contract.change import Change
from keywright.engines.registry import engine_of
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.migrations.author.draft import Draft, changes
from keywright.migrations.author.planner import author
from keywright.migrations.migration import Migration, Step
from keywright.migrations.snapshot import EMPTY, Snapshot, Stores, key_of
from keywright.migrations.wording import named
from keywright.project.migrations.folder import Folder
from keywright.record import Record, replace

from .existing import as_managed
from .former_names import hints_of, spent
from .transforms import transforms_of


class ModelDifference(Record):
    """Difference between the models and the last migration."""

    draft: Draft
    """Both snapshots, with rename hints and transforms."""
    changes: tuple[Change, ...]
    """Changes between the snapshots."""


def difference(compiled: Compiled, folder: Folder) -> ModelDifference:
    """Compare the models with the last migration."""
    before = folder.head.snapshot if folder.head else EMPTY
    after = snapshot_of(compiled, before)
    declared_hints = hints_of(compiled) if folder.head else {}  # the first migration renames nothing
    hints = {hint: old for hint, old in declared_hints.items() if before.renamed.get(spent(hint)) != old}
    draft = Draft(before=before, after=after, hints=hints, transforms=transforms_of(compiled, before, after))
    return ModelDifference(draft, changes(draft, engine_of))


def snapshot_of(compiled: Compiled, before: Snapshot) -> Snapshot:
    """Snapshot of the models, with the graveyard of the previous migration."""
    stores: Stores = {}
    for target in compiled.targets:
        key = key_of(target.engine, target.declared)
        design, previous = compiled.project.design, before.stores.get(target.store, {})
        stores.setdefault(target.store, {})[key] = as_managed(target, design, previous)
    for store, targets in stores.items():
        engine = engine_of(store)
        stores[store] = engine.keep(
            compiled.project.design.of_engine(engine.name), before.stores.get(store, {}), targets
        )
    rows = [row for row in plan_access(compiled).rows if row.planned.is_served or row.pattern.unserved is None]
    access = {row.pattern.name: _served(row.placed.store, row.planned) for row in rows}
    access |= {
        part.pattern.name: note
        for row in rows
        for part in row.planned.parts
        if part.is_served and (note := _served(row.placed.store, part)) != row.placed.store
    }
    renamed = {spent(hint): old for hint, old in hints_of(compiled).items()}
    return Snapshot(stores, before.graveyard, access, renamed)


def _served(store: str, planned: Planned[Any]) -> str:
    """Access path of an access pattern, for the note in the snapshot."""
    if not isinstance(planned.path, AccessPath):
        return "nothing"
    source = planned.path.by
    return f"{store}/{source.name}" if source.kind not in ("table", "partition", "structure") else store


def next_migration(model_difference: ModelDifference, folder: Folder, text: str | None) -> Migration:
    """Migration from the last snapshot to the models."""
    parent = folder.head.number if folder.head else None
    number = f"{int(parent or 0) + 1:04d}"
    slug = slug_of(text) if text else suggested(model_difference.changes, is_first=parent is None)
    return author(model_difference.draft, engine_of, number=number, slug=slug, parent=parent)


def slug_of(text: str) -> str:
    """A text as the end of a folder's name; UsageError if nothing is left of it."""
    slug = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:60].strip("_")
    if not slug:
        raise UsageError(f'-m "{text}" has no letter or digit', 'describe the change, such as -m "orders by status"')
    return slug


def suggested(changes: tuple[Change, ...], *, is_first: bool) -> str:
    """Slug derived from the changes."""
    if is_first:
        return "first"
    return slug_of(" ".join(named(change) for change in changes[:2]))


def amended(migration: Migration, last: Migration) -> Migration:
    """Replacement of the last migration; edits by people stay as far as they still fit."""
    changes = [numbered_change.change for numbered_change in migration.changes]
    if changes != [numbered_change.change for numbered_change in last.changes]:
        return replace(migration, ignore=last.ignore, steps=_with_gates(migration.steps, last.steps))
    steps = last.steps
    declared, written = _declared(migration.steps), _declared(last.steps)
    by_hand = {
        (step.store, step.object) for step in last.steps if step.op == "backfill" and "transform" not in step.more
    }
    if {key for key in declared if key[:2] not in by_hand} != written.keys():
        steps = _with_gates(migration.steps, last.steps)
    else:
        steps = tuple(
            replace(step, more={**step.more, "transform": declared[_pass(step)]}) if _pass(step) in declared else step
            for step in last.steps
        )
    return replace(migration, changes=last.changes, steps=steps, ignore=last.ignore)


def _with_gates(planned: Sequence[Step], last: Sequence[Step]) -> tuple[Step, ...]:
    """The new steps with the hand-written steps of the former version of the migration."""
    numbers = {step.n for step in planned}
    steps = list(planned)
    for step in last:
        if step.op in _BY_HAND:
            n = next(n for n in range(step.n, step.n + len(planned) + len(last) + 1) if n not in numbers)
            numbers.add(n)
            steps.append(replace(step, n=n, applies=()))
    return tuple(sorted(steps, key=lambda step: step.n))


_BY_HAND = ("check", "quiet", "repair_done", "wait")
"""Gates that only people write into a migration."""


def outdated(compiled: Compiled, folder: Folder) -> tuple[str, ...]:
    """Entities whose transform in the last migration differs from the models.

    An upgrade that was removed from the models does not count, because it has been used. Call this only if the models
    have no other change.
    """
    last = folder.head
    if last is None:
        return ()
    before = folder.migrations[-2].snapshot if len(folder.migrations) > 1 else EMPTY
    filled = {
        (numbered_change.change.store, numbered_change.change.path[:3])
        for numbered_change in last.changes
        if "B" in numbered_change.classes
        and not numbered_change.change.is_native
        and len(numbered_change.change.path) > 2
    }
    transforms = transforms_of(compiled, before, last.snapshot)
    steps = [
        Step(n=0, phase="backfill", by="runner", op="backfill", store=store, object="/".join(path), more=words)
        for (store, path), passes in transforms.items()
        if (store, path) in filled
        for words in passes
    ]
    by_hand = {
        (step.store, step.object) for step in last.steps if step.op == "backfill" and "transform" not in step.more
    }
    written = _declared(last.steps)
    return tuple(
        dict.fromkeys(
            f"{key[0]} {key[1]}"
            for key, transform in _declared(steps).items()
            if key[:2] not in by_hand and written.get(key) != transform
        )
    )


def _declared(steps: Iterable[Step]) -> dict[tuple[str, str, Json], Json]:
    """Declared transform of each pass over the items of an entity."""
    return {_pass(step): step.more["transform"] for step in steps if step.op == "backfill" and "transform" in step.more}


def _pass(step: Step) -> tuple[str, str, Json]:
    """Key of a pass within a migration: store, entity, and the new schema version of the items."""
    return step.store, step.object, step.more.get("version")
