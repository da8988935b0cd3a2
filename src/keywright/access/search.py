"""The search for access paths: chooses the cheapest candidate of an engine, and finds the smallest fix."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.record import Record, replace

from .cost import Cost
from .path import AccessPath, By, Candidate, NotServed, PatternFix, Rejected

TargetT = TypeVar("TargetT")
T = TypeVar("T")


class Finder(Protocol):
    """The functions of an engine that the search calls; `engines.interface.Engine` has them."""

    @property
    def paths(self) -> Callable[[Any, Binding[Any], Pattern], Iterator[Candidate]]:
        """Every candidate of a pattern."""

    @property
    def together(self) -> Callable[[Any, tuple["Planned[Any]", ...]], Candidate]:
        """The writes of a transaction as one call."""

    @property
    def read_together(self) -> Callable[[Any, Pattern, tuple["Planned[Any]", ...]], Iterator[Candidate]] | None:
        """The reads of several entities as one call; None if the engine has no such call."""

    @property
    def title(self) -> str:
        """Its name in messages."""

    @property
    def cost(self) -> Callable[["Planned[Any]"], Cost]:
        """The cost of a planned call."""

    @property
    def store(self) -> Callable[[Any], str]:
        """The store of a target, which a transaction cannot leave."""

    @property
    def fixes(self) -> Callable[[Any, Binding[Any], Pattern], Iterator[PatternFix[Any]]]:
        """Declarations that may help."""


class Planned(Record, Generic[TargetT]):
    """A pattern with its access path."""

    pattern: Pattern
    """The pattern."""
    binding: Binding[Any]
    """The entity in its store; for a transaction, the entity of the first write."""
    target: TargetT
    """The placed target of the plan."""
    path: AccessPath | NotServed
    """The access path, or the reason why there is none."""
    others: tuple[Candidate, ...] = ()
    """The rejected or more expensive candidates."""
    parts: tuple["Planned[TargetT]", ...] = ()
    """The writes of a transaction, or the reads that one request answers."""

    @property
    def is_served(self) -> bool:
        """Whether it has an access path."""
        return isinstance(self.path, AccessPath)

    @property
    def access_path(self) -> AccessPath:
        """The path of a pattern that is served."""
        assert isinstance(self.path, AccessPath), f"{self.pattern.name} is not served"
        return self.path


def plan(finder: Finder, target: TargetT, binding: Binding, pattern: Pattern) -> Planned[TargetT]:
    """The plan of a pattern in a placed target, with the cheapest path."""
    return _chosen(finder, target, binding, pattern, tuple(finder.paths(target, binding, pattern)), ())


def without(finder: Finder, planned: Planned[TargetT], dropped: Collection[By]) -> Planned[TargetT]:
    """The plan of a pattern without some keys and indexes, from the existing candidates."""
    candidates = tuple(candidate for candidate in (planned.access_path, *planned.others) if candidate.by not in dropped)
    return _chosen(finder, planned.target, planned.binding, planned.pattern, candidates, planned.parts)


def plan_together(
    finder: Finder, target: TargetT, pattern: Pattern, parts: tuple[Planned[TargetT], ...]
) -> Planned[TargetT]:
    """The plan of a transaction or of a read of several entities, from the plans of its parts."""
    first = parts[0]
    for part in parts:
        if isinstance(part.path, NotServed):
            reason = f"{part.pattern.name}: {part.path.reason}"
            return Planned(pattern, first.binding, target, NotServed(reason, part.path.rejected), (), parts)
        is_elsewhere = part.binding.engine != first.binding.engine
        if is_elsewhere or (part.target is not first.target and finder.store(part.target) != finder.store(target)):
            reason = f'"{part.binding.name}" is not in the same store as "{first.binding.name}"'
            return Planned(pattern, first.binding, target, NotServed(reason), (), parts)
    if pattern.kind == "transact":
        return _chosen(finder, target, first.binding, pattern, (finder.together(target, parts),), parts)
    if finder.read_together is None:
        reason = f"{finder.title} has no request that reads several entities: declare a pattern for each entity"
        return Planned(pattern, first.binding, target, NotServed(reason), (), parts)
    candidates = tuple(finder.read_together(target, pattern, parts))
    planned = _chosen(finder, target, first.binding, pattern, candidates, parts)
    if isinstance(planned.path, NotServed) or not planned.path.parts:
        return planned
    paths = zip(parts, planned.path.parts, strict=True)
    return replace(planned, parts=tuple(replace(part, path=path, others=()) for part, path in paths))


def _reason(binding: Binding, pattern: Pattern, rejected: tuple[Rejected, ...]) -> str:
    """The reason of the nearest candidate; if none is near, the field with which no key starts."""
    if not rejected:
        return "the store has no key, index or structure for this query"
    nearest = next((candidate for candidate in rejected if not candidate.is_unrelated), None)
    texts = (pattern.range, pattern.prefix, pattern.contains, pattern.all_of, pattern.exactly)
    fields = (*pattern.eq, *pattern.one_of, *(text for text in texts if text))
    if nearest is None and fields:
        table = next((candidate.by.name for candidate in rejected if candidate.by.kind == "table"), binding.name)
        return f'no key or index of "{table}" starts with "{fields[0]}"'
    return (nearest or rejected[0]).reason


def _chosen(
    finder: Finder,
    target: TargetT,
    binding: Binding,
    pattern: Pattern,
    candidates: tuple[Candidate, ...],
    parts: tuple[Planned[TargetT], ...],
) -> Planned[TargetT]:
    serving = [candidate for candidate in candidates if isinstance(candidate, AccessPath)]
    if not serving:
        rejected = tuple(candidate for candidate in candidates if isinstance(candidate, Rejected))
        reason = _reason(binding, pattern, rejected)
        return Planned(pattern, binding, target, NotServed(reason, rejected), (), parts)
    if len(candidates) == 1:
        return Planned(pattern, binding, target, serving[0], (), parts)
    options = [
        Planned(
            pattern, binding, target, path, tuple(candidate for candidate in candidates if candidate is not path), parts
        )
        for path in serving
    ]
    return options[0] if len(options) == 1 else min(options, key=lambda option: _rank(finder.cost(option), option))


_APART = frozenset(("gsi", "view", "index"))
"""Copies of items outside the table, which are updated later."""


def _rank(cost: Cost, planned: Planned[Any]) -> tuple[float | str, ...]:
    """Units, round trips and bytes; equal costs are ordered by table before index, kind and name, so that the same
    models have the same plan."""
    units, trips, size, by = cost.units, cost.round_trips, cost.examined_bytes, planned.access_path.by
    return (*_upper_figures(units.expected, units.high), *_upper_figures(trips.expected, trips.high),
            *_upper_figures(size.expected, size.high), by.kind in _APART, by.kind, by.name)  # fmt: skip


def _upper_figures(expected: float | None, high: float | None) -> tuple[float, float]:
    return (float("inf") if expected is None else expected, float("inf") if high is None else high)


def smallest_fix(finder: Finder, planned: Planned[TargetT]) -> PatternFix[TargetT] | None:
    """The cheapest declaration that serves the pattern; None if no single one does.

    Each one is checked by planning again, so that a printed fix always works.
    """
    fixes: Iterable[PatternFix[TargetT]] = finder.fixes(planned.target, planned.binding, planned.pattern)
    serving = (
        (fix, plan(finder, fix.target, planned.binding, planned.pattern))
        for fix in sorted(fixes, key=lambda fix: (fix.write_cost, fix.stored_bytes, fix.text))
    )
    return next((fix for fix, planned_with_fix in serving if planned_with_fix.is_served), None)
