"""Recovery of migrations whose record differs from the store: applied by hand or restored, or recorded but missing."""

from collections.abc import Collection, Iterator

from keywright.engines.contract.diff import ValueDifference
from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.migrations.migration import Migration
from keywright.migrations.run.execute import Execution
from keywright.migrations.run.records import MigrationState, StepRow, StoreHistory, is_step_done, row
from keywright.migrations.snapshot import Stores
from keywright.project.migrations.folder import read_folder
from keywright.record import replace

from ..live.connect import StoreSelector
from .drift import drift_of, drifted
from .locate import located
from .locks import ApplyOptions, CommandWatcher, executing
from .position import check_files, migration_named, position_by, position_of

RESOLVED = "resolved"
"""Kind of a migration that was found applied."""


def resolve_applied(
    where: StoreSelector, number: str, reason: str, options: ApplyOptions, watcher: CommandWatcher
) -> tuple[str, ...]:
    """Record a migration and those before it as applied; returns their folders.

    Blocked if the stores differ from its snapshot, or if an earlier one changes items, which no probe shows. Steps of
    the last migration that change items are left to `apply`.
    """
    folder = read_folder(where.settings)
    migration = migration_named(folder, number)
    with executing(where, folder, options, watcher) as execution:
        pending = position_of(folder, execution.stores).pending
        if migration not in pending:
            raise Blocked(
                f"{migration.folder} is already applied", "`keywright migrate status` shows the pending migrations"
            )
        chosen = [earlier for earlier in pending if earlier.number <= migration.number]
        differing = list(_differing(execution, migration.snapshot.stores))
        if differing:
            raise Blocked(*drifted(differing))
        if with_items := next((earlier for earlier in chosen[:-1] if _changes_items(earlier)), None):
            problem = f"{with_items.folder} changes items, and no probe can show whether it has"
            raise Blocked(
                problem, "restore the history together with the data, or apply the migrations from the start to a copy"
            )
        execution.adopt(chosen[:-1], RESOLVED)
        if _changes_items(migration):
            _record_alterations(execution, migration, reason)
        else:
            execution.adopt([migration], RESOLVED)
        return tuple(migration.folder for migration in chosen)


def resolve_undone(
    where: StoreSelector, number: str, reason: str, options: ApplyOptions, watcher: CommandWatcher
) -> tuple[str, ...]:
    """Record that a migration and those after it are not applied, although the history has them; returns their numbers.

    The folder need not have them. Blocked if the stores differ from the history without them.
    """
    folder = read_folder(where.settings)
    with executing(where, folder, options, watcher) as execution:
        histories = execution.read()
        keys = {
            key
            for history in histories.values()
            for key, revision in history.revisions.items()
            if _counts(revision.state)
        }
        if number not in keys:
            raise UsageError(f'no store has a record of migration "{number}"', did_you_mean(number, sorted(keys)))
        undone = tuple(sorted(key for key in keys if key >= number))
        remaining = {store: _without(undone, history) for store, history in histories.items()}
        check_files(folder, remaining)
        now = position_by(folder, execution.stores, remaining)
        if drift := drift_of(execution.stores, now):
            store, name, difference = drift[0]
            place = ".".join((name, *difference.path))
            them = "it" if len(undone) == 1 else "them"
            problem = f"{', '.join(undone)} is not undone: without {them}, {store} {place} would differ"
            help = located(folder, execution.stores) or f"revert {them} first, or keep {them}; {drifted(drift)[1]}"
            raise Blocked(problem, help)
        for key in reversed(undone):
            for store, history in histories.items():
                _forget(execution, store, history, key, reason)
        return undone


def _counts(state: str) -> bool:
    return state != MigrationState.ABORTED.value


def _without(undone: Collection[str], history: StoreHistory) -> StoreHistory:
    """A history without some migrations."""
    return StoreHistory(
        {key: revision for key, revision in history.revisions.items() if key not in undone},
        {key: step for key, step in history.steps.items() if key[0] not in undone},
        history.accepted,
    )


def _forget(execution: Execution, store: str, history: StoreHistory, number: str, reason: str) -> None:
    """Record a migration and its steps as undone, in one store."""
    revision = history.revisions.get(number)
    if revision is None:
        return
    holder = execution.holders[store]
    for (version, n), step in history.steps.items():
        if version == number:
            holder.put(f"{number}/{n:05d}", row(replace(step, state="undone", note=f"undone: {reason}")))
    holder.put(number, row(replace(revision, state=MigrationState.ABORTED.value, error=f"undone: {reason}")))


def _differing(execution: Execution, stores: Stores) -> Iterator[tuple[str, str, ValueDifference]]:
    for store, connection in execution.stores.items():
        for name, difference in connection.differences(stores.get(store, {})):
            yield store, name, difference


def _changes_items(migration: Migration) -> bool:
    return any(step.op == "backfill" for step in migration.steps)


def _record_alterations(execution: Execution, migration: Migration, reason: str) -> None:
    """Record the alterations of a migration as done, but not its steps that change items."""
    history = execution.read()
    execution.mark(migration, history, MigrationState.RUNNING)
    for step in migration.steps:
        if step.op == "alter" and not is_step_done(migration, step, history):
            execution.record(migration, step, StepRow(n=step.n, state="done", adopted=True, note=reason))
