"""Plans: the steps and statements that `apply` would run now in an environment, with a hash."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from keywright.engines.contract.diff import ValueDifference
from keywright.engines.contract.plan import Statement
from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.ir.json import Json
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.execute import FRESH
from keywright.migrations.run.records import MigrationState, is_step_done
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import EMPTY, Snapshot, applied, digest
from keywright.project.migrations.folder import Folder, read_folder
from keywright.record import Record, field, replace

from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from .drift import drift_of, once_stable
from .position import Position, place_of, position_of, stores_of


class Due(Record):
    """A due step."""

    migration: Migration
    """Migration of the step."""
    step: Step
    """Due step."""
    statements: tuple[Statement, ...]
    """Native steps of an alteration."""


class MigrationPlan(Record):
    """Everything that `apply` will do."""

    environment: str
    """Name of the environment."""
    live: Mapping[str, str]
    """Fingerprint of each live store."""
    due: tuple[Due, ...]
    """Due steps, in order."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Cumulative hash of each migration's folder, which also covers its transforms."""
    is_fresh: bool = False
    """Whether the stores are empty, so that they are created in the state of the last migration."""
    settings: tuple[Statement, ...] = ()
    """Steps that apply the environment's settings, which belong to no migration."""
    place: str = ""
    """Position of the stores, by `place_of`."""
    drift: tuple[tuple[str, str, ValueDifference], ...] = ()
    """(store, name, difference) from the recorded position."""

    @property
    def is_due(self) -> bool:
        """Whether anything is left to do, including recording that a migration is done."""
        return bool(self.files or self.settings or self.drift)

    @property
    def is_behind(self) -> bool:
        """Whether an interrupted creation leads to an earlier migration than the requested one."""
        return self.is_fresh and self.due[0].migration.folder != [*self.files][-1]

    @property
    def hash(self) -> str:
        """Hash of the environment, the live state and the statements, for approvals."""
        steps: list[Json] = [
            {
                "version": due.migration.folder,
                "n": due.step.n,
                "op": due.step.op,
                "by": due.step.by,
                "text": due.step.text,
                "statements": [statement.native for statement in due.statements],
            }
            for due in self.due
        ]
        content: Json = {
            "environment": self.environment,
            "live": dict(self.live),
            "files": dict(self.files),
            "stages": steps,
        }
        return digest(content)


def plan(where: StoreSelector, *, to: str | None = None) -> MigrationPlan:
    """Plan of what `apply` would do now."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as connections:
        return plan_of(where, folder, connections, to)


def plan_of(
    where: StoreSelector,
    folder: Folder,
    connections: Mapping[str, StoreConnection],
    to: str | None,
    *,
    is_replayed: bool = False,
) -> MigrationPlan:
    """Plan as in `plan`, on open connections."""
    if folder.head is None:
        help = "write the first with `keywright migrate diff -m TEXT`; for stores with existing data, with "
        raise UsageError("there is no migration yet", f"{help}`keywright migrate baseline --from live`")
    now = position_of(folder, connections)
    chosen = _until(folder, now.pending, to)
    head = chosen[-1].snapshot if chosen else EMPTY
    live: dict[str, str] = {}
    for store, connection in connections.items():
        with answering(store):
            live[store] = connection.fingerprint(now.stores.get(store) or head.stores.get(store, {}))
    files = {migration.folder: folder.hash_of(migration) for migration in chosen}
    interrupted = _begun_fresh(folder, now)
    if not is_replayed and (
        interrupted is not None or (now.is_without_history and chosen and not _non_empty(connections, head))
    ):
        head = (interrupted or chosen[-1]).snapshot
        due = tuple(_fresh(connections, interrupted or chosen[-1]))
        return MigrationPlan(where.environment, live, due, files, is_fresh=True)
    existing = (
        _non_empty(connections, chosen[0].snapshot) if chosen and now.is_without_history and not is_replayed else []
    )
    if existing:
        raise Blocked(
            f"{', '.join(existing)}: objects of the first migration exist, but there is no history",
            "`keywright migrate baseline` records the migration that the objects match",
        )
    drift = drift_of(connections, now)
    settings = () if drift else tuple(_settings(connections, now))
    due = tuple(_due(connections, now, chosen))
    place = place_of(folder, now)
    return MigrationPlan(where.environment, live, due, files, settings=settings, place=place, drift=drift)


def _fresh(connections: Mapping[str, StoreConnection], migration: Migration) -> Iterator[Due]:
    """Steps that create all stores: steps of the runner, then steps of a stack."""
    stores = migration.snapshot.stores
    for executor in sorted({connections[store].by for store in stores}, key=lambda executor: executor != "runner"):
        own_stores = sorted(store for store in stores if connections[store].by == executor)
        statements = tuple(
            statement for store in own_stores for statement in connections[store].statements({}, stores[store])
        )
        text = "all objects are created as in the last migration"
        yield Due(migration, Step(n=0, phase="expand", by=executor, op="alter", text=text), statements)


def _begun_fresh(folder: Folder, now: Position) -> Migration | None:
    """Migration of an interrupted creation of all stores; None if there is none."""
    for migration in folder.migrations:
        revisions = [history.revisions.get(migration.number) for history in now.histories.values()]
        if any(
            revision is not None and revision.kind == FRESH and revision.state == MigrationState.RUNNING.value
            for revision in revisions
        ):
            return migration
    return None


def _until(folder: Folder, pending: Sequence[Migration], to: str | None) -> tuple[Migration, ...]:
    if to is None:
        return tuple(pending)
    numbers = [migration.number for migration in folder.migrations]
    if to not in numbers:
        raise UsageError(f'there is no migration "{to}"', did_you_mean(to, numbers))
    return tuple(migration for migration in pending if migration.number <= to)


def _non_empty(connections: Mapping[str, StoreConnection], snapshot: Snapshot) -> list[str]:
    """Stores that contain objects of a snapshot."""
    stores: list[str] = []
    for store, targets in snapshot.stores.items():
        with answering(store):
            if not connections[store].is_empty(targets):
                stores.append(store)
    return stores


def _settings(connections: Mapping[str, StoreConnection], now: Position) -> Iterator[Statement]:
    for store, connection in connections.items():
        with answering(store):
            yield from connection.settings(once_stable(store, now))


def _due(connections: Mapping[str, StoreConnection], now: Position, chosen: Iterable[Migration]) -> Iterator[Due]:
    stores = now.stores
    for migration in chosen:
        for step in migration.steps:
            if is_step_done(migration, step, now.histories):
                continue
            after = applied(stores, migration.changes_of(step))
            statements: tuple[Statement, ...] = ()
            if step.op == "alter":
                connection = connections[step.store]
                statements = connection.statements(stores.get(step.store, {}), after.get(step.store, {}))
                step = replace(step, by=connection.by)
            yield Due(migration, step, statements)
            stores = after
        stores = migration.snapshot.stores
