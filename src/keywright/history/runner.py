"""Runs steps: probe, effect, probe; what is there is left alone, what differs is reported and never changed."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.engines.interface import Description, Driver, StatementFailed
from keywright.engines.plan import State, Step
from keywright.errors import KeywrightError
from keywright.ir.json import Json

Outcome: TypeAlias = Literal["made", "kept", "conflict"]

Probe: TypeAlias = Callable[[Step, Mapping[str, Json] | None], State]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long effects are waited for; tests shorten it."""

    timeout_seconds: float = 600
    """The longest wait for one step."""
    poll_seconds: float = 0.05
    """The first pause between two probes; it doubles up to twenty times its length."""


@dataclass(frozen=True, slots=True)
class Done:
    """One step after its turn."""

    step: Step
    """The step."""
    outcome: Outcome
    """Whether it took effect, was true before, or met something else in its place."""
    seconds: float
    """How long it took."""


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
    probe: Probe,
    *,
    tell: Callable[[Done], None] = lambda done: None,
    pace: Pace | None = None,
) -> list[Done]:
    """Run steps of one store in order; each is probed before and after its effect.

    Returns what became of each. A step in conflict is not run, and neither are later steps of the same target.
    Raises ApplyError with all that was done when a statement fails and its effect is not there.
    """
    done: list[Done] = []
    seen: dict[str, Description | None] = {}
    blocked: set[str] = set()
    for step in steps:
        if step.target in blocked:
            continue
        started = time.monotonic()
        try:
            if step.target not in seen:
                seen[step.target] = _look(driver, step)
            state = probe(step, seen[step.target])
            is_made = state is State.ABSENT and _effect(step, driver, probe)
            if state in (State.ABSENT, State.PARTIAL):
                state, seen[step.target] = _wait(step, driver, probe, pace or Pace())
        except StatementFailed as failure:
            raise ApplyError(step, str(failure), done) from failure
        if state is State.CONFLICT:
            blocked.add(step.target)
        outcome: Outcome = "conflict" if state is State.CONFLICT else "made" if is_made else "kept"
        done.append(Done(step, outcome, time.monotonic() - started))
        tell(done[-1])
    return done


def _look(driver: Driver, step: Step) -> Description | None:
    return driver.introspect([step.target])[step.target]


def _effect(step: Step, driver: Driver, probe: Probe) -> bool:
    """Run the statement, and say whether that worked; one that fails where somebody else made the object first is no
    failure.
    """
    try:
        driver.run(step)
    except StatementFailed:
        if probe(step, _look(driver, step)) is State.ABSENT:
            raise
        return False
    return True


def _wait(step: Step, driver: Driver, probe: Probe, pace: Pace) -> tuple[State, Description | None]:
    """Probe until the object is whole, and return its state with the description that showed it."""
    ends, pause = time.monotonic() + pace.timeout_seconds, pace.poll_seconds
    while True:
        description = _look(driver, step)
        state = probe(step, description)
        if state in (State.PRESENT, State.CONFLICT):
            return state, description
        if time.monotonic() > ends:
            raise StatementFailed(f"not finished after {pace.timeout_seconds:.0f} s ({state.value})")
        time.sleep(pause)
        pause = min(pause * 2, pace.poll_seconds * 20)
