"""The inputs of one proof: the pattern, its call, its expected data and the result."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.query import Query, request
from keywright.access.search import Planned
from keywright.engines.interface import Driver, Engine, Observed
from keywright.ir.pattern import Collation, Pattern

from .dataset import Dataset
from .masking import masked
from .proof import Proof
from .values import ReadValues, reading

GIVEN_TTL = timedelta(days=1)
"""Time to live of calls that pass one, so that no item expires during a proof."""

KEPT_EVENTS = 3
"""Requests whose evidence a proof keeps; the evidence of all requests is compared with the plan."""


@dataclass(slots=True)
class ProofCase:
    """Inputs and result of the proof of one pattern."""

    engine: Engine[Any, Any]
    """Engine of the pattern."""
    planned: Planned[Any]
    """The pattern and its access path."""
    run: Callable[..., Any]
    """Calls the pattern as an application does: (values by field path or instances, limit=, cursor=)."""
    observed: Observed
    """The recorded client that `run` uses."""
    driver: Driver
    """A second connection, which reads the result of writes."""
    dataset: Dataset
    """Expected instances of its entity in the store."""
    object: str
    """Table, collection or server of the entity, by its name in drivers."""
    rng: Random
    """Chooses the calls; the same for the same seed."""
    parts: tuple["ProofCase", ...] = ()
    """The writes of a transaction."""
    proof: Proof = field(default_factory=Proof)
    """Result of the proof."""

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return self.planned.pattern

    @property
    def query(self) -> Query:
        """The pattern as a query."""
        return request(self.pattern, self.engine.key_fields(self.planned.target, self.planned.binding))

    @property
    def read(self) -> ReadValues:
        """Reader of the instances' values, which compares texts as the path does."""
        return reading(self.planned.binding, self.rules)

    @property
    def rules(self) -> Collation | None:
        """Language rules by which the path compares texts; None without any."""
        path = self.planned.path
        return path.collation if isinstance(path, AccessPath) else None

    @property
    def plain_read(self) -> ReadValues:
        """Reader of the values that calls send, without language rules."""
        return reading(self.planned.binding)

    def shown(self, subject: Any) -> str:
        """Masked text of an instance or native item, for problems."""
        return masked(self.planned.binding, subject)

    def call(self, *subjects: Any, verify: bool = True, **options: Any) -> Any:
        """Call the pattern once and compare the evidence with the plan; exceptions of the call propagate.

        verify: whether to compare the evidence.
        """
        if self.pattern.is_ttl_given:
            options |= {"ttl": GIVEN_TTL}
        self.observed.events()  # drops the events of earlier requests
        started = time.perf_counter()
        try:
            answer = self.run(*subjects, **options)
        finally:
            self.proof.milliseconds += (time.perf_counter() - started) * 1000
            self.proof.calls += 1
        events = self.observed.events()
        self.proof.evidence += events[: max(0, KEPT_EVENTS - len(self.proof.evidence))]
        if verify:
            for problem in self.engine.verify_evidence(self.planned, events, size(answer)):
                self.proof.contradicts(problem)
        return answer


def size(answer: Any) -> int:
    """Number of items in an answer."""
    if answer is None or isinstance(answer, bool):
        return 0
    return len(answer) if hasattr(answer, "__len__") else 1
