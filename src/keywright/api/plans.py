"""What is due in an environment: where its stores are by their histories, and what `apply` would do now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from keywright.engines.change import Change
from keywright.engines.compare import Difference
from keywright.engines.plan import Step
from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.history.execute import FRESH, position, snapshot_before
from keywright.history.records import Recorded, State, is_stage_done, pending, recorded
from keywright.history.site import Site
from keywright.history.snapshot import EMPTY, Snapshot, Stores, digest, landed
from keywright.history.version import Stage, Version
from keywright.ir.json import Json
from keywright.project.migrations import Folder, read_folder

from .live import answering
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
    drift: tuple[tuple[str, str, Difference], ...] = ()
    """(store, name, what differs) from the position that the history tells."""

    @property
    def hash(self) -> str:
        """What an approval is about: where, from which state, with which statements."""
        stages: list[Json] = [
            {
                "version": one.version.folder,
                "n": one.stage.n,
                "op": one.stage.op,
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


def stores_of(folder: Folder) -> tuple[str, ...]:
    """Every store that some version speaks of, sorted."""
    return tuple(sorted({store for version in folder.versions for store in version.stores}))


@dataclass(frozen=True, slots=True)
class Position:
    """Where an environment is, by the histories of its stores."""

    histories: Mapping[str, Recorded]
    """What each store remembers."""
    pending: tuple[Version, ...]
    """The versions that are not in all of their stores."""
    stores: Stores
    """What should be there now."""

    @property
    def is_without_history(self) -> bool:
        """Whether no store remembers any version."""
        return not any(one.revisions for one in self.histories.values())


def position_of(folder: Folder, sites: Mapping[str, Site]) -> Position:
    """Where the stores are."""
    histories: dict[str, Recorded] = {}
    for store, site in sites.items():
        with answering(store):
            histories[store] = recorded(site.ledger.rows(""))
    _check_files(folder, histories)
    left = pending(folder.versions, histories)
    if not left:
        return Position(histories, (), folder.head.snapshot.stores if folder.head else {})
    before = snapshot_before(folder.versions, left[0])
    return Position(histories, left, position(left[0], before, histories))


def _check_files(folder: Folder, histories: Mapping[str, Recorded]) -> None:
    """A version that was applied must be the one that stands in the folder."""
    known = {one.number: one for one in folder.versions}
    for store, history in histories.items():
        for number, revision in history.revisions.items():
            if revision.state == State.ABORTED.value:
                continue  # it may be written anew, or not at all
            if number not in known:
                problem = f'{store} has version "{number}", which is not in "{folder.path}"'
                raise Blocked(problem, "take the newest migrations from git: this copy is older than the store")
            if revision.file_hash != folder.hash_of(known[number]):
                problem = f'"{known[number].folder}" is not what it was when it was applied to {store}'
                raise Blocked(problem, "restore the folder from git: a version is never edited once it was applied")


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
        raise UsageError("there is no version yet", "write the first with `keywright migrate diff -m TEXT`")
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
        steps = tuple(step for store in sorted(head.stores) for step in sites[store].steps({}, head.stores[store]))
        made = Stage(n=0, phase="expand", by="runner", op="alter", text="everything is made as the last version has it")
        return Plan(where.environment, live, (Due(begun or chosen[-1], made, steps),), files, is_fresh=True)
    if not is_replayed and now.is_without_history and chosen and not _is_empty(sites, chosen[0].snapshot):
        raise Blocked(
            "the stores hold data, and have no history: they were there before the first version",
            "`keywright migrate baseline` records the version that they are at, if they are as it says",
        )
    drift = drift_of(sites, now)
    settings = () if drift else tuple(_settings(sites, now))
    return Plan(where.environment, live, tuple(_due(sites, now, chosen)), files, settings=settings, drift=drift)


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


def unset(sites: Mapping[str, Site], now: Position) -> Iterator[tuple[str, str, Difference]]:
    """(store, name, what differs) of what the environment owns."""
    for store, site in sites.items():
        with answering(store):
            yield from ((store, *one) for one in site.unset(_settled(store, now)))


def _settings(sites: Mapping[str, Site], now: Position) -> Iterator[Step]:
    for store, site in sites.items():
        with answering(store):
            yield from site.settings(_settled(store, now))


def _settled(store: str, now: Position) -> dict[str, Any]:
    """The targets of a store on which no stage is at work: one that drops a table may have unprotected it already."""
    begun = {change.path[0] for change in _in_the_making(now) if change.store == store}
    return {key: told for key, told in now.stores.get(store, {}).items() if key not in begun}


def _due(sites: Mapping[str, Site], now: Position, chosen: Iterable[Version]) -> Iterator[Due]:
    stores = now.stores
    for version in chosen:
        for stage in version.stages:
            if is_stage_done(version, stage, now.histories):
                continue
            after = landed(stores, version.changes_of(stage))
            steps: tuple[Step, ...] = ()
            if stage.op == "alter":
                steps = sites[stage.store].steps(stores.get(stage.store, {}), after.get(stage.store, {}))
            yield Due(version, stage, steps)
            stores = after
        stores = version.snapshot.stores


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


def _in_the_making(now: Position) -> list[Change]:
    """What stages that were begun change in the stores."""
    return [
        change
        for version in now.pending
        for stage in version.stages
        if not is_stage_done(version, stage, now.histories) and _is_begun(now, version, stage)
        for change in version.changes_of(stage)
        if change.is_native
    ]


_Spot: TypeAlias = tuple[str, tuple[str, ...]]
"""A physical name, and a path in the native half of its description."""


def _is_among(one: _Spot, spots: Iterable[_Spot]) -> bool:
    """Whether a spot is one of others, in one of them, or around one."""
    name, path = one
    return any(name == other and path[: len(at)] == at[: len(path)] for other, at in spots)


def _is_begun(now: Position, version: Version, stage: Stage) -> bool:
    found = [history.stage(version, stage) for history in now.histories.values()]
    return any(one is not None and one.state != "undone" for one in found)
