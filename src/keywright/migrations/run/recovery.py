"""Recovery of a started migration: record a step as applied by hand, or revert all of it."""

from keywright.engines.contract.plan import ObjectState, probe_among
from keywright.errors import Blocked, NeedsDecision

from ..migration import Migration, Step
from ..snapshot import Snapshot, applied
from . import records
from .delegated import places
from .execute import Execution
from .position import position
from .records import StepRow, is_begun, is_step_done


def resolve(
    execution: Execution, migration: Migration, step: Step, before: Snapshot, note: str, *, is_shown: bool
) -> None:
    """Record that a step was applied by hand; with `is_shown`, raises NeedsDecision unless the stores show its result.

    Raises Blocked if no probe can show the result.
    """
    history = execution.read()
    name = f"{migration.number}/{step.n}"
    if is_step_done(migration, step, history):
        raise Blocked(f"{name} is already done", "`keywright migrate status` shows the remaining steps")
    if is_shown and not (step.op == "alter" or step.is_gate):
        raise Blocked(
            f"{name}: no probe can show whether {step.op} has been applied",
            "`keywright migrate apply` runs it",
        )
    now = position(migration, before, history)
    if is_shown and step.op == "alter":
        connection, after = execution.stores[step.store], applied(now, migration.changes_of(step))
        expected = after.get(step.store, {})
        statements = connection.statements(now.get(step.store, {}), expected)
        live = connection.driver.introspect({statement.target for statement in statements})
        for index, statement in enumerate(statements):
            if probe_among(statements, index, live[statement.target]) is not ObjectState.PRESENT:
                raise NeedsDecision(
                    f"{migration.number}/{step.n} is not applied: {statement.store} lacks this: {statement.summary}",
                    "`keywright drift` shows the differences; `keywright migrate apply` continues the migration",
                )
    execution.record(migration, step, StepRow(n=step.n, state="done", note=note))
    execution.mark(migration, execution.read(), records.MigrationState.RUNNING)


def abort(execution: Execution, migration: Migration, before: Snapshot) -> list[Step]:
    """Revert the alterations of a started migration, newest first; data stays as it is.

    Raises NeedsDecision once an alteration of the contract phase has started, because removals cannot be reverted.
    """
    history = execution.read()
    done = [step for step in migration.steps if is_step_done(migration, step, history)]
    begun = [step for step in migration.steps if is_begun(migration, step, history)]
    if late := [step for step in begun if step.phase == "contract" and step.op == "alter"]:
        raise NeedsDecision(
            f"{migration.number} cannot be reverted: step {late[0].n} has removed objects",
            "complete it: correct the cause of the failure, and run `keywright migrate apply`",
        )
    undone: list[Step] = []
    for step in reversed(begun):
        earlier = [other for other in done if other.n < step.n]
        if step.op == "alter":
            old = applied(before.stores, [change for other in earlier for change in migration.changes_of(other)])
            new = applied(old, migration.changes_of(step))
            start, end = places(migration, step)
            execution.run(migration, step, step.store, new.get(step.store, {}), old.get(step.store, {}), (end, start))
            undone.append(step)
        execution.record(migration, step, StepRow(n=step.n, state="undone"))
    execution.mark(migration, execution.read(), records.MigrationState.ABORTED)
    return undone
