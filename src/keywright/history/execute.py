"""Carries out versions: stage by stage, each recorded before its first effect and after its last probe."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from keywright.engines.change import Change
from keywright.engines.compare import Difference, differences
from keywright.engines.interface import StatementFailed
from keywright.engines.plan import State as probed
from keywright.engines.plan import Step, probe_among
from keywright.errors import Blocked, NeedsDecision
from keywright.ir.json import Json, canonical

from .holding import LockLost
from .records import Recorded, Revision, StageRow, State, again, is_stage_done, recorded, row, stage_key
from .runner import ApplyError, Done, Pace, run
from .site import Site
from .snapshot import EMPTY, Snapshot, Stores, landed
from .version import Stage, Version

FRESH = "fresh"
"""The kind of a version that was never carried out, because everything was made as a later one has it."""


class Holder(Protocol):
    """The lock of a store, while it is held."""

    def check(self) -> None:
        """Raise if it is not held any more."""

    def put(self, key: str, row: Json) -> None:
        """Write a row of the history, unless the lock is somebody else's by now."""


Worker = Callable[[Site, Version, Stage, Holder], None]
"""Does the work of one op on data: a backfill, a check of values."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, for whoever watches."""

    version: Version | None
    """In which version; None for what the environment owns."""
    stage: Stage | None
    """At which stage; None likewise."""
    what: str
    """`begins`, `step`, `done`, `acknowledged`."""
    done: Done | None = None
    """The native step, of a `step`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who does it, and with what; kept with every version."""

    actor: str = ""
    """Who, and where."""
    tool: str = ""
    """Which keywright."""
    plan_hash: str = ""
    """The plan that was approved."""


