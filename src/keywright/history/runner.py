"""Runs steps: probe, effect, probe; what is there is left alone, what differs is reported and never changed."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.engines.interface import Description, Driver, StatementFailed
from keywright.engines.plan import State, Step, probe_among, standing
from keywright.errors import KeywrightError
from keywright.ir.json import Json

Outcome: TypeAlias = Literal["made", "kept", "conflict"]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long effects are waited for; tests shorten it."""

    timeout_seconds: float = 600
    """The longest wait for one step."""
    poll_seconds: float = 0.05
    """The first pause between two probes; it doubles up to twenty times its length."""
    patience: float = 1
    """What the pauses that a server enforces are multiplied by."""


@dataclass(frozen=True, slots=True)
class Done:
    """One step after its turn."""

    step: Step
    """The step."""
    outcome: Outcome
    """Whether it took effect, was true before, or met something else in its place."""
    seconds: float
    """How long it took."""
    found: Json = None
    """Of a conflict, what stands in its place."""


class ApplyError(KeywrightError):
    """A step failed; those before it are done, and running again goes on from there."""

    exit_code = 3

    def __init__(self, step: Step, cause: str, done: Sequence[Done]) -> None:
        finished = f"{len(done)} {'step is' if len(done) == 1 else 'steps are'} done"
        super().__init__(
            f"{step.store}: could not {step.summary}: {cause}",
            f"{finished}; correct the cause and run the same command again, it goes on from there",
        )
        self.step, self.done = step, tuple(done)


def run(
    steps: Iterable[Step],
    driver: Driver,
    *,
    tell: Callable[[Done], None] = lambda done: None,
    allow: Callable[[Step], None] = lambda step: None,
    pace: Pace | None = None,
) -> list[Done]:
    """Run steps of one store in order; each is probed before and after its effect.

    tell: told of each step after its turn; allow: called before each effect, which it prevents by raising.
    Returns what became of each. A step in conflict is not run, and neither are later steps of the same target.
    Raises ApplyError with all that was done when a statement fails and its effect is not there.
    """
    steps, done = tuple(steps), list[Done]()
    seen: dict[str, Description | None] = {}
    blocked: set[str] = set()
    for at, step in enumerate(steps):
        if step.target in blocked:
            continue
        turn = _Turn(steps, at, driver, allow, pace or Pace())
        started = time.monotonic()
        try:
            if step.target not in seen:
                seen[step.target] = turn.look()
            state, is_made = turn.state(seen[step.target]), False
            if state is State.PARTIAL:
                state, seen[step.target] = turn.wait(until=_SETTLED)
            if state is State.ABSENT:
                is_made = turn.effect()
                state, seen[step.target] = turn.wait(until=_DECIDED)
        except StatementFailed as failure:
            raise ApplyError(step, str(failure), done) from failure
        if state is State.CONFLICT:
            blocked.add(step.target)
        outcome: Outcome = "conflict" if state is State.CONFLICT else "made" if is_made else "kept"
        found = standing(step, seen[step.target]) if outcome == "conflict" else None
        done.append(Done(step, outcome, time.monotonic() - started, found))
        tell(done[-1])
    return done


def states(steps: Iterable[Step], driver: Driver, pace: Pace) -> Iterator[State]:
    """The state of each of the steps of one store, once nothing in its target is in the making."""
    steps = tuple(steps)
    seen: dict[str, Description | None] = {}
    for at, step in enumerate(steps):
        turn = _Turn(steps, at, driver, lambda step: None, pace)
        if step.target not in seen:
            seen[step.target] = turn.look()
        state = turn.state(seen[step.target])
        if state is State.PARTIAL:
            state, seen[step.target] = turn.wait(until=_SETTLED)
        yield state


_DECIDED = (State.PRESENT, State.CONFLICT)
"""What a step's state is in the end."""

_SETTLED = (State.ABSENT, *_DECIDED)
"""What it can be once nothing is in the making."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """One step, while it has its turn."""

    steps: tuple[Step, ...]
    at: int
    driver: Driver
    allow: Callable[[Step], None]
    pace: Pace

    @property
    def step(self) -> Step:
        return self.steps[self.at]

    def look(self) -> Description | None:
        return self.driver.introspect([self.step.target])[self.step.target]

    def state(self, description: Description | None) -> State:
        return probe_among(self.steps, self.at, description)

    def effect(self) -> bool:
        """Run the statement, and say whether that worked; one that fails where the effect is there all the same, by
        somebody else or by a call whose answer was lost, is no failure. Where something is in the making it is waited
        for, and what is missing then is tried again.
        """
        ends = time.monotonic() + self.step.patience_seconds * self.pace.patience
        while True:
            self.allow(self.step)
            try:
                self.driver.run(self.step)
            except StatementFailed as failure:
                state = self.state(self.look())
                if state is State.PARTIAL and self.wait(until=_SETTLED)[0] is State.ABSENT:
                    continue
                if state is not State.ABSENT:
                    return False
                is_too_soon = bool(self.step.too_soon) and self.step.too_soon in str(failure)
                if not is_too_soon or time.monotonic() > ends:
                    raise
                time.sleep(min(20 * self.pace.poll_seconds, max(0, ends - time.monotonic())))
            else:
                return True

    def wait(self, *, until: tuple[State, ...]) -> tuple[State, Description | None]:
        """Probe until the object is in one of these states, and return that with the description that showed it."""
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
