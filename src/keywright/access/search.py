"""The search: asks an engine for every candidate, takes the cheapest that serves, and finds the smallest fix."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from .cost import Cost
from .path import AccessPath, Candidate, Fix, NotServed, Rejected

TargetT = TypeVar("TargetT")
T = TypeVar("T")


class Finder(Protocol):
    """What the search asks of an engine; `engines.interface.Engine` has it."""

    @property
    def paths(self) -> Callable[[Any, Binding, Pattern], Iterator[Candidate]]:
        """Every candidate."""

    @property
    def together(self) -> Callable[[Any, tuple["Planned[Any]", ...]], Candidate]:
        """The writes of a transaction as one."""

    @property
    def cost(self) -> Callable[["Planned[Any]"], Cost]:
        """The cost of a call by its path."""

    @property
    def store(self) -> Callable[[Any], str]:
        """The store that a target is in: what a transaction cannot leave."""

    @property
    def fixes(self) -> Callable[[Any, Binding, Pattern], Iterator[Fix[Any]]]:
        """Declarations that could help."""


@dataclass(frozen=True, slots=True)
class Planned(Generic[TargetT]):
    """A pattern with what serves it."""

    pattern: Pattern
    """The pattern."""
    binding: Binding
    """The entity in the store that it is about; of a transaction, that of its first write."""
    target: TargetT
    """The placed target that it was planned against."""
    path: AccessPath | NotServed
    """What serves it, or why nothing does."""
    others: tuple[Candidate, ...] = ()
    """The candidates that were not taken."""
    parts: tuple["Planned[TargetT]", ...] = ()
    """The writes of a transaction."""

    @property
    def is_served(self) -> bool:
        """Whether something serves it."""
        return isinstance(self.path, AccessPath)


def plan(finder: Finder, target: TargetT, binding: Binding, pattern: Pattern) -> Planned[TargetT]:
    """The cheapest path of a pattern in a placed target, or why there is none."""
    return _chosen(finder, target, binding, pattern, tuple(finder.paths(target, binding, pattern)), ())


def plan_together(
    finder: Finder, target: TargetT, pattern: Pattern, parts: tuple[Planned[TargetT], ...]
) -> Planned[TargetT]:
    """The path of a transaction whose writes are planned already."""
    first = parts[0]
    for part in parts:
        if isinstance(part.path, NotServed):
            reason = f"{part.pattern.name}: {part.path.reason}"
            return Planned(pattern, first.binding, target, NotServed(reason, part.path.rejected), (), parts)
        is_elsewhere = part.binding.engine != first.binding.engine
        if is_elsewhere or (part.target is not first.target and finder.store(part.target) != finder.store(target)):
            reason = f'"{part.binding.name}" is not in the same store as "{first.binding.name}"'
            return Planned(pattern, first.binding, target, NotServed(reason), (), parts)
    candidates = (finder.together(target, parts),)
    return _chosen(finder, target, first.binding, pattern, candidates, parts)


def _chosen(
    finder: Finder,
    target: TargetT,
    binding: Binding,
    pattern: Pattern,
    candidates: tuple[Candidate, ...],
    parts: tuple[Planned[TargetT], ...],
) -> Planned[TargetT]:
    serving = [one for one in candidates if isinstance(one, AccessPath)]
    if not serving:
        rejected = tuple(one for one in candidates if isinstance(one, Rejected))
        reason = rejected[0].reason if rejected else "the store holds nothing that answers such a request"
        return Planned(pattern, binding, target, NotServed(reason, rejected), (), parts)
    if len(candidates) == 1:
        return Planned(pattern, binding, target, serving[0], (), parts)
    options = [
        Planned(pattern, binding, target, path, tuple(one for one in candidates if one is not path), parts)
        for path in serving
    ]
    return options[0] if len(options) == 1 else min(options, key=lambda one: _rank(finder.cost(one), one))


_APART = frozenset(("gsi", "view", "index"))
"""What repeats items elsewhere, behind them in time."""


def _rank(cost: Cost, planned: Planned[Any]) -> tuple[float | str, ...]:
    """Units, round trips, bytes; of equals what lies with the items, then by kind and name, so that the same models
    give the same plan."""
    assert isinstance(planned.path, AccessPath)
    units, trips, size = cost.units, cost.round_trips, cost.examined_bytes
    return (*_ends(units.expected, units.high), *_ends(trips.expected, trips.high),
            *_ends(size.expected, size.high), planned.path.by.kind in _APART, planned.path.by.kind,
            planned.path.by.name)  # fmt: skip


def _ends(expected: float | None, high: float | None) -> tuple[float, float]:
    return (float("inf") if expected is None else expected, float("inf") if high is None else high)


def smallest_fix(finder: Finder, planned: Planned[TargetT]) -> Fix[TargetT] | None:
    """The cheapest declaration with which the pattern is served; None where no single one does it.

    Each is tried on the planner itself, so that what is printed heals what it is printed for.
    """
    fixes: Iterable[Fix[TargetT]] = finder.fixes(planned.target, planned.binding, planned.pattern)
    serving = (
        (fix, plan(finder, fix.target, planned.binding, planned.pattern))
        for fix in sorted(fixes, key=lambda fix: (fix.write_cost, fix.stored_bytes, fix.text))
    )
    return next((fix for fix, healed in serving if healed.is_served), None)
