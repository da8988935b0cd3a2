"""The access plan: every pattern of a compiled project with the path that serves it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from keywright.access.path import Fix
from keywright.access.search import Planned, plan, plan_together, smallest_fix
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from .project import Compiled, Placed


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern in its store."""

    placed: Placed
    """The target that it is planned against."""
    planned: Planned[Any]
    """What serves it."""

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return self.planned.pattern

    @property
    def binding(self) -> Binding:
        """The entity in its store."""
        return self.planned.binding

    @property
    def fix(self) -> Fix[Any] | None:
        """The smallest declaration that would let an unserved pattern be served."""
        unserved = next((part for part in self.planned.parts if not part.is_served), self.planned)
        return None if self.planned.is_served else smallest_fix(self.placed.engine, unserved)


@dataclass(frozen=True, slots=True)
class AccessPlan:
    """Every pattern of a project in one environment, in declared order."""

    compiled: Compiled
    """What was planned."""
    rows: tuple[Row, ...]
    """One for each pattern."""


def plan_access(compiled: Compiled) -> AccessPlan:
    """Plan every pattern of a compiled project against its placed targets."""
    return AccessPlan(compiled, tuple(_rows(compiled)))


def _rows(compiled: Compiled) -> Iterator[Row]:
    bindings = {binding.name: binding for binding in compiled.project.design.bindings}
    targets = {(one.engine.name, one.declared.name): one for one in compiled.targets}

    def planned(pattern: Pattern) -> tuple[Placed, Planned[Any]]:
        binding = bindings[pattern.binding]
        placed = targets[binding.engine, binding.physical.name]
        return placed, plan(placed.engine, placed.placed, binding, pattern)

    for pattern in compiled.project.design.patterns:
        if pattern.kind != "transact":
            yield Row(*planned(pattern))
            continue
        parts = [planned(part) for part in pattern.parts]
        if parts:
            placed = parts[0][0]
            together = plan_together(placed.engine, placed.placed, pattern, tuple(part for _, part in parts))
            yield Row(placed, together)
