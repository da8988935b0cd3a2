"""Errors that stop a migration until a person decides: a conflicting object, or a store that differs at the end."""

from keywright.engines.contract.diff import ValueDifference, differences
from keywright.errors import NeedsDecision
from keywright.ir.json import shortened

from .runner import Done


class Conflict(NeedsDecision):
    """A step's object already exists with a different definition."""

    def __init__(self, place: str, done: Done) -> None:
        statement = done.statement
        value_differences = list(differences(statement.wants, done.conflicting))
        texts = [
            f"{'.'.join(difference.path) or 'it'} is {shortened(difference.actual)}, not "
            f"{shortened(difference.expected)}"
            for difference in value_differences[:3]
        ]
        super().__init__(
            f"{place}: could not {statement.summary} in {statement.store}: it exists with a different definition: "
            f"{'; '.join(texts)}",
            "correct the object and run the same command again, which adopts an object with the right definition",
        )


class Differs(NeedsDecision):
    """All steps are done, but the store differs from the snapshot."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            problem, "it was changed meanwhile, or the server does not do what it reports: `keywright drift` shows all "
            "differences; correct them and run the same command again",
        )  # fmt: skip


def unlike(difference: ValueDifference) -> str:
    """A difference in words."""
    return (
        f"{'.'.join(difference.path) or 'it'} is {shortened(difference.actual)}, not {shortened(difference.expected)}"
    )
