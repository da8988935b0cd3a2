"""One pattern on trial: how it is called, what is known of its data, and where what is found goes."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from keywright.access.request import Request, request
from keywright.access.search import Planned
from keywright.engines.interface import Driver, Engine, Observed
from keywright.ir.pattern import Pattern

from .proof import Proof
from .values import Read, reading
from .world import World

KEPT_EVENTS = 3
"""Requests of which a proof keeps the evidence; all are judged."""


@dataclass(slots=True)
class Trial:
    """Everything that the proof of one pattern needs."""

    engine: Engine[Any, Any]
    """Its engine."""
    planned: Planned[Any]
    """The pattern and its path."""
    run: Callable[..., Any]
    """Calls it as an application does: (values by field path or instances, limit=, cursor=)."""
    observed: Observed
    """The recorded client that `run` uses."""
    driver: Driver
    """A second connection, for looking at what writes leave behind."""
    world: World
    """What the store holds of its entity."""
    object: str
    """Table, collection or server that holds it, as drivers call it."""
    rng: Random
    """Chooses the calls; the same for the same seed."""
    parts: tuple["Trial", ...] = ()
    """The writes of a transaction."""
    proof: Proof = field(default_factory=Proof)
    """What is found."""

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return self.planned.pattern

    @property
    def asked(self) -> Request:
        """What it asks."""
        return request(self.pattern, self.engine.key_fields(self.planned.target, self.planned.binding))

    @property
    def read(self) -> Read:
        """How values of its instances are read."""
        return reading(self.planned.binding)

    def call(self, *subjects: Any, judged: bool = True, **options: Any) -> Any:
        """Call the pattern once, and judge what the server says of it; exceptions of the call are the caller's."""
        self.observed.events()  # what went before is not this call's
        started = time.perf_counter()
        try:
            answer = self.run(*subjects, **options)
        finally:
            self.proof.milliseconds += (time.perf_counter() - started) * 1000
            self.proof.calls += 1
        events = self.observed.events()
        self.proof.evidence += events[: max(0, KEPT_EVENTS - len(self.proof.evidence))]
        if judged:
            for problem in self.engine.judge(self.planned, events, size(answer)):
                self.proof.disagrees(f"evidence: {problem}")
        return answer


def size(answer: Any) -> int:
    """Items that an answer holds."""
    if answer is None or isinstance(answer, bool):
        return 0
    return len(answer) if hasattr(answer, "__len__") else 1
