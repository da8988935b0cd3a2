"""Discarding a draft: the last migration of the folder, before anybody else has it."""

from collections.abc import Iterable

from keywright import local
from keywright.errors import Blocked, UsageError
from keywright.migrations.migration import Migration
from keywright.migrations.run.records import MigrationState, recorded
from keywright.project.migrations.folder import read_folder, write_migrations
from keywright.project.migrations.git import sharing_branch

from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering, instance_named
from .position import stores_of


def discard(where: StoreSelector, *, is_asked: bool) -> tuple[Migration, tuple[str, ...]]:
    """Remove the last migration and its line of the checksum file; returns it, and the stores that were checked.

    is_asked: check all stores of `where`; else only running local servers. Blocked if a store has a record of the
    migration, UsageError if another branch has it, or if there is no migration.
    """
    folder = read_folder(where.settings, is_amended=True)
    last = folder.head
    if last is None:
        raise UsageError("there is no migration to discard", "`keywright migrate diff -m TEXT` writes one")
    if branch := sharing_branch(where.settings, last.folder):
        problem = f'"{last.folder}" is on {branch}, so others have it'
        raise UsageError(problem, _NEXT)
    stores = stores_of(folder) if is_asked else tuple(_running(where, stores_of(folder)))
    _reject_applied(where, last, stores)
    write_migrations(folder.path, [migration.folder for migration in folder.migrations[:-1]], [], removed=[last.folder])
    return last, stores


_NEXT = "undo the change in the models, and write the next migration with `keywright migrate diff`"


def _running(where: StoreSelector, stores: Iterable[str]) -> Iterable[str]:
    """Stores with a running local server."""
    servers = {store: instance_named(store) for store in stores}
    running = {server.instance for server in local.running(where.settings.state / "local", set(servers.values()))}
    return (store for store, instance in servers.items() if instance in running)


def _reject_applied(where: StoreSelector, last: Migration, stores: Iterable[str]) -> None:
    with opened(where, stores) as connections:
        for store, connection in connections.items():
            with answering(store):
                revision = recorded(connection.ledger.rows("")).revisions.get(last.number)
            if revision is None or revision.state == MigrationState.ABORTED.value:
                continue
            if revision.state == MigrationState.DONE.value:
                raise Blocked(f"migration {last.number} is applied to {store}", _NEXT)
            help = f"`keywright migrate abort {last.number}` reverts it; then discard it"
            raise Blocked(f"migration {last.number} was started in {store}", help)
