"""What is due in an environment: each stage and statement that `apply` would carry out now, under one hash."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from keywright.engines.compare import Difference
from keywright.engines.plan import Step
from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.history.execute import FRESH
from keywright.history.records import State, is_stage_done
from keywright.history.site import Site
from keywright.history.snapshot import EMPTY, Snapshot, digest, landed
from keywright.history.version import Stage, Version
from keywright.ir.json import Json
from keywright.project.migrations import Folder, read_folder

from .drift import drift_of, settled
from .live import answering
from .position import Position, place_of, position_of, stores_of
from .sites import Where, opened


@dataclass(frozen=True, slots=True)
class Due:
    """One stage that is to come."""

    version: Version
    """Its version."""
    stage: Stage
    """The stage."""
    steps: tuple[Step, ...]
    """The native steps, of an alteration."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that `apply` will do."""

    environment: str
    """Where."""
    live: Mapping[str, str]
    """Fingerprint of each store as it is now."""
    due: tuple[Due, ...]
    """The stages, in order."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The cumulative hash of each version's folder, which stands for its transforms too."""
    is_fresh: bool = False
    """Whether nothing is there, so that all is made as the last version has it."""
    settings: tuple[Step, ...] = ()
    """Steps that bring what the environment owns to what it says: no version has them."""
    place: str = ""
    """Where the stores are, as `place_of` says it."""
    drift: tuple[tuple[str, str, Difference], ...] = ()
    """(store, name, what differs) from the position that the history tells."""

    @property
    def is_due(self) -> bool:
        """Whether anything is left to do, and be it to record that a version is done."""
        return bool(self.files or self.settings or self.drift)

    @property
    def is_behind(self) -> bool:
        """Whether a creation that was interrupted leads to an earlier version than the one that is wanted now."""
        return self.is_fresh and self.due[0].version.folder != [*self.files][-1]

    @property
    def hash(self) -> str:
        """What an approval is about: where, from which state, with which statements."""
        stages: list[Json] = [
            {
                "version": one.version.folder,
                "n": one.stage.n,
                "op": one.stage.op,
                "by": one.stage.by,
                "text": one.stage.text,
                "statements": [step.statement for step in one.steps],
            }
            for one in self.due
        ]
        told: Json = {
            "environment": self.environment,
            "live": dict(self.live),
            "files": dict(self.files),
            "stages": stages,
        }
        return digest(told)


def plan(where: Where, *, to: str | None = None) -> Plan:
    """What `apply` would do now, without doing any of it."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        return plan_of(where, folder, sites, to)


def plan_of(
    where: Where, folder: Folder, sites: Mapping[str, Site], to: str | None, *, is_replayed: bool = False
) -> Plan:
    """See `plan`; of sites that are open already."""
    if folder.head is None:
        help = "write the first: with `keywright migrate diff -m TEXT`, or, of stores that hold data already, with "
        raise UsageError("there is no version yet", f"{help}`keywright migrate baseline --from live`")
    now = position_of(folder, sites)
    chosen = _until(folder, now.pending, to)
    head = chosen[-1].snapshot if chosen else EMPTY
    live: dict[str, str] = {}
    for store, site in sites.items():
        with answering(store):
            live[store] = site.fingerprint(now.stores.get(store) or head.stores.get(store, {}))
    files = {one.folder: folder.hash_of(one) for one in chosen}
    begun = _begun_fresh(folder, now)
    if not is_replayed and (begun is not None or (now.is_without_history and chosen and _is_empty(sites, head))):
        head = (begun or chosen[-1]).snapshot
        due = tuple(_fresh(sites, begun or chosen[-1]))
        return Plan(where.environment, live, due, files, is_fresh=True)
    if not is_replayed and now.is_without_history and chosen and not _is_empty(sites, chosen[0].snapshot):
        raise Blocked(
            "the stores hold data, and have no history: they were there before the first version",
            "`keywright migrate baseline` records the version that they are at, if they are as it says",
        )
    drift = drift_of(sites, now)
    settings = () if drift else tuple(_settings(sites, now))
    due = tuple(_due(sites, now, chosen))
    place = place_of(folder, now)
    return Plan(where.environment, live, due, files, settings=settings, place=place, drift=drift)


def _fresh(sites: Mapping[str, Site], version: Version) -> Iterator[Due]:
    """Everything from nothing: what the runner makes, then what a stack does."""
    stores = version.snapshot.stores
    for by in sorted({sites[store].by for store in stores}, key=lambda by: by != "runner"):
        mine = sorted(store for store in stores if sites[store].by == by)
        steps = tuple(step for store in mine for step in sites[store].steps({}, stores[store]))
        text = "everything is made as the last version has it"
        yield Due(version, Stage(n=0, phase="expand", by=by, op="alter", text=text), steps)


def _begun_fresh(folder: Folder, now: Position) -> Version | None:
    """The version as which everything was to be made from nothing, where that was interrupted."""
    for version in folder.versions:
        found = [one.revisions.get(version.number) for one in now.histories.values()]
        if any(one is not None and one.kind == FRESH and one.state == State.RUNNING.value for one in found):
            return version
    return None


def _until(folder: Folder, left: Sequence[Version], to: str | None) -> tuple[Version, ...]:
    if to is None:
        return tuple(left)
    numbers = [one.number for one in folder.versions]
    if to not in numbers:
        raise UsageError(f'there is no version "{to}"', did_you_mean(to, numbers))
    return tuple(one for one in left if one.number <= to)


def _is_empty(sites: Mapping[str, Site], snapshot: Snapshot) -> bool:
    for store, targets in snapshot.stores.items():
        with answering(store):
            if not sites[store].is_empty(targets):
                return False
    return True


def _settings(sites: Mapping[str, Site], now: Position) -> Iterator[Step]:
    for store, site in sites.items():
        with answering(store):
            yield from site.settings(settled(store, now))


def _due(sites: Mapping[str, Site], now: Position, chosen: Iterable[Version]) -> Iterator[Due]:
    stores = now.stores
    for version in chosen:
        for stage in version.stages:
            if is_stage_done(version, stage, now.histories):
                continue
            after = landed(stores, version.changes_of(stage))
            steps: tuple[Step, ...] = ()
            if stage.op == "alter":
                site = sites[stage.store]
                steps = site.steps(stores.get(stage.store, {}), after.get(stage.store, {}))
                stage = replace(stage, by=site.by)
            yield Due(version, stage, steps)
            stores = after
        stores = version.snapshot.stores
