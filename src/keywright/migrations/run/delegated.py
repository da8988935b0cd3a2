"""Delegated steps, which for example a stack executes: requested by position, then probed, never run here."""

from collections.abc import Callable, Sequence

from keywright.engines.contract.plan import ObjectState, Statement
from keywright.engines.interface import Driver, StatementFailed
from keywright.errors import NeedsDecision
from keywright.record import Record, replace

from ..migration import Migration, Step
from .runner import ApplyError, Done, Pace, run, states


class DelegatedSteps(Record, kw_only=True):
    """Steps of a store for another executor."""

    statements: tuple[Statement, ...] = ()
    """Steps whose objects do not exist yet; empty if the executor only has to import existing objects."""
    start: str
    """Position of all stores before the steps, such as `0008/20`."""
    end: str
    """Position of all stores after the steps."""
    check: Callable[[], None]
    """Raises once the lock of the store is lost."""


StepExecutor = Callable[[DelegatedSteps], None]
"""Executes steps; raises StatementFailed if that fails."""


def places(migration: Migration, step: Step) -> tuple[str, str]:
    """Positions before and after a step; `0008/0` is before the first."""
    before = max((earlier.n for earlier in migration.steps if earlier.n < step.n), default=0)
    return f"{migration.number}/{before}", f"{migration.number}/{step.n}"


def delegate(
    executor: StepExecutor, delegated: DelegatedSteps, driver: Driver, *, tell: Callable[[Done], None], pace: Pace
) -> list[Done]:
    """Delegate the steps of one store, and return the result of each, as `runner.run` does.

    An object that is altered by dropping and creating it is dropped here, because the executor could not do both in one
    update. Raises ApplyError if the executor fails, NeedsDecision for a step that it left out.
    """
    statements = delegated.statements
    object_states = list(states(statements, driver, pace))
    dropped = [
        statement
        for index, statement in enumerate(statements)
        if object_states[index] is ObjectState.ABSENT and _is_recreated(statements, index)
    ]
    if dropped:
        run(dropped, driver, allow=lambda statement: delegated.check(), pace=pace)
        object_states = list(states(statements, driver, pace))
    absent = [
        statement for statement, state in zip(statements, object_states, strict=True) if state is ObjectState.ABSENT
    ]
    if absent and ObjectState.CONFLICT not in object_states:
        try:
            executor(replace(delegated, statements=tuple(absent)))
        except StatementFailed as failure:
            raise ApplyError(absent[0], failure, ()) from failure

    executed = {id(statement) for statement in (*dropped, *absent)}

    def as_executed(done: Done) -> Done:
        return replace(done, outcome="made") if id(done.statement) in executed and done.outcome == "kept" else done

    results = run(statements, driver, allow=_missing, tell=lambda done: tell(as_executed(done)), pace=pace)
    return [as_executed(done) for done in results]


def _is_recreated(statements: Sequence[Statement], index: int) -> bool:
    """Whether a later step recreates the object that the step at `index` drops."""
    return any(
        (statement.target, statement.object) == (statements[index].target, statements[index].object)
        for statement in statements[index + 1 :]
    )


def _missing(statement: Statement) -> None:
    raise NeedsDecision(
        f"{statement.store}: the stack was updated to this step, but the store lacks its result: {statement.summary}",
        "check that the program uses keywright's resources, and this account; then run the same command again",
    )
