"""Position of an environment, by the histories of its stores."""

from collections.abc import Mapping
from itertools import takewhile

from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.position import position, snapshot_before
from keywright.migrations.run.records import BASELINE, MigrationState, StoreHistory, is_step_done, pending, recorded
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import Stores
from keywright.project.migrations.folder import Folder
from keywright.record import Record

from ..live.local_servers import answering


def stores_of(folder: Folder) -> tuple[str, ...]:
    """Stores of all migrations, sorted."""
    return tuple(sorted({store for migration in folder.migrations for store in migration.stores}))


class Position(Record):
    """Position of an environment, by the histories of its stores."""

    histories: Mapping[str, StoreHistory]
    """History of each store."""
    pending: tuple[Migration, ...]
    """Migrations that some of their stores lack."""
    stores: Stores
    """Expected state of the stores."""

    @property
    def is_without_history(self) -> bool:
        """Whether no store records any migration."""
        return not any(history.revisions for history in self.histories.values())


def position_of(folder: Folder, connections: Mapping[str, StoreConnection]) -> Position:
    """Read the position of the stores."""
    histories: dict[str, StoreHistory] = {}
    for store, connection in connections.items():
        with answering(store):
            histories[store] = recorded(connection.ledger.rows(""))
    check_files(folder, histories)
    return position_by(folder, connections, histories)


def position_by(
    folder: Folder, connections: Mapping[str, StoreConnection], histories: Mapping[str, StoreHistory]
) -> Position:
    """Position of stores with these histories."""
    _adopt(folder, connections, histories)
    now = _position(folder, histories)
    for store, connection in connections.items():
        with answering(store):
            connection.accept(now.stores.get(store, {}), histories[store].accepted)
    return now


def _position(folder: Folder, histories: Mapping[str, StoreHistory]) -> Position:
    pending_migrations = pending(folder.migrations, histories)
    if not pending_migrations:
        return Position(histories, (), folder.head.snapshot.stores if folder.head else {})
    before = snapshot_before(folder.migrations, pending_migrations[0])
    return Position(histories, pending_migrations, position(pending_migrations[0], before, histories))


def _adopt(folder: Folder, connections: Mapping[str, StoreConnection], histories: Mapping[str, StoreHistory]) -> None:
    """Tell connections which objects existed before keywright: those of the last baseline migration."""
    for store, history in histories.items():
        numbers = {number for number, revision in history.revisions.items() if revision.kind == BASELINE}
        migrations = [migration for migration in folder.migrations if migration.number in numbers]
        if migrations:
            with answering(store):
                connections[store].adopt(migrations[-1].snapshot.stores.get(store, {}))


def place_of(folder: Folder, now: Position) -> str:
    """Position as a text: `0008/20` once all steps up to 20 are done, `0008/0` before the first."""
    if not now.pending:
        return f"{folder.head.number}/end" if folder.head else ""
    migration = now.pending[0]
    done = takewhile(lambda step: is_step_done(migration, step, now.histories), migration.steps)
    return f"{migration.number}/{max((step.n for step in done), default=0)}"


def check_files(folder: Folder, histories: Mapping[str, StoreHistory]) -> None:
    """Raise Blocked if an applied or started migration is missing in the folder or was edited."""
    migrations = {migration.number: migration for migration in folder.migrations}
    for store, history in histories.items():
        for number, revision in history.revisions.items():
            if revision.state == MigrationState.ABORTED.value:
                continue  # the folder may have another one, or none
            if number not in migrations:
                applied_by = " by " + revision.actor if revision.actor else ""
                problem = (
                    f'{store} has migration "{number}", applied{applied_by} at {revision.began}, which '
                    f'"{folder.path}" lacks'
                )
                raise Blocked(
                    problem,
                    "`git pull`, or merge the branch that has it and run `keywright migrate rebase --onto BRANCH`; if "
                    "the store contains none of it any more, "
                    f"`keywright migrate resolve {number} --as undone --reason TEXT` records that",
                )
            if revision.file_hash != folder.hash_of(migrations[number]):
                if revision.state != MigrationState.DONE.value:
                    raise Blocked(
                        f'"{migrations[number].folder}" has been edited since {store} started it',
                        "restore the folder from git; if it was edited to correct the remaining steps, "
                        f"`keywright migrate resolve {number} --as amended --reason TEXT` accepts the edit; if the "
                        f"store contains none of it, `keywright migrate resolve {number} --as undone --reason TEXT` "
                        "lets it start again",
                    )
                problem = f'"{migrations[number].folder}" has been edited since it was applied to {store}'
                raise Blocked(
                    problem,
                    "restore the folder from git: an applied migration is never edited; if another branch's was "
                    "applied, and the store contains none of it any more, "
                    f"`keywright migrate resolve {number} --as undone --reason TEXT` records that",
                )


def migration_named(folder: Folder, number: str) -> Migration:
    """Migration with this number or folder; UsageError if there is none."""
    migration = next(
        (migration for migration in folder.migrations if number in (migration.number, migration.folder)), None
    )
    if migration is None:
        raise UsageError(
            f'there is no migration "{number}"',
            did_you_mean(number, [migration.number for migration in folder.migrations]),
        )
    return migration


def find_step(folder: Folder, place: str) -> tuple[Migration, Step]:
    """Migration and step of a place such as `0008/20`; UsageError if there is none."""
    number, _, n = place.partition("/")
    migration = migration_named(folder, number)
    step = next((step for step in migration.steps if str(step.n) == n), None)
    if step is None:
        raise UsageError(
            f'there is no step "{place}"', did_you_mean(place, [f"{number}/{step.n}" for step in migration.steps])
        )
    return migration, step