@dataclass(slots=True, kw_only=True)
class Execution:
    """Versions on their way into the stores of an environment, whose locks are held."""

    sites: Mapping[str, Site]
    """Every store that a version speaks of."""
    holders: Mapping[str, Holder]
    """The locks."""
    hashes: Mapping[str, str]
    """The cumulative hash of each version's folder, by number."""
    acknowledged: Mapping[str, str] = field(default_factory=dict)
    """Gates that a person has opened, `0008/10`, with what was said of them."""
    workers: Mapping[str, Worker] = field(default_factory=dict)
    """What does the ops on data."""
    signature: Signature = field(default_factory=Signature)
    """Who does it."""
    pace: Pace = field(default_factory=Pace)
    """How long effects are waited for."""
    tell: Callable[[Event], None] = lambda event: None
    """Told of what happens."""
    is_checked: bool = False
    """Whether the stores are compared with the position after every stage, and not at the end alone."""

    def read(self) -> dict[str, Recorded]:
        """What each store remembers."""
        return {store: recorded(site.ledger.rows("")) for store, site in self.sites.items()}

    def carry_out(self, version: Version, before: Snapshot) -> None:
        """Bring all stores from the snapshot before a version to its own, from wherever they are between the two.

        Raises Blocked at a gate that is shut, NeedsDecision where a person must decide, ApplyError where a statement
        fails; all that was done is recorded, and calling it again goes on from there.
        """
        history = self.read()
        self._mark(version, history, State.RUNNING)
        try:
            for stage in version.stages:
                if not is_stage_done(version, stage, history):
                    self._stage(version, stage, before, history)
                    history = self.read()
        except ApplyError as failure:
            self._note(version, history, State.FAILED, failure)
            raise
        except NeedsDecision as unclear:
            self._note(version, history, State.MANUAL, unclear)
            raise
        self._mark(version, self.read(), State.DONE)

    def set(self, steps: Sequence[Step]) -> None:
        """Bring what the environment owns to what it says."""
        for step in steps:
            self.holders[step.store].check()
            for one in run([step], self.sites[step.store].driver, pace=self.pace):
                if one.outcome == "conflict":
                    raise Conflict("settings", one)
                self.tell(Event(None, None, "step", one))

    def adopt(self, versions: Sequence[Version], kind: str) -> None:
        """Record versions whose end is what is there: of a new environment, or of one that was there first."""
        for version in versions:
            for store in self._stores(version):
                revision = self._revision(version, State.DONE, kind)
                self.holders[store].put(version.number, row(replace(revision, ended=revision.began)))

    def create(self, versions: Sequence[Version]) -> None:
        """Make everything from nothing, as the last of these versions has it, and record them all."""
        last = versions[-1]
        stage = Stage(n=0, phase="expand", by="runner", op="alter")
        began = self._revision(last, State.RUNNING, FRESH)
        for store in self._stores(last):
            self.holders[store].put(last.number, row(began))
        for store in sorted(last.snapshot.stores):
            self._run(last, stage, store, {}, last.snapshot.stores[store])
        self._compare(last.folder, last.snapshot.stores)
        self.adopt(versions, FRESH)

    def resolve(self, version: Version, stage: Stage, before: Snapshot, note: str, *, is_shown: bool) -> None:
        """Record that a stage is done, by somebody else; NeedsDecision if the stores must show it, and do not."""
        history = self.read()
        now = position(version, before, history)
        if is_shown and stage.op == "alter":
            site, after = self.sites[stage.store], landed(now, version.changes_of(stage))
            wanted = after.get(stage.store, {})
            steps = site.steps(now.get(stage.store, {}), wanted)
            live = site.driver.introspect({step.target for step in steps})
            for at, step in enumerate(steps):
                if probe_among(steps, at, live[step.target]) is not probed.PRESENT:
                    raise NeedsDecision(
                        f"{version.number}/{stage.n} is not applied: {step.store} does not show: {step.summary}",
                        "`keywright drift` shows what differs; `keywright migrate apply` goes on with it",
                    )
        for store in (stage.store,) if stage.store else self._stores(version):
            self.holders[store].put(stage_key(version, stage), row(StageRow(n=stage.n, state="done", note=note)))
        self._mark(version, self.read(), State.RUNNING)

    def abort(self, version: Version, before: Snapshot) -> list[Stage]:
        """Take back the alterations of a version that is on its way, the newest first; data stays as it is.

        Raises NeedsDecision once something of the contract phase is done: from there it only goes forward.
        """
        history = self.read()
        done = [stage for stage in version.stages if is_stage_done(version, stage, history)]
        begun = [stage for stage in version.stages if _is_begun(version, stage, history)]
        if late := [stage for stage in begun if stage.phase == "contract" and stage.op == "alter"]:
            raise NeedsDecision(
                f"{version.number} cannot be taken back: step {late[0].n} has removed what was there before",
                "go forward: put right what stops it, and run `keywright migrate apply`",
            )
        undone: list[Stage] = []
        for stage in reversed(begun):
            earlier = [one for one in done if one.n < stage.n]
            if stage.op == "alter":
                old = landed(before.stores, [change for one in earlier for change in version.changes_of(one)])
                new = landed(old, version.changes_of(stage))
                self._run(version, stage, stage.store, new.get(stage.store, {}), old.get(stage.store, {}))
                undone.append(stage)
            for store in (stage.store,) if stage.store else self._stores(version):
                self.holders[store].put(stage_key(version, stage), row(StageRow(n=stage.n, state="undone")))
        self._mark(version, self.read(), State.ABORTED)
        return undone

    def _stores(self, version: Version) -> tuple[str, ...]:
        return tuple(store for store in version.stores if store in self.sites)

    def _note(
        self, version: Version, history: Mapping[str, Recorded], state: State, why: ApplyError | NeedsDecision
    ) -> None:
        """Record what stops a version; a store that cannot be reached is told of in its own words, not in those."""
        with suppress(StatementFailed, LockLost):
            self._mark(version, history, state, why.problem)

    def _mark(self, version: Version, history: Mapping[str, Recorded], state: State, error: str = "") -> None:
        for store in self._stores(version):
            found = history[store].revisions.get(version.number)
            began = found.began if found else _now()
            revision = replace(self._revision(version, state, "migration"), began=began, error=error)
            ended = _now() if state is not State.RUNNING else ""
            self.holders[store].put(version.number, row(replace(revision, ended=ended)))

    def _revision(self, version: Version, state: State, kind: str) -> Revision:
        who = self.signature
        return Revision(
            version=version.number,
            kind=kind,
            state=state.value,
            to=version.to,
            file_hash=self.hashes[version.number],
            plan_hash=who.plan_hash,
            actor=who.actor,
            tool=who.tool,
            began=_now(),
        )

    def _stage(self, version: Version, stage: Stage, before: Snapshot, history: Mapping[str, Recorded]) -> None:
        if stage.op in ("deploy_ack", "check", "copy"):
            self._gate(version, stage, history)
            return
        where = (stage.store,) if stage.store else self._stores(version)
        rows = {store: again(history[store].stage(version, stage), stage.n) for store in where}
        for store in where:
            self.holders[store].put(stage_key(version, stage), row(rows[store]))
        self.tell(Event(version, stage, "begins"))
        now = position(version, before, history)
        adopted = self._work(version, stage, now)
        if self.is_checked:
            self._compare(f"{version.number}/{stage.n}", landed(now, version.changes_of(stage)))
        for store in where:
            done = replace(rows[store], state="done", adopted=adopted)
            self.holders[store].put(stage_key(version, stage), row(done))
        self.tell(Event(version, stage, "done"))

    def _gate(self, version: Version, stage: Stage, history: Mapping[str, Recorded]) -> None:
        """A gate is open once a person has said so."""
        name = f"{version.number}/{stage.n}"
        if name not in self.acknowledged:
            raise Blocked(
                f"{name} waits for a person: {stage.text}",
                f"once that is so, run it again with --ack {name} --note TEXT",
            )
        note = self.acknowledged[name]
        for store in (stage.store,) if stage.store else self._stores(version):
            done = StageRow(n=stage.n, state="done", note=note)
            self.holders[store].put(stage_key(version, stage), row(done))
        self.tell(Event(version, stage, "acknowledged"))

    def _work(self, version: Version, stage: Stage, now: Stores) -> bool:
        """Carry out a stage; whether all of it was there already."""
        match stage.op:
            case "alter":
                after = landed(now, version.changes_of(stage))
                wanted = after.get(stage.store, {})
                done = self._run(version, stage, stage.store, now.get(stage.store, {}), wanted)
                self._by_hand(version, stage, wanted)
                return bool(done) and all(one.outcome == "kept" for one in done)
            case "assert_snapshot":
                self._compare(version.folder, version.snapshot.stores)
                return True
            case _:
                self.workers[stage.op](self.sites[stage.store], version, stage, self.holders[stage.store])
                return False

    def _run(
        self, version: Version, stage: Stage, store: str, before: Mapping[str, Json], after: Mapping[str, Json]
    ) -> list[Done]:
        site = self.sites[store]
        done = run(
            site.steps(before, after),
            site.driver,
            allow=lambda step: self.holders[store].check(),
            tell=lambda one: self.tell(Event(version, stage, "step", one)),
            pace=self.pace,
        )
        for one in done:
            if one.outcome == "conflict":
                raise Conflict(f"{version.number}/{stage.n}", one)
        return done

    def _by_hand(self, version: Version, stage: Stage, wanted: Mapping[str, Json]) -> None:
        """What no statement can change, such as a setting that is read at start, is waited for."""
        left = [
            found
            for name, found in self.sites[stage.store].differences(wanted)
            for change in version.changes_of(stage)
            if _is_about(change, found)
        ]
        if left:
            what = "; ".join(f"{'.'.join(one.path)} is {_short(one.found)}, not {_short(one.wanted)}" for one in left)
            raise Blocked(
                f"{version.number}/{stage.n}: {stage.store} must be changed by hand: {what}",
                "change it in the server's file or parameter group and restart it, then run the same command again",
            )

    def _compare(self, what: str, stores: Stores) -> None:
        """What is there must be what the history leads to."""
        found: list[str] = []
        for store, site in self.sites.items():
            for name, one in site.differences(stores.get(store, {})):
                place = ".".join((name, *one.path))
                found.append(f"{store} {place}: wanted {_short(one.wanted)}, found {_short(one.found)}")
        if found:
            more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
            raise Differs(f"{what} is carried out, and {'; '.join(found[:3])}{more}")


