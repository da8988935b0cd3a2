"""Backfills of stacks that follow the models: a resource for each store, with the form of its items.

If the form changes, the passes of a corresponding migration run under the store's lock, and continue after an
interruption. Gated environments have no such resources.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.engines.contract.resource import Inputs, StackResource
from keywright.errors import NeedsDecision, UsageError
from keywright.ir.binding import Binding
from keywright.ir.json import Json
from keywright.migrations.backfill import backfill
from keywright.migrations.lock.lock import HeldLock
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.records import step_key
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import Snapshot, described, digest, key_of

from ..author.transforms import ItemForm, forms_of, passes_between
from ..migrate.backfill import Worker
from .connections import ConnectionPool
from .resources import ResourceWatcher, locked

RUN = "keywright:migrations:Run"
"""Type of the resource."""


def runs_of(compiled: Compiled) -> tuple[StackResource, ...]:
    """Resources of a stack, one for each store."""
    items: dict[str, dict[str, Json]] = {target.store: {} for target in compiled.targets}
    for placed, binding, form in forms_of(compiled):
        if form != ItemForm():
            items[placed.store][binding.name] = {"version": form.version, "made": dict(form.templates)}
    return tuple(StackResource(RUN, store, store, {"store": store, "items": forms}) for store, forms in items.items())


def wrong(old: Inputs | None, new: Inputs) -> list[tuple[str, str]]:
    """(property, reason) of invalid inputs."""
    store, items = new.get("store"), new.get("items")
    if not isinstance(store, str) or (old and old.get("store") != store):
        return [("store", "it must be the name of a store, such as mongodb/content, and cannot change")]
    if not isinstance(items, dict) or not all(_is_form(item) for item in items.values()):
        return [("items", "each entity must have a version and templates, as `provision()` passes them")]
    return []


def _is_form(form: Json) -> bool:
    return isinstance(form, dict) and isinstance(form.get("version"), int) and isinstance(form.get("made"), dict)


def apply(pool: ConnectionPool, old: Inputs | None, new: Inputs, watcher: ResourceWatcher) -> None:
    """Run the passes between the old and the new form of a store's items.

    Raises NeedsDecision if some items cannot be transformed, Blocked if another process holds the lock, Unavailable if
    the server cannot be reached; another call continues from there.
    """
    store = str(new["store"])
    steps = list(_steps(pool, store, _forms(old), _forms(new))) if old else []
    if not steps:
        return  # nothing has changed, or the stack is new: earlier items are for migrations
    with pool.connection(store) as connection, locked(pool, connection, watcher) as held_lock:
        for migration, step in steps:
            _carry_out(connection, migration, step, held_lock, watcher)


def _forms(inputs: Inputs | None) -> dict[str, ItemForm]:
    items: Any = (inputs or {}).get("items") or {}
    return {entity: ItemForm(item["version"], item["made"]) for entity, item in items.items()}


def _steps(
    pool: ConnectionPool, store: str, old: Mapping[str, ItemForm], new: Mapping[str, ItemForm]
) -> Iterator[tuple[Migration, Step]]:
    """Passes over the items of a store, each as the backfill of a migration without a folder."""
    if old == new:
        return
    for placed, binding, _ in forms_of(pool.compiled()):
        if placed.store == store and binding.name in new:
            former_names = {field.renamed_from for field in binding.entity.attributes if field.renamed_from}
            for words in passes_between(binding, old.get(binding.name, ItemForm()), new[binding.name], former_names):
                yield _step(placed, binding, words)


def _step(placed: Placed, binding: Binding, words: Mapping[str, Json]) -> tuple[Migration, Step]:
    key = key_of(placed.engine, placed.declared)
    snapshot = Snapshot({placed.store: {key: described(placed.engine, placed.declared)}})
    name = f"dev-{digest([binding.name, dict(words)]).removeprefix('sha256:')[:12]}"
    object = f"{key}/shape/{binding.name}"
    step = Step(n=1, phase="backfill", by="runner", op="backfill", store=placed.store, object=object, more=words)
    migration = Migration(
        number=name, slug=binding.name, parent=None, base="", to="", changes=(), steps=(step,), snapshot=snapshot
    )
    return migration, step


def _carry_out(
    connection: StoreConnection, migration: Migration, step: Step, held_lock: HeldLock, watcher: ResourceWatcher
) -> None:
    """Run a pass; a pass that was finished, or that has items in quarantine, restarts."""
    status = backfill.status(connection.ledger, step_key(migration, step))
    is_over = status is not None and (status[3] > 0 or all(row["state"] == "DONE" for row in status[1].values()))

    def tell(migration: Migration, step: Step, progress: backfill.PassProgress) -> None:
        watcher.check()
        watcher.items(migration.slug, progress)

    settings = backfill.BackfillSettings(restart=is_over)
    try:
        Worker(Path(), settings, tell)(connection, migration, step, held_lock)
    except UsageError as problem:
        help = "the key of its items changes, which needs a new table beside it: declare the next generation="
        raise NeedsDecision(f"{migration.slug}: {problem.problem}", help) from None
    except NeedsDecision as unclear:
        help = "correct these items, or the upgrade in the models, then run `pulumi up` again"
        raise NeedsDecision(unclear.problem.replace(f"{migration.number}/{step.n}", migration.slug), help) from None
