"""Start of a history for stores with existing data, as the first migration or as an existing one."""

from collections.abc import Mapping
from typing import Any

from keywright.compiler import Compiled
from keywright.engines.contract.diff import ValueDifference
from keywright.engines.contract.plan import ObjectState, probe
from keywright.engines.interface import Description, Engine
from keywright.engines.registry import engine_of
from keywright.errors import Blocked, UsageError
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.migration import Migration
from keywright.migrations.rendered import rendered
from keywright.migrations.run.records import BASELINE, recorded
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import EMPTY, Snapshot, Stores, key_of
from keywright.project.migrations.folder import Folder, read_folder, write_migrations
from keywright.record import Record

from ..author.existing import as_existing
from ..author.former_names import hints_of, spent
from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from ..live.unmanaged import ManagedCounts, tallies
from ..migrate.drift import drifted
from ..migrate.locks import ApplyOptions, CommandWatcher, executing
from ..migrate.position import position_of


def write_from_live(where: StoreSelector, compiled: Compiled, folder: Folder) -> Migration:
    """Write `0001_baseline` with the declared objects that exist; the next `migrate diff` adds the rest.

    UsageError if there are migrations already, or no declared object exists; Blocked if a store has a history.
    """
    if folder.head is not None:
        raise UsageError(
            "there are migrations already", "`keywright migrate baseline` records the one that the stores match"
        )
    stores: Stores = {}
    with opened(where, {target.store for target in compiled.targets}) as connections:
        for target in compiled.targets:
            connection = connections[target.store]
            placed = target.engine.place(target.declared, connection.environment)
            with answering(target.store):
                if revisions := recorded(connection.ledger.rows("")).revisions:
                    problem = f'{target.store} has a history, up to migration "{max(revisions)}"'
                    raise Blocked(problem, "restore the migrations folder from git: its migrations were applied here")
                live = connection.driver.introspect([placed.name])[placed.name]
            if live is not None and _exists(target.engine, placed, live):
                description = as_existing(target, compiled.project.design, connection, live)
                stores.setdefault(target.store, {})[key_of(target.engine, target.declared)] = description
    if not stores:
        raise UsageError("no declared object exists", "start with `keywright migrate diff`")
    renamed = {spent(hint): old for hint, old in hints_of(compiled).items()}
    draft = Draft(after=Snapshot(stores, renamed=renamed))
    migration = author(draft, engine_of, number="0001", slug="baseline", parent=None)
    write_migrations(folder.path, [], [(migration, rendered(migration, EMPTY, engine_of))])
    return migration


def _exists(engine: Engine[Any, Any], placed: Any, live: Description) -> bool:
    """Whether a target was made, or a server that no one has set has all declared settings by default."""
    statements = engine.create(placed)
    is_equal = bool(statements) and all(probe(each, live) is ObjectState.PRESENT for each in statements)
    return is_equal or not engine.is_untouched(placed, live)


class StartedHistory(Record):
    """Result of starting a history."""

    number: str
    """Number of the migration that the stores match."""
    tallies: tuple[ManagedCounts, ...]
    """Counts of the managed and unmanaged objects of each store."""


def baseline(where: StoreSelector, options: ApplyOptions, watcher: CommandWatcher) -> StartedHistory:
    """Record, without running anything, the newest migration that the stores match."""
    folder = read_folder(where.settings)
    if folder.head is None:
        raise UsageError("there is no migration yet", "write one with `keywright migrate diff -m baseline`")
    with executing(where, folder, options, watcher) as execution:
        if not position_of(folder, execution.stores).is_without_history:
            raise Blocked("the stores already have a history", "`keywright migrate status` shows it")
        migration, differing = _matching(folder, execution.stores)
        if migration is None:
            raise Blocked(*drifted(differing))
        execution.adopt([earlier for earlier in folder.migrations if earlier.number <= migration.number], BASELINE)
        return StartedHistory(migration.number, tuple(tallies(execution.stores, migration.snapshot.stores)))


def _matching(
    folder: Folder, connections: Mapping[str, StoreConnection]
) -> tuple[Migration | None, list[tuple[str, str, ValueDifference]]]:
    """Newest migration that the stores match; else None, with the differences from the last one."""
    differences_of_last: list[tuple[str, str, ValueDifference]] = []
    for migration in reversed(folder.migrations):
        differences = [
            (store, name, difference)
            for store, connection in connections.items()
            for name, difference in connection.differences(migration.snapshot.stores.get(store, {}))
        ]
        if not differences:
            return migration, []
        differences_of_last = differences_of_last or differences
    return None, differences_of_last