class Conflict(NeedsDecision):
    """Something else stands where a step would make its object."""

    def __init__(self, place: str, done: Done) -> None:
        step = done.step
        unlike = list(differences(step.wants, done.found))
        told = [f"{'.'.join(one.path) or 'it'} is {_short(one.found)}, not {_short(one.wanted)}" for one in unlike[:3]]
        super().__init__(
            f"{place}: could not {step.summary} in {step.store}: something else is there: {'; '.join(told)}",
            "put it right and run the same command again; what was done by hand as it should be, is adopted then",
        )


class Differs(NeedsDecision):
    """All steps are done, and the store is not what the snapshot says."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            problem, "somebody changed it meanwhile, or a server does otherwise than it says: `keywright drift` shows "
            "all of it; put it right and run the same command again",
        )  # fmt: skip


def position(version: Version, before: Snapshot, history: Mapping[str, Recorded]) -> Stores:
    """What the stores are between a version's beginning and its end, by the stages that are done."""
    done = [stage for stage in version.stages if is_stage_done(version, stage, history)]
    return landed(before.stores, [change for stage in done for change in version.changes_of(stage)])


def snapshot_before(versions: Sequence[Version], version: Version) -> Snapshot:
    """The snapshot that a version begins from."""
    at = [one.number for one in versions].index(version.number)
    return versions[at - 1].snapshot if at else EMPTY


def _is_begun(version: Version, stage: Stage, history: Mapping[str, Recorded]) -> bool:
    found = [one.stage(version, stage) for one in history.values()]
    return any(one is not None and one.state != "undone" for one in found)


def _is_about(change: Change, found: Difference) -> bool:
    """Whether a difference lies in what a change is about."""
    path = change.path[2:]
    return change.is_native and (found.path[: len(path)] == path or path[: len(found.path)] == found.path)


def _short(value: Json) -> str:
    text = "nothing" if value is None else canonical(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
