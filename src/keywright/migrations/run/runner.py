"""Runs steps: probe, statement, probe. Existing objects are left alone; differing objects are reported, not changed."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from keywright.engines.contract.plan import ObjectState, Statement, current_value, probe_among
from keywright.engines.interface import Description, Driver, ServerUnreachable, StatementFailed, TooSoon
from keywright.errors import KeywrightError
from keywright.ir.json import Json
from keywright.ir.text import counted
from keywright.record import Record

StepOutcome: TypeAlias = Literal["made", "kept", "conflict"]


class Pace(Record):
    """Waiting times for effects; tests shorten them."""

    timeout_seconds: float = 600
    """Longest wait for a step."""
    poll_seconds: float = 0.05
    """First pause between two probes; it doubles up to twenty times its length."""
    patience: float = 1
    """Factor on the pauses that a server enforces."""


class Done(Record):
    """Result of a step."""

    statement: Statement
    """The executed step."""
    outcome: StepOutcome
    """`made` if it took effect, `kept` if its object already existed, `conflict` if a different object exists."""
    seconds: float
    """Duration of the step."""
    conflicting: Json = None
    """For a conflict, the existing object."""


class ApplyError(KeywrightError):
    """A step failed; the steps before it are done, and another run continues from there."""

    exit_code = 3

    def __init__(self, statement: Statement, cause: StatementFailed, done: Sequence[Done]) -> None:
        finished = f"{counted(len(done), 'step is', 'steps are')} done"
        help = f"{finished}; correct the cause and run the same command again, which continues from there"
        super().__init__(
            f"{statement.store}: could not {statement.summary}: {cause}", "; ".join(filter(None, (cause.help, help)))
        )
        self.statement, self.done = statement, tuple(done)
        self.is_unreachable = isinstance(cause, ServerUnreachable)


def run(
    statements: Iterable[Statement],
    driver: Driver,
    *,
    tell: Callable[[Done], None] = lambda done: None,
    allow: Callable[[Statement], None] = lambda statement: None,
    pace: Pace | None = None,
) -> list[Done]:
    """Run steps of one store in order; each is probed before and after its statement.

    tell: called with the result of each step; allow: called before each statement, which it prevents by raising.
    Returns the result of each step. A step in conflict is not run, nor are later steps of the same target.
    Raises ApplyError with the completed steps if a statement fails and its effect is missing.
    """
    statements, done = tuple(statements), list[Done]()
    descriptions: dict[str, Description | None] = {}
    blocked: set[str] = set()
    for index, statement in enumerate(statements):
        if statement.target in blocked:
            continue
        turn = _Turn(statements, index, driver, allow, pace or Pace())
        started = time.monotonic()
        try:
            if statement.target not in descriptions:
                descriptions[statement.target] = turn.look()
            state, is_made = turn.state(descriptions[statement.target]), False
            if state is ObjectState.PARTIAL:
                state, descriptions[statement.target] = turn.wait(until=_SETTLED)
            if state is ObjectState.ABSENT:
                is_made = turn.effect()
                state, descriptions[statement.target] = turn.wait(until=_DECIDED)
        except StatementFailed as failure:
            raise ApplyError(statement, failure, done) from failure
        if state is ObjectState.CONFLICT:
            blocked.add(statement.target)
        outcome: StepOutcome = "conflict" if state is ObjectState.CONFLICT else "made" if is_made else "kept"
        conflicting = current_value(statement, descriptions[statement.target]) if outcome == "conflict" else None
        done.append(Done(statement, outcome, time.monotonic() - started, conflicting))
        tell(done[-1])
    return done


def states(statements: Iterable[Statement], driver: Driver, pace: Pace) -> Iterator[ObjectState]:
    """State of each step of one store, once no object of its target is being built."""
    statements = tuple(statements)
    descriptions: dict[str, Description | None] = {}
    for index, statement in enumerate(statements):
        turn = _Turn(statements, index, driver, lambda statement: None, pace)
        if statement.target not in descriptions:
            descriptions[statement.target] = turn.look()
        state = turn.state(descriptions[statement.target])
        if state is ObjectState.PARTIAL:
            state, descriptions[statement.target] = turn.wait(until=_SETTLED)
        yield state


_DECIDED = (ObjectState.PRESENT, ObjectState.CONFLICT)
"""Final states of a step."""

_SETTLED = (ObjectState.ABSENT, *_DECIDED)
"""Possible states once no object is being built."""


class _Turn(Record):
    """A step of a run, with its driver."""

    statements: tuple[Statement, ...]
    index: int
    driver: Driver
    allow: Callable[[Statement], None]
    pace: Pace

    @property
    def statement(self) -> Statement:
        return self.statements[self.index]

    def look(self) -> Description | None:
        return self.driver.introspect([self.statement.target])[self.statement.target]

    def state(self, description: Description | None) -> ObjectState:
        return probe_among(self.statements, self.index, description)

    def effect(self) -> bool:
        """Run the statement, and return whether it succeeded.

        A failed statement whose effect exists is no error: another process or a call with a lost answer made it. An
        object that is being built is waited for, and the statement is repeated if the object is still missing then.
        A statement that came too soon is repeated until its patience ends.
        """
        ends = time.monotonic() + self.statement.patience_seconds * self.pace.patience
        while True:
            self.allow(self.statement)
            try:
                self.driver.run(self.statement)
            except StatementFailed as failure:
                state = self.state(self.look())
                if state is ObjectState.PARTIAL and self.wait(until=_SETTLED)[0] is ObjectState.ABSENT:
                    continue
                if state is not ObjectState.ABSENT:
                    return False
                if not isinstance(failure, TooSoon) or time.monotonic() > ends:
                    raise
                time.sleep(min(20 * self.pace.poll_seconds, max(0, ends - time.monotonic())))
            else:
                return True

    def wait(self, *, until: tuple[ObjectState, ...]) -> tuple[ObjectState, Description | None]:
        """Probe until the object is in one of these states; returns the state with its description."""
        ends, pause = time.monotonic() + self.pace.timeout_seconds, self.pace.poll_seconds
        while True:
            description = self.look()
            state = self.state(description)
            if state in until:
                return state, description
            if time.monotonic() > ends:
                raise StatementFailed(f"not finished after {self.pace.timeout_seconds:.0f} s ({state.value})")
            time.sleep(pause)
            pause = min(pause * 2, self.pace.poll_seconds * 20)
