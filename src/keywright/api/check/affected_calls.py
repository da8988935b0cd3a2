"""The calls per second that a finding affects: those of its pattern, or of all patterns of its entity or store."""

from collections import defaultdict

from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.pattern import Pattern

from .subjects import SubjectOwner, subject_of


class AffectedCalls:
    """Declared calls per second by declaration."""

    def __init__(self, design: Design) -> None:
        self._sums: defaultdict[tuple[str, str], float] = defaultdict(float)
        bindings = {binding.name: binding for binding in design.bindings}
        for pattern in design.patterns:
            if pattern.load.per_second is not None:
                written = (bindings[part.binding] for part in pattern.parts or (pattern,))
                self._add(list(written), pattern.load.per_second)

    def _add(self, bindings: list[Binding], per_second: float) -> None:
        names = {("entity", binding.name) for binding in bindings}
        names |= {("store", f"{binding.engine} {binding.physical.name}") for binding in bindings}
        for name in names:
            self._sums[name] += per_second

    def of(self, owner: SubjectOwner | None) -> float | None:
        """Calls per second of a declaration; None if no rate is declared.

        owner: None for a finding about no declaration.
        """
        if isinstance(owner, Pattern):
            return owner.load.per_second
        if owner is None:
            return None
        subject = subject_of(owner)
        name = subject.name if subject.kind == "entity" else f"{subject.engine} {subject.name}"
        return self._sums.get((subject.kind, name))
