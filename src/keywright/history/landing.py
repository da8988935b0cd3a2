"""Native steps that somebody else lands, such as a stack: asked for by position, then probed, never run here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.plan import State, Step
from keywright.errors import NeedsDecision

from .runner import ApplyError, Done, Pace, run, states
from .version import Stage, Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """What is to be landed in a store by somebody else."""

    steps: tuple[Step, ...] = ()
    """What is not there yet; none where only what is there is to be taken in."""
    start: str
    """The position of all stores before, such as `0008/20`."""
    end: str
    """Their position afterwards."""
    check: Callable[[], None]
    """Raises once the lock of the store is lost."""


Lander = Callable[[Handover], None]
"""Lands steps; StatementFailed if that fails."""


def places(version: Version, stage: Stage) -> tuple[str, str]:
    """The positions before and after a stage; `0008/0` is before the first."""
    before = max((one.n for one in version.stages if one.n < stage.n), default=0)
    return f"{version.number}/{before}", f"{version.number}/{stage.n}"


def hand_over(
    lander: Lander, asked: Handover, driver: Driver, *, tell: Callable[[Done], None], pace: Pace
) -> list[Done]:
    """Have steps of one store landed, and say what became of each, as `runner.run` does.

    An object that is altered by being taken away and made anew is taken away here: one update would be too much. Raises
    ApplyError where landing fails, NeedsDecision for a step that it left out.
    """
    steps = asked.steps
    found = list(states(steps, driver, pace))
    away = [step for at, step in enumerate(steps) if found[at] is State.ABSENT and _comes_back(steps, at)]
    if away:
        run(away, driver, allow=lambda step: asked.check(), pace=pace)
        found = list(states(steps, driver, pace))
    absent = [step for step, state in zip(steps, found, strict=True) if state is State.ABSENT]
    if absent and State.CONFLICT not in found:
        try:
            lander(replace(asked, steps=tuple(absent)))
        except StatementFailed as failure:
            raise ApplyError(absent[0], str(failure), ()) from failure

    fresh = {id(step) for step in (*away, *absent)}

    def made(one: Done) -> Done:
        return replace(one, outcome="made") if id(one.step) in fresh and one.outcome == "kept" else one

    done = run(steps, driver, allow=_missing, tell=lambda one: tell(made(one)), pace=pace)
    return [made(one) for one in done]


def _comes_back(steps: Sequence[Step], at: int) -> bool:
    """Whether a later step makes anew what the one at a place takes away."""
    return any((one.target, one.object) == (steps[at].target, steps[at].object) for one in steps[at + 1 :])


def _missing(step: Step) -> None:
    raise NeedsDecision(
        f"{step.store}: the stack was brought to this step, and the store does not show: {step.summary}",
        "see whether the program provides what keywright says, in this account; then run the same command again",
    )
