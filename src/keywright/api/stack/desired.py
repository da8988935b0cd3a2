"""Desired state of a stack: the models in development, else the position that migrations have reached."""

from collections.abc import Iterable, Mapping
from typing import Any

from keywright.compiler import Compiled, Placed, compile, load
from keywright.engines.contract.change import AddIndex, AddTable, DropIndex, DropTable
from keywright.engines.registry import engine_of
from keywright.errors import Blocked, UsageError
from keywright.ir.text import counted
from keywright.migrations.migration import Migration
from keywright.migrations.run.position import snapshot_before
from keywright.migrations.run.records import MigrationState
from keywright.migrations.snapshot import Stores, applied, target_of
from keywright.project.environments.environment import Environment
from keywright.project.migrations.folder import Folder, read_folder
from keywright.record import Record, field, replace

from ..author.diff import difference
from ..live.connect import StoreSelector, environment_of, opened
from ..migrate.position import Position, find_step, migration_named, position_of, stores_of
from ..pulumi.plain import POSITION


class Stack(Record):
    """Desired state of an environment."""

    environment: Environment
    """Settings of the environment."""
    targets: tuple[Placed, ...]
    """Tables, databases, keyspaces and servers at the position."""
    compiled: Compiled
    """Compiled models of the environment."""
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Indexes of each table in the order of their creation, by the table's declared name."""
    pending: tuple[str, ...] = ()
    """Folders of the environment's pending migrations."""
    is_followed: bool = False
    """Whether the stack and its stored items follow the models."""
    is_assumed: bool = False
    """Whether the position was assumed without a connection to the stores."""


def stack_of(where: StoreSelector, position: str | None = None) -> Stack:
    """Desired state of an environment.

    position: position of the stores, `0008`, `0008/end` or `0008/20`, from the holder of their locks; None to read it
    from the stores. Tables that must lose their protection follow, each after a ~. Raises UsageError if the models are
    ahead of the migrations of a gated environment, Blocked if a migration is running and no position is passed.
    """
    name, environment = where.environment, environment_of(where)
    compiled = compile(load(str(where.settings.root)), environment)
    folder = read_folder(where.settings)
    orders = index_orders(folder.migrations)
    if environment.mode == "dev" and position is None:
        return Stack(environment, compiled.targets, compiled, orders, is_followed=True)
    if environment.mode == "gated" and (changes := difference(compiled, folder).changes):
        problem = f'"{name}" is gated, and its migrations lack {counted(len(changes), "change")} of the models'
        raise UsageError(problem, "write a migration with `keywright migrate diff -m TEXT`")
    assumed = environment.position if position is None else None
    if position is None and assumed is None:
        with opened(where, stores_of(folder)) as connections:
            now = position_of(folder, connections)
        _check_rest(name, now)
        pending = tuple(migration.folder for migration in now.pending)
        return Stack(environment, _placed(now.stores, environment, compiled), compiled, orders, pending)
    effective_position = position or assumed
    assert effective_position is not None
    place, *unprotected = effective_position.split("~")
    try:
        stores, pending = _state_at(folder, place)
    except UsageError as error:
        source = POSITION if position else f'"position" of environment "{name}"'
        raise UsageError(f'{source} is "{effective_position}": {error.problem}', error.help) from error
    placed = tuple(
        _unprotected(target) if target.placed.name in unprotected else target
        for target in _placed(stores, environment, compiled)
    )
    return Stack(environment, placed, compiled, orders, pending, is_assumed=position is None)


def _check_rest(name: str, now: Position) -> None:
    """Raise Blocked if a migration has started but not ended, because its steps may have stopped anywhere."""
    for migration in now.pending:
        for history in now.histories.values():
            revision = history.revisions.get(migration.number)
            if revision is not None and revision.state in _UNFINISHED:
                problem = f'{migration.folder} is {revision.state} in "{name}", and the stack waits for its end'
                raise Blocked(problem, f"continue it with `keywright --env {name} migrate apply`")


_UNFINISHED = tuple(state.value for state in (MigrationState.RUNNING, MigrationState.FAILED, MigrationState.MANUAL))


def _unprotected(target: Placed) -> Placed:
    """A table without its protection in every region, for the update before the one that drops it."""
    placed: Any = target.placed
    placement = replace(placed.placement, is_protected=False)
    if placement.replication is not None:
        replicas = tuple(replace(replica, is_protected=False) for replica in placement.replication.replicas)
        placement = replace(placement, replication=replace(placement.replication, replicas=replicas))
    return replace(target, placed=replace(placed, placement=placement))


def _state_at(folder: Folder, place: str) -> tuple[Stores, tuple[str, ...]]:
    """State of the stores at a position, and the folders of the migrations after it."""
    number, _, n = place.partition("/")
    migration = migration_named(folder, number)
    later_folders = tuple(later.folder for later in folder.migrations if later.number > migration.number)
    if n in ("", "end"):
        return migration.snapshot.stores, later_folders
    done = 0 if n == "0" else find_step(folder, place)[1].n
    before = snapshot_before(folder.migrations, migration)
    return applied(before.stores, migration.changes_until(done)), (migration.folder, *later_folders)


def _placed(stores: Stores, environment: Environment, compiled: Compiled) -> tuple[Placed, ...]:
    """Targets of a position in an environment; declared targets first, in the order of the models."""
    ranks = {
        (target.store, target.declared.name, target.declared.generation): rank
        for rank, target in enumerate(compiled.targets)
    }
    targets_at_position: list[Placed] = []
    for store, targets in stores.items():
        engine = engine_of(store)
        part = environment.of(engine.name)
        for key, description in targets.items():
            declared = target_of(engine, key, description)
            targets_at_position.append(Placed(engine, declared, engine.place(declared, part)))
    last = len(ranks)
    return tuple(
        sorted(
            targets_at_position,
            key=lambda placed: ranks.get((placed.store, placed.declared.name, placed.declared.generation), last),
        )
    )


def index_orders(migrations: Iterable[Migration]) -> dict[str, tuple[str, ...]]:
    """Indexes of each table, by its key, in the order in which migrations created them."""
    orders: dict[str, list[str]] = {}
    for migration in migrations:
        for numbered_change in migration.changes:
            change, key = numbered_change.change, numbered_change.change.path[0]
            if isinstance(change, (AddTable, DropTable)) and len(change.path) == 1:
                native = migration.snapshot.stores.get(change.store, {}).get(key, {}).get("native", {})
                orders[key] = sorted(native.get("indexes", {})) if isinstance(change, AddTable) else []
            elif change.path[1:3] == ("native", "indexes") and len(change.path) == 4:
                name, order = change.path[3], orders.setdefault(key, [])
                if isinstance(change, DropIndex) and name in order:
                    order.remove(name)
                elif isinstance(change, AddIndex) and name not in order:
                    order.append(name)
    return {key: tuple(order) for key, order in orders.items()}
