"""Positions of stores within a migration, by the recorded steps."""

from collections.abc import Mapping, Sequence

from ..migration import Migration
from ..snapshot import EMPTY, Snapshot, Stores, applied
from .records import StoreHistory, is_step_done


def position(migration: Migration, before: Snapshot, history: Mapping[str, StoreHistory]) -> Stores:
    """State of the stores within a migration, by the steps that are done."""
    done = [step for step in migration.steps if is_step_done(migration, step, history)]
    return applied(before.stores, [change for step in done for change in migration.changes_of(step)])


def snapshot_before(migrations: Sequence[Migration], migration: Migration) -> Snapshot:
    """Snapshot before a migration."""
    index = [other.number for other in migrations].index(migration.number)
    return migrations[index - 1].snapshot if index else EMPTY
