"""Applies, reverts and records migrations of an environment, under the locks of all its stores."""

from keywright.engines.contract.plan import Statement
from keywright.errors import Blocked, NeedsDecision, UsageError
from keywright.migrations.lock.lock import unlock
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run import recovery
from keywright.migrations.run.execute import Execution
from keywright.migrations.run.position import snapshot_before
from keywright.migrations.run.runner import ApplyError
from keywright.project.migrations.folder import Folder, read_folder
from keywright.record import replace

from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from ..live.unmanaged import rival_of
from .drift import drifted
from .locate import located
from .locks import ApplyOptions, CommandWatcher, child_of, executing
from .plan import MigrationPlan, plan_of
from .position import find_step, migration_named, place_of, position_of, stores_of


def apply(where: StoreSelector, options: ApplyOptions, watcher: CommandWatcher) -> MigrationPlan:
    """Apply the due steps, and return the applied plan.

    Raises Blocked for a closed gate, a lock of another process, a store that differs from its history, or a plan other
    than the approved one; NeedsDecision if a person must decide. All completed work is recorded, and another call
    continues from there.
    """
    folder = read_folder(where.settings)
    for place in options.acknowledged:
        _, step = find_step(folder, place)
        if not step.is_gate:
            raise UsageError(f"{place} is not a gate", "`keywright migrate plan` shows the gates")
    with executing(where, folder, options, watcher) as execution:
        if execution.executors:
            child_of(where, watcher).ready()
        plan = _checked_plan(where, folder, options, execution)
        _carry_out(execution, folder, plan)
        if plan.is_behind and options.approved is None:
            rest = _checked_plan(where, folder, options, execution)
            _carry_out(execution, folder, rest)
            plan = replace(plan, due=(*plan.due, *rest.due))
        execution.conclude(place_of(folder, position_of(folder, execution.stores)))
        return plan


def _checked_plan(where: StoreSelector, folder: Folder, options: ApplyOptions, execution: Execution) -> MigrationPlan:
    """Plan of the due steps, if they may run."""
    plan = plan_of(where, folder, execution.stores, options.to, is_replayed=options.is_replayed)
    if options.approved is not None and options.approved != plan.hash:
        problem = f"the plan is {plan.hash}, but {options.approved} was approved"
        raise Blocked(problem, "create a new plan with `keywright migrate plan` and have it approved")
    if plan.drift:
        problem, help = drifted(plan.drift)
        raise Blocked(problem, located(folder, execution.stores) or help)
    execution.signature = replace(execution.signature, plan_hash=plan.hash)
    return plan


def _carry_out(execution: Execution, folder: Folder, plan: MigrationPlan) -> None:
    due: Migration | None = None
    try:
        if plan.is_fresh:
            last = plan.due[0].migration
            execution.create([migration for migration in folder.migrations if migration.number <= last.number])
            return
        execution.set(plan.settings, plan.place)
        for migration in folder.migrations:
            if migration.folder in plan.files:  # also a migration that was interrupted after its last step
                due = migration
                execution.carry_out(migration, snapshot_before(folder.migrations, migration))
    except ApplyError as failure:
        if failure.is_unreachable:
            raise
        help = _rival_help(execution, folder, failure.statement, due) if due is not None else ""
        raise NeedsDecision(failure.problem, help or failure.help) from failure


def _rival_help(execution: Execution, folder: Folder, statement: Statement, migration: Migration) -> str:
    """Help text if an unmanaged index prevented the build of an index; else empty."""
    before = snapshot_before(folder.migrations, migration).stores.get(statement.store, {})
    rival = rival_of(execution.stores[statement.store], before, statement)
    if rival is None:
        return ""
    if not rival.is_equal:
        return f"{rival.text}, and run the same command again"
    return (
        f"{rival.text}; `keywright migrate abort {migration.number}` reverts the started steps, "
        "then `keywright migrate diff --amend` and `keywright migrate apply` adopt the index"
    )


def resolve(
    where: StoreSelector, place: str, how: str, reason: str, options: ApplyOptions, watcher: CommandWatcher
) -> None:
    """Record that a step, such as `0008/20`, was applied by hand, or is skipped.

    how: `applied`, which raises NeedsDecision unless the stores show it; `skip`, for optional steps only.
    """
    folder = read_folder(where.settings)
    migration, step = find_step(folder, place)
    if how == "skip" and not step.more.get("optional"):
        help = "apply it, with `keywright migrate apply` or by hand; or revert the migration with `migrate abort`"
        raise UsageError(f"{place} is not optional, and later steps rely on it", help)
    with executing(where, folder, options, watcher) as execution:
        if migration not in position_of(folder, execution.stores).pending:
            raise Blocked(f"{migration.folder} is already applied", "there is nothing to resolve")
        before = snapshot_before(folder.migrations, migration)
        recovery.resolve(execution, migration, step, before, f"{how}: {reason}", is_shown=how == "applied")


def abort(where: StoreSelector, number: str, options: ApplyOptions, watcher: CommandWatcher) -> list[Step]:
    """Revert the alterations of a started migration; returns the reverted steps."""
    folder = read_folder(where.settings)
    migration = migration_named(folder, number)
    with executing(where, folder, options, watcher) as execution:
        now = position_of(folder, execution.stores)
        if migration not in now.pending:
            raise Blocked(
                f"{migration.folder} is complete, and cannot be reverted", "write a migration with the opposite changes"
            )
        return recovery.abort(execution, migration, snapshot_before(folder.migrations, migration))


def release(where: StoreSelector, owner: str) -> tuple[str, ...]:
    """Release every lock of a dead holder; returns the stores. Blocked if another owner holds one."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as connections:
        released: list[str] = []
        for store, connection in connections.items():
            with answering(store):
                if unlock(connection.ledger, owner):
                    released.append(store)
        return tuple(released)
