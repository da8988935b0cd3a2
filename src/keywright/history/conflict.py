"""What stops a version until a person decides: something else in an object's place, a store that differs at the end."""

from keywright.engines.compare import Difference, differences
from keywright.errors import NeedsDecision
from keywright.ir.json import shortened

from .runner import Done


class Conflict(NeedsDecision):
    """Something else stands where a step would make its object."""

    def __init__(self, place: str, done: Done) -> None:
        step = done.step
        unlike = list(differences(step.wants, done.found))
        told = [
            f"{'.'.join(one.path) or 'it'} is {shortened(one.found)}, not {shortened(one.wanted)}" for one in unlike[:3]
        ]
        super().__init__(
            f"{place}: could not {step.summary} in {step.store}: something else is there: {'; '.join(told)}",
            "put it right and run the same command again; what was done by hand as it should be, is adopted then",
        )


class Differs(NeedsDecision):
    """All steps are done, and the store is not what the snapshot says."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            problem, "somebody changed it meanwhile, or a server does otherwise than it says: `keywright drift` shows "
            "all of it; put it right and run the same command again",
        )  # fmt: skip


def unlike(one: Difference) -> str:
    """A difference in words."""
    return f"{'.'.join(one.path) or 'it'} is {shortened(one.found)}, not {shortened(one.wanted)}"
