"""Migrations of an environment: what is due, what it will do, and doing it under the locks of all its stores."""

import getpass
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from keywright import __version__
from keywright.engines.compare import Difference
from keywright.engines.ledger import Lock
from keywright.engines.plan import Step
from keywright.errors import Blocked, NeedsDecision, UsageError, did_you_mean
from keywright.history.execute import Event, Execution, Holder, Signature, position, snapshot_before
from keywright.history.lock import Lease, Tell, held_all, new_owner, unlock
from keywright.history.records import Recorded, Revision, is_stage_done, pending, recorded
from keywright.history.runner import ApplyError, Pace
from keywright.history.site import Site
from keywright.history.snapshot import EMPTY, Snapshot, Stores, digest, landed
from keywright.history.version import Stage, Version
from keywright.ir.json import Json
from keywright.project.migrations import Folder, read_folder

from .live import answering
from .sites import Where, opened


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """One store against the folder of versions."""

    store: str
    """Its name."""
    version: str | None
    """The last version that it has in whole."""
    head: str | None
    """The last version that there is for it."""
    pending: tuple[str, ...]
    """The versions that it lacks."""
    revision: Revision | None
    """What it remembers of the last version that was begun."""
    gate: str
    """What it waits for, if a stage of it waits for a person."""
    lock: Lock
    """Its lock."""


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
    is_fresh: bool = False
    """Whether nothing is there, so that all is made as the last version has it."""
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
        return digest({"environment": self.environment, "live": dict(self.live), "stages": stages})


def stores_of(folder: Folder) -> tuple[str, ...]:
    """Every store that some version speaks of, sorted."""
    return tuple(sorted({store for version in folder.versions for store in version.stores}))


def status(where: Where) -> list[StoreStatus]:
    """Each store's position, lock and what it waits for."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        return [_status(folder, site, *_looked_at(site)) for site in sites.values()]


def _looked_at(site: Site) -> tuple[Recorded, Lock]:
    with answering(site.store):
        return recorded(site.ledger.rows("")), site.ledger.lock()


def _status(folder: Folder, site: Site, history: Recorded, lock: Lock) -> StoreStatus:
    concerned = [one for one in folder.versions if site.store in one.stores]
    done = [one.number for one in concerned if history.is_done(one)]
    lacking = [one for one in concerned if not history.is_done(one)]
    begun = [history.revisions[one.number] for one in concerned if one.number in history.revisions]
    gate = ""
    if lacking and lacking[0].number in history.revisions:
        stages = [one for one in lacking[0].stages if one.store in ("", site.store)]
        left = [one for one in stages if not _is_done_here(history, lacking[0], one)]
        if left and left[0].by == "human":
            gate = f"{lacking[0].number}/{left[0].n} {left[0].text}"
    return StoreStatus(
        site.store,
        done[-1] if done else None,
        concerned[-1].number if concerned else None,
        tuple(one.number for one in lacking),
        begun[-1] if begun else None,
        gate,
        lock,
    )


def _is_done_here(history: Recorded, version: Version, stage: Stage) -> bool:
    found = history.stage(version, stage)
    return found is not None and found.state == "done"


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
        return _plan(where, folder, sites, to)


def _plan(where: Where, folder: Folder, sites: Mapping[str, Site], to: str | None) -> Plan:
    now = position_of(folder, sites)
    chosen = _until(folder, now.pending, to)
    head = chosen[-1].snapshot if chosen else EMPTY
    live: dict[str, str] = {}
    for store, site in sites.items():
        with answering(store):
            live[store] = site.fingerprint(now.stores.get(store) or head.stores.get(store, {}))
    if now.is_without_history and chosen and _is_empty(sites, head):
        steps = tuple(step for store in sorted(head.stores) for step in sites[store].steps({}, head.stores[store]))
        made = Stage(n=0, phase="expand", by="runner", op="alter", text="everything is made as the last version has it")
        return Plan(where.environment, live, (Due(chosen[-1], made, steps),), is_fresh=True)
    if now.is_without_history and chosen and not _is_empty(sites, chosen[0].snapshot):
        raise Blocked(
            "the stores hold data, and have no history: they were there before the first version",
            "`keywright migrate baseline` records the version that they are at, if they are as it says",
        )
    return Plan(where.environment, live, tuple(_due(sites, now, chosen)), drift=_drift(sites, now))


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


def _drift(sites: Mapping[str, Site], now: Position) -> tuple[tuple[str, str, Difference], ...]:
    """What differs from the position, outside a stage that was begun: that may have got anywhere."""
    begun = {
        change.path[2:]
        for version in now.pending
        for stage in version.stages
        if not is_stage_done(version, stage, now.histories) and _is_begun(now, version, stage)
        for change in version.changes_of(stage)
    }
    found: list[tuple[str, str, Difference]] = []
    for store, site in sites.items():
        with answering(store):
            for name, one in site.differences(now.stores.get(store, {})):
                if not any(one.path[: len(path)] == path or path[: len(one.path)] == one.path for path in begun):
                    found.append((store, name, one))
    return tuple(found)


def _is_begun(now: Position, version: Version, stage: Stage) -> bool:
    return any(history.stage(version, stage) is not None for history in now.histories.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How a plan is to be carried out."""

    to: str | None = None
    """The last version; all by default."""
    approved: str | None = None
    """The hash of the plan that was approved; None to carry out what is due."""
    acknowledged: Mapping[str, str] = field(default_factory=dict)
    """Gates that are open, with what was said of them."""
    lock_seconds: float = 90
    """How long others' locks are waited for."""
    pace: Pace = field(default_factory=Pace)
    """How long effects are waited for."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told what happens."""

    event: Callable[[Event], None] = lambda event: None
    """Each stage and step."""
    waiting: Tell = lambda waiting: None
    """Locks that others hold."""


