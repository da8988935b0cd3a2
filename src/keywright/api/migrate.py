"""Migrations of an environment: carried out, taken back, recorded, under the locks of all its stores."""

import getpass
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from keywright import __version__
from keywright.engines.compare import Difference
from keywright.engines.interface import StatementFailed
from keywright.engines.plan import Step
from keywright.errors import Blocked, NeedsDecision, Unavailable, UsageError, did_you_mean
from keywright.history.backfill import Progress, Settings, control, retry_quarantine
from keywright.history.execute import Event, Execution, Signature, snapshot_before
from keywright.history.lock import Lease, Tell, held_all, new_owner, unlock
from keywright.history.records import stage_key
from keywright.history.runner import ApplyError, Pace
from keywright.history.site import Site
from keywright.history.version import Stage, Version
from keywright.project.migrations import Folder, read_folder

from .backfills import Standing, Worker, standing
from .live import answering
from .plans import Plan, drift_of, plan_of, position_of, stores_of, unset
from .sites import Where, opened


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
    backfill: Settings = field(default_factory=Settings)
    """How backfills are done."""
    is_replayed: bool = False
    """Whether every version is carried out as it was written, and the stores are compared after each of its stages."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told what happens."""

    event: Callable[[Event], None] = lambda event: None
    """Each stage and step."""
    waiting: Tell = lambda waiting: None
    """Locks that others hold."""
    backfill: Callable[[Version, Stage, Progress], None] = lambda version, stage, progress: None
    """How far a backfill is."""


def apply(where: Where, order: Order, watcher: Watcher) -> Plan:
    """Carry out what is due, and return the plan that was carried out.

    Raises Blocked for a gate that is shut, a lock that others hold, a store that is not where its history says, or a
    plan that is not the approved one; NeedsDecision where a person must decide. All that was done is recorded, and
    calling it again goes on from there.
    """
    folder = read_folder(where.settings)
    for place in order.acknowledged:
        _, stage = staged(folder, place)
        if stage.by != "human":
            raise UsageError(f"{place} waits for nobody", "`keywright migrate plan` shows which steps do")
    with executing(where, folder, order, watcher) as execution:
        made = plan_of(where, folder, execution.sites, order.to, is_replayed=order.is_replayed)
        if order.approved is not None and order.approved != made.hash:
            problem = f"the plan is {made.hash}, and {order.approved} was approved"
            raise Blocked(problem, "make a new plan with `keywright migrate plan` and have that approved")
        if made.drift:
            raise Blocked(*_drifted(made.drift))
        execution.signature = replace(execution.signature, plan_hash=made.hash)
        _carry_out(execution, folder, made)
        return made


@contextmanager
def executing(where: Where, folder: Folder, order: Order, watcher: Watcher) -> Iterator[Execution]:
    """The means to change all stores of a project, whose locks are held within the block."""
    lease = Lease(where.settings.lease_seconds)
    with opened(where, stores_of(folder)) as sites:
        ledgers = {store: site.ledger for store, site in sites.items()}
        waiting = held_all(ledgers, new_owner(), lease, wait_seconds=order.lock_seconds, tell=watcher.waiting)
        with _going_on(), waiting as holders:
            yield Execution(
                sites=sites,
                holders=holders,
                hashes={one.number: folder.hash_of(one) for one in folder.versions},
                acknowledged=order.acknowledged,
                signature=Signature(actor=_actor(), tool=__version__),
                workers={"backfill": Worker(folder.path, order.backfill, watcher.backfill)},
                pace=order.pace,
                tell=watcher.event,
                is_checked=order.is_replayed,
            )


@contextmanager
def _going_on() -> Iterator[None]:
    """Within the block, a server that is lost is an error of the command, which can be given again."""
    try:
        yield
    except StatementFailed as failure:
        help = "once it answers, run the same command again: it goes on from what was recorded"
        raise Unavailable(f"the stores and their history: {failure}", help) from failure


def _carry_out(execution: Execution, folder: Folder, made: Plan) -> None:
    try:
        if made.is_fresh:
            last = made.due[0].version
            execution.create([one for one in folder.versions if one.number <= last.number])
            return
        execution.set(made.settings)
        for version in folder.versions:
            if version.folder in made.files:  # also one that was interrupted when all its stages were done
                execution.carry_out(version, snapshot_before(folder.versions, version))
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


