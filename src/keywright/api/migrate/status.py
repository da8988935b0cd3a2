"""Position of each store of an environment, and the gate that it waits for."""

from collections.abc import Sequence

from keywright.engines.contract.ledger import Lock
from keywright.errors import Blocked
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.gates import awaited
from keywright.migrations.run.records import MigrationRow, StoreHistory, recorded
from keywright.migrations.run.store import StoreConnection
from keywright.project.migrations.folder import Folder, read_folder
from keywright.project.settings import Settings
from keywright.record import Record

from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from .position import check_files, find_step, migration_named, stores_of


class StoreStatus(Record):
    """A store compared with the migrations folder."""

    store: str
    """Name of the store."""
    version: str | None
    """Last migration that is applied completely."""
    head: str | None
    """Last migration of the store."""
    pending: tuple[str, ...]
    """Pending migrations."""
    left: tuple[str, ...]
    """Pending steps, such as `0008/10`."""
    revision: MigrationRow | None
    """Recorded state of the last started migration."""
    gate: str
    """Gate that the store waits for; else empty."""
    lock: Lock
    """Lock of the store."""
    problem: str = ""
    """Reason why commands are blocked, if the folder lacks an applied migration or has a different one."""


def status(where: StoreSelector) -> list[StoreStatus]:
    """Position, lock and gate of each store."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as connections:
        return [_status(folder, connection, *_history_and_lock(connection)) for connection in connections.values()]


def has_reached(settings: Settings, store_statuses: Sequence[StoreStatus], place: str) -> bool:
    """Whether every store has a migration, `0008` or `0008/end`, or a step, `0008/10`; UsageError for other places."""
    folder = read_folder(settings)
    number, _, n = place.partition("/")
    if n in ("", "end"):
        migration = migration_named(folder, number)
        return not any(migration.number in store_status.pending for store_status in store_statuses)
    migration, step = find_step(folder, place)
    return not any(f"{migration.number}/{step.n}" in store_status.left for store_status in store_statuses)


def _history_and_lock(connection: StoreConnection) -> tuple[StoreHistory, Lock]:
    with answering(connection.store):
        return recorded(connection.ledger.rows("")), connection.ledger.lock()


def _status(folder: Folder, connection: StoreConnection, history: StoreHistory, lock: Lock) -> StoreStatus:
    migrations = [migration for migration in folder.migrations if connection.store in migration.stores]
    done = [migration.number for migration in migrations if history.is_done(migration)]
    pending = [migration for migration in migrations if not history.is_done(migration)]
    begun = [history.revisions[migration.number] for migration in migrations if migration.number in history.revisions]
    pending_steps = [
        (migration, step)
        for migration in pending
        for step in migration.steps
        if step.store in ("", connection.store) and not _is_done_here(history, migration, step)
    ]
    gate = ""
    if pending_steps and pending_steps[0][0].number in history.revisions and pending_steps[0][1].is_gate:
        migration, step = pending_steps[0]
        gate = f"{migration.number}/{step.n} {awaited(step).removeprefix('a person: ')}"
    return StoreStatus(
        connection.store,
        done[-1] if done else None,
        migrations[-1].number if migrations else None,
        tuple(migration.number for migration in pending),
        tuple(f"{migration.number}/{step.n}" for migration, step in pending_steps),
        begun[-1] if begun else None,
        gate,
        lock,
        _problem(folder, connection, history),
    )


def _problem(folder: Folder, connection: StoreConnection, history: StoreHistory) -> str:
    try:
        check_files(folder, {connection.store: history})
    except Blocked as blocked:
        return f"{blocked.problem}: {blocked.help}"
    return ""


def _is_done_here(history: StoreHistory, migration: Migration, step: Step) -> bool:
    step_row = history.step(migration, step)
    return step_row is not None and step_row.state == "done"
