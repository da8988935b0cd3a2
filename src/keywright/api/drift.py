"""Live stores against the versions that they should have."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from keywright.engines.change import Change
from keywright.engines.compare import Difference
from keywright.engines.plan import Step
from keywright.history.records import is_begun, is_stage_done
from keywright.history.site import Site
from keywright.history.snapshot import landed
from keywright.project.migrations import read_folder

from .live import answering
from .position import Position, position_of, stores_of
from .sites import Where, opened


@dataclass(frozen=True, slots=True)
class Drift:
    """What live stores have become beside their histories."""

    differences: tuple[tuple[str, str, Difference], ...]
    """(store, physical name, what differs)."""
    repairs: tuple[Step, ...]
    """The steps that would put it right; nobody runs them but a person."""


def drift(where: Where) -> Drift:
    """What differs between the stores and the versions that they should have, what the environment owns included."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        now = position_of(folder, sites)
        found = drift_of(sites, now)
        stores = dict.fromkeys(store for store, _, _ in found)
        repairs: list[Step] = []
        for store in stores:
            with answering(store):
                repairs += sites[store].repairs(now.stores.get(store, {}))
        return Drift((*found, *unset(sites, now)), tuple(repairs))


def unset(sites: Mapping[str, Site], now: Position) -> Iterator[tuple[str, str, Difference]]:
    """(store, name, what differs) of what the environment owns."""
    for store, site in sites.items():
        with answering(store):
            yield from ((store, *one) for one in site.unset(settled(store, now)))


def settled(store: str, now: Position) -> dict[str, Any]:
    """The targets of a store on which no stage is at work: one that drops a table may have unprotected it already."""
    begun = {change.path[0] for change in _in_the_making(now) if change.store == store}
    return {key: told for key, told in now.stores.get(store, {}).items() if key not in begun}


def drift_of(sites: Mapping[str, Site], now: Position) -> tuple[tuple[str, str, Difference], ...]:
    """What differs from the position, outside a stage that was begun: that may have got anywhere, to its end too."""
    begun = _in_the_making(now)
    ends = landed(now.stores, begun)
    found: list[tuple[str, str, Difference]] = []
    for store, site in sites.items():
        with answering(store):
            differing = list(site.differences(now.stores.get(store, {})))
            if differing and any(change.store == store for change in begun):
                before, after = now.stores.get(store, {}), ends.get(store, {})
                touched = [(step.target, step.object) for step in site.steps(before, after)]
                at_end = [(name, one.path) for name, one in site.differences(after)]
                differing = [
                    (name, one)
                    for name, one in differing
                    if not _is_among((name, one.path), touched) and _is_among((name, one.path), at_end)
                ]
            found += ((store, *one) for one in differing)
    return tuple(found)


def drifted(found: Sequence[tuple[str, str, Difference]]) -> tuple[str, str]:
    """A problem and its help line, for stores that are not where their history says."""
    store, name, one = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    place = ".".join((name, *one.path))
    return (
        f"{store} is not where its history says: {place} differs{more}",
        "`keywright drift` shows all of it; put it right by hand, or bring it into the models",
    )


def _in_the_making(now: Position) -> list[Change]:
    """What stages that were begun change in the stores."""
    return [
        change
        for version in now.pending
        for stage in version.stages
        if not is_stage_done(version, stage, now.histories) and is_begun(version, stage, now.histories)
        for change in version.changes_of(stage)
        if change.is_native
    ]


_Spot: TypeAlias = tuple[str, tuple[str, ...]]
"""A physical name, and a path in the native half of its description."""


def _is_among(one: _Spot, spots: Iterable[_Spot]) -> bool:
    """Whether a spot is one of others, in one of them, or around one."""
    name, path = one
    return any(name == other and path[: len(at)] == at[: len(path)] for other, at in spots)
