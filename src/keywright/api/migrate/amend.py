"""Records that a migration was edited while it was applied, in the stores that have started it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from keywright.errors import Blocked, NeedsDecision, UsageError
from keywright.migrations.migration import Migration
from keywright.migrations.run.execute import Execution
from keywright.migrations.run.records import (
    MigrationRow,
    MigrationState,
    StoreHistory,
    amendment_key,
    is_step_done,
    row,
)
from keywright.project.migrations.folder import Folder, read_folder
from keywright.record import replace

from ..live.connect import StoreSelector
from .backfill import Worker
from .drift import drift_of, drifted
from .locks import ApplyOptions, CommandWatcher, executing
from .position import check_files, migration_named, position_by


def amend(where: StoreSelector, number: str, reason: str, options: ApplyOptions, watcher: CommandWatcher) -> None:
    """Record that an unfinished migration continues with its edited folder; both hashes are kept.

    Blocked if the migration is finished in a store, has another result now, or has edited steps that are done;
    UsageError if it was not started or not edited.
    """
    folder = read_folder(where.settings)
    migration = migration_named(folder, number)
    with executing(where, folder, options, watcher) as execution:
        histories = execution.read()
        begun = dict(_begun(migration, histories))
        _reject_unedited(folder, migration, begun)
        for store, revision in begun.items():
            _reject_other(migration, store, revision)
        check_files(folder, {store: _without(migration, history) for store, history in histories.items()})
        if drift := drift_of(execution.stores, position_by(folder, execution.stores, histories)):
            raise Blocked(*drifted(drift))
        _reject_other_passes(folder, migration, execution, histories)
        for store, revision in begun.items():
            if revision.file_hash != folder.hash_of(migration):
                _amend(execution, store, migration, revision, reason)


def _begun(migration: Migration, histories: Mapping[str, StoreHistory]) -> Iterator[tuple[str, MigrationRow]]:
    for store, history in histories.items():
        revision = history.revisions.get(migration.number)
        if revision is not None and revision.state != MigrationState.ABORTED.value:
            yield store, revision


def _without(migration: Migration, history: StoreHistory) -> StoreHistory:
    """A history without the row of one migration."""
    revisions = {number: revision for number, revision in history.revisions.items() if number != migration.number}
    return replace(history, revisions=revisions)


def _reject_unedited(folder: Folder, migration: Migration, begun: Mapping[str, MigrationRow]) -> None:
    if not begun:
        raise UsageError(f"no store has started {migration.folder}", "`keywright migrate apply` starts it")
    if all(revision.file_hash == folder.hash_of(migration) for revision in begun.values()):
        problem = f"{migration.folder} has not been edited since it was started"
        raise UsageError(
            problem, "edit it, keep the edit with `keywright migrate diff --amend`, then run the same command again"
        )


def _reject_other(migration: Migration, store: str, revision: MigrationRow) -> None:
    if revision.state == MigrationState.DONE.value:
        problem = f"{migration.folder} is applied to {store}, and an applied migration never changes"
        raise Blocked(problem, "restore the folder from git, and write a further migration")
    if revision.to != migration.to:
        problem = f"the result of {migration.folder} has changed since {store} started it"
        raise Blocked(
            problem,
            f"restore the folder from git; then revert it with `keywright migrate abort {migration.number}`, and write "
            "it again with `keywright migrate diff --amend`",
        )


def _reject_other_passes(
    folder: Folder, migration: Migration, execution: Execution, histories: Mapping[str, StoreHistory]
) -> None:
    """Raise NeedsDecision if the transform of a finished backfill was edited."""
    worker = Worker(folder.path)
    for step in migration.steps:
        if step.op != "backfill" or not is_step_done(migration, step, histories):
            continue
        if not worker.is_as_it_began(execution.stores[step.store], migration, step):
            problem = f"{migration.number}/{step.n} is done, and its transform has changed"
            raise NeedsDecision(problem, "restore the transform from git; only remaining steps may change")


def _amend(execution: Execution, store: str, migration: Migration, revision: MigrationRow, reason: str) -> None:
    """Record both hashes, then the new one; the amendment is repeated after a crash in between."""
    signature, after = execution.signature, execution.hashes[migration.number]
    execution.holders[store].put(
        amendment_key(migration.number, after),
        {
            "before": revision.file_hash,
            "after": after,
            "reason": reason,
            "actor": signature.actor,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "tool": signature.tool,
        },
    )
    execution.holders[store].put(migration.number, row(replace(revision, file_hash=after)))