def apply(where: Where, order: Order, watcher: Watcher) -> Plan:
    """Carry out what is due, and return the plan that was carried out.

    Raises Blocked for a gate that is shut, a lock that others hold, a store that is not where its history says, or a
    plan that is not the approved one; NeedsDecision where a person must decide. All that was done is recorded, and
    calling it again goes on from there.
    """
    folder = read_folder(where.settings)
    with locked(where, folder, stores_of(folder), order.lock_seconds, watcher.waiting) as (sites, holders):
        made = _plan(where, folder, sites, order.to)
        if order.approved is not None and order.approved != made.hash:
            problem = f"the plan is {made.hash}, and {order.approved} was approved"
            raise Blocked(problem, "make a new plan with `keywright migrate plan` and have that approved")
        if made.drift:
            raise Blocked(*_drifted(made.drift))
        execution = Execution(
            sites=sites,
            holders=holders,
            hashes={one.number: folder.hash_of(one) for one in folder.versions},
            acknowledged=order.acknowledged,
            signature=Signature(actor=_actor(), tool=__version__, plan_hash=made.hash),
            pace=order.pace,
            tell=watcher.event,
        )
        _carry_out(execution, folder, made)
        return made


def _carry_out(execution: Execution, folder: Folder, made: Plan) -> None:
    try:
        if made.is_fresh:
            last = made.due[0].version
            execution.create(last.snapshot, (last, made.due[0].stage))
            execution.adopt([one for one in folder.versions if one.number <= last.number], "fresh")
            return
        for version in dict.fromkeys(one.version.number for one in made.due):
            chosen = next(one for one in folder.versions if one.number == version)
            execution.carry_out(chosen, snapshot_before(folder.versions, chosen))
    except ApplyError as failure:
        if "could not reach" in failure.problem:
            raise
        raise NeedsDecision(failure.problem, failure.help) from failure


def _drifted(found: Sequence[tuple[str, str, Difference]]) -> tuple[str, str]:
    store, name, one = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    place = ".".join((name, *one.path))
    return (
        f"{store} is not where its history says: {place} differs{more}",
        "`keywright drift` shows all of it; put it right by hand, or bring it into the models",
    )


@contextmanager
def locked(
    where: Where, folder: Folder, stores: Iterable[str], seconds: float, tell: Tell
) -> Iterator[tuple[dict[str, Site], Mapping[str, Holder]]]:
    """Sites of stores, whose locks are held within the block."""
    lease = Lease(where.settings.lease_seconds)
    with opened(where, stores) as sites:
        ledgers = {store: site.ledger for store, site in sites.items()}
        with (
            answering("the history"),
            held_all(ledgers, new_owner(), lease, wait_seconds=seconds, tell=tell) as holders,
        ):
            yield sites, holders


def baseline(where: Where, *, seconds: float = 90, watcher: Watcher | None = None) -> str:
    """Record, without running anything, the newest version that the stores are as it says; returns its number."""
    watcher = watcher or Watcher()
    folder = read_folder(where.settings)
    if folder.head is None:
        raise UsageError("there is no version yet", "write one with `keywright migrate baseline --from live`")
    with locked(where, folder, stores_of(folder), seconds, watcher.waiting) as (sites, holders):
        if not position_of(folder, sites).is_without_history:
            raise Blocked("the stores have a history already", "`keywright migrate status` shows it")
        version, differing = _matching(folder, sites)
        if version is None:
            raise Blocked(*_drifted(differing))
        execution = Execution(
            sites=sites,
            holders=holders,
            hashes={one.number: folder.hash_of(one) for one in folder.versions},
            signature=Signature(actor=_actor(), tool=__version__),
        )
        execution.adopt([one for one in folder.versions if one.number <= version.number], "baseline")
        return version.number


def _matching(folder: Folder, sites: Mapping[str, Site]) -> tuple[Version | None, list[tuple[str, str, Difference]]]:
    """The newest version that the stores are at; else None, with what differs from the last one."""
    first: list[tuple[str, str, Difference]] = []
    for version in reversed(folder.versions):
        found = [
            (store, name, one)
            for store, site in sites.items()
            for name, one in site.differences(version.snapshot.stores.get(store, {}))
        ]
        if not found:
            return version, []
        first = first or found
    return None, first


def drift(where: Where) -> tuple[tuple[str, str, Difference], ...]:
    """What differs between the stores and the versions that they should have."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        return _drift(sites, position_of(folder, sites))


def _actor() -> str:
    """Who is at work: for people who read the history."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = f"user {os.getuid()}"
    return f"{name}@{socket.gethostname()}"


def release(where: Where, owner: str) -> tuple[str, ...]:
    """Release every lock that a dead holder has; returns the stores. Blocked if somebody else holds one."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as sites:
        released: list[str] = []
        for store, site in sites.items():
            with answering(store):
                if unlock(site.ledger, owner):
                    released.append(store)
        return tuple(released)
