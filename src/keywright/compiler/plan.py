"""The access plan: every pattern of a compiled project with its access path."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import PatternFix
from keywright.access.search import Planned, plan, plan_together, smallest_fix
from keywright.ir.binding import Binding
from keywright.ir.pattern import COMBINED, Pattern
from keywright.record import Record

from .project import Compiled, Placed


class PlannedPattern(Record):
    """One pattern in its store."""

    placed: Placed
    """The placed target of the plan."""
    planned: Planned[Any]
    """The pattern's plan."""

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return self.planned.pattern

    @property
    def binding(self) -> Binding:
        """The entity in its store."""
        return self.planned.binding

    @property
    def fix(self) -> PatternFix[Any] | None:
        """The smallest declaration that would serve an unserved pattern."""
        unserved = next((part for part in self.planned.parts if not part.is_served), self.planned)
        return None if self.planned.is_served else smallest_fix(self.placed.engine, unserved)


class AccessPlan(Record):
    """Every pattern of a project in one environment, in declared order."""

    compiled: Compiled
    """The compiled project."""
    rows: tuple[PlannedPattern, ...]
    """One row for each pattern."""


def plan_access(compiled: Compiled) -> AccessPlan:
    """Plan every pattern of a compiled project against its placed targets."""
    return AccessPlan(compiled, tuple(_rows(compiled)))


def _rows(compiled: Compiled) -> Iterator[PlannedPattern]:
    bindings = {binding.name: binding for binding in compiled.project.design.bindings}
    targets = {(target.engine.name, target.declared.name): target for target in compiled.targets}

    def planned(pattern: Pattern) -> tuple[Placed, Planned[Any]]:
        binding = bindings[pattern.binding]
        placed = targets[binding.engine, binding.physical.name]
        return placed, plan(placed.engine, placed.placed, binding, pattern)

    for pattern in compiled.project.design.patterns:
        if pattern.kind not in COMBINED:
            yield PlannedPattern(*planned(pattern))
            continue
        parts = [planned(part) for part in pattern.parts]
        if parts:
            placed = parts[0][0]
            together = plan_together(placed.engine, placed.placed, pattern, tuple(part for _, part in parts))
            yield PlannedPattern(placed, together)