def baseline(where: Where, order: Order, watcher: Watcher) -> str:
    """Record, without running anything, the newest version that the stores are as it says; returns its number."""
    folder = read_folder(where.settings)
    if folder.head is None:
        raise UsageError("there is no version yet", "write one with `keywright migrate diff -m baseline`")
    with executing(where, folder, order, watcher) as execution:
        if not position_of(folder, execution.sites).is_without_history:
            raise Blocked("the stores have a history already", "`keywright migrate status` shows it")
        version, differing = _matching(folder, execution.sites)
        if version is None:
            raise Blocked(*_drifted(differing))
        execution.adopt([one for one in folder.versions if one.number <= version.number], "baseline")
        return version.number


def resolve(where: Where, place: str, how: str, reason: str, order: Order, watcher: Watcher) -> None:
    """Record that a stage, `0008/20`, was carried out by hand, or is left out.

    how: `applied`, which NeedsDecision refuses if the stores do not show it; `skip`, for optional stages only.
    """
    folder = read_folder(where.settings)
    version, stage = staged(folder, place)
    if how == "skip" and not stage.more.get("optional"):
        help = "carry it out, by `keywright migrate apply` or by hand; or take the version back with `migrate abort`"
        raise UsageError(f"{place} is not optional, and what comes after it relies on it", help)
    with executing(where, folder, order, watcher) as execution:
        before = snapshot_before(folder.versions, version)
        execution.resolve(version, stage, before, f"{how}: {reason}", is_shown=how == "applied")


def abort(where: Where, number: str, order: Order, watcher: Watcher) -> list[Stage]:
    """Take back what a version that is on its way has altered; returns the stages that were taken back."""
    folder = read_folder(where.settings)
    version = _named(folder, number)
    with executing(where, folder, order, watcher) as execution:
        now = position_of(folder, execution.sites)
        if version not in now.pending:
            raise Blocked(f"{version.folder} is done, and is not taken back", "write a version that does the opposite")
        return execution.abort(version, snapshot_before(folder.versions, version))


def _named(folder: Folder, number: str) -> Version:
    found = next((one for one in folder.versions if number in (one.number, one.folder)), None)
    if found is None:
        raise UsageError(
            f'there is no version "{number}"', did_you_mean(number, [one.number for one in folder.versions])
        )
    return found


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """What all workers of a backfill are told, or what is to be done with it."""

    join: bool = False
    """Work on it in this process too."""
    pause: bool = False
    """Let all wait."""
    resume: bool = False
    """Let all go on."""
    abort: bool = False
    """Let all stop."""
    rate: float | None = None
    """Items a second for each process; 0 for as fast as it goes."""
    retry_quarantine: bool = False
    """Try again what could not be transformed."""
    restart: bool = False
    """Begin anew."""


def steer(where: Where, place: str, what: Steering, order: Order, watcher: Watcher) -> Standing | None:
    """Tell a backfill something, and return how far it is."""
    folder = read_folder(where.settings)
    version, stage = staged(folder, place)
    if stage.op != "backfill":
        raise UsageError(f"{place} is no backfill but {stage.op}", "`keywright migrate plan` shows the steps")
    if what.restart:
        again = replace(order, backfill=replace(order.backfill, restart=True))
        with executing(where, folder, again, watcher) as execution:
            holder = execution.holders[stage.store]
            execution.workers["backfill"](execution.sites[stage.store], version, stage, holder)
            return standing(execution.sites[stage.store], version, stage)
    with opened(where, [stage.store]) as sites:
        site, worker = sites[stage.store], Worker(folder.path, order.backfill, watcher.backfill)
        key = stage_key(version, stage)
        told = "pause" if what.pause else "abort" if what.abort else "run" if what.resume else None
        with answering(site.store):
            if told or what.rate is not None:
                control(site.ledger, key, state=told, rate=what.rate)
            if what.retry_quarantine:
                pages, work, python = worker.opened(site, version, stage)
                retry_quarantine(site.ledger, key, pages, work, code=python, settings=order.backfill)
            if what.join:
                worker.join(site, version, stage)
        return standing(site, version, stage)


def staged(folder: Folder, place: str) -> tuple[Version, Stage]:
    """The version and the stage that `0008/20` means."""
    number, _, n = place.partition("/")
    version = _named(folder, number)
    stage = next((one for one in version.stages if str(one.n) == n), None)
    if stage is None:
        raise UsageError(
            f'there is no step "{place}"', did_you_mean(place, [f"{number}/{one.n}" for one in version.stages])
        )
    return version, stage
