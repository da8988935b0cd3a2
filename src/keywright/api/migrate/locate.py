"""Finds the migration that live stores match; after a restored backup, their histories name another one."""

from collections.abc import Mapping

from keywright.migrations.migration import Migration
from keywright.migrations.run.records import MigrationState, recorded
from keywright.migrations.run.store import StoreConnection
from keywright.project.migrations.folder import Folder

from ..live.local_servers import answering

_UNDONE = (
    "`keywright migrate resolve {} --as undone --reason TEXT` records that, then `keywright migrate apply` continues"
)
_APPLIED = "`keywright migrate resolve {} --as applied --reason TEXT` records that"


def located(folder: Folder, connections: Mapping[str, StoreConnection]) -> str:
    """Text with the migration that the stores match, and the command that records it; empty if they match none."""
    recorded_numbers: set[str] = set()
    for store, connection in connections.items():
        with answering(store):
            revisions = recorded(connection.ledger.rows("")).revisions.items()
        recorded_numbers |= {number for number, revision in revisions if revision.state != MigrationState.ABORTED.value}
    if not recorded_numbers:
        return ""
    for count in range(len(folder.migrations), 0, -1):
        migration = folder.migrations[count - 1]
        if not _is_at(migration, connections):
            continue
        if later := sorted(number for number in recorded_numbers if number > migration.number):
            return f"every store matches {migration.folder}, as after a restore: {_UNDONE.format(later[0])}"
        if migration.number not in recorded_numbers:
            return f"every store already matches {migration.folder}: {_APPLIED.format(migration.number)}"
        return ""
    if all(_is_empty(folder, connection) for connection in connections.values()):
        return f"every store is empty, as after a restore to an earlier time: {_UNDONE.format(min(recorded_numbers))}"
    return ""


def _is_at(migration: Migration, connections: Mapping[str, StoreConnection]) -> bool:
    for store, connection in connections.items():
        with answering(store):
            if any(True for _ in connection.differences(migration.snapshot.stores.get(store, {}))):
                return False
    return True


def _is_empty(folder: Folder, connection: StoreConnection) -> bool:
    store = folder.head.snapshot.stores.get(connection.store, {}) if folder.head else {}
    with answering(connection.store):
        return connection.is_empty(store)
