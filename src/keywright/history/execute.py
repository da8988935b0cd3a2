"""Carries out versions: stage by stage, each recorded before its first effect and after its last probe."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from keywright.engines.interface import StatementFailed
from keywright.engines.plan import Step
from keywright.errors import Blocked, NeedsDecision
from keywright.ir.json import Json

from . import gates, runner
from .arrival import arrived, settled
from .conflict import Conflict
from .holding import LockLost
from .landing import Handover, Lander, hand_over, places
from .position import position
from .records import Recorded, Revision, StageRow, State, again, is_stage_done, recorded, row, stage_key
from .runner import ApplyError, Done, Pace
from .site import Site
from .snapshot import Snapshot, Stores, landed
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
"""Does the work of one op on data, such as a backfill."""


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
    landers: Mapping[str, Lander] = field(default_factory=dict)
    """Who lands native steps of stores that are not the runner's, by `Site.by`."""
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
        self.mark(version, history, State.RUNNING)
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
        self.mark(version, self.read(), State.DONE)

    def set(self, steps: Sequence[Step], place: str) -> None:
        """Bring what the environment owns to what it says, where the stores are at a position."""
        for store in dict.fromkeys(step.store for step in steps):
            mine = tuple(step for step in steps if step.store == store)
            for one in self._native(store, mine, (place, place), lambda one: self.tell(Event(None, None, "step", one))):
                if one.outcome == "conflict":
                    raise Conflict("settings", one)

    def conclude(self, place: str) -> None:
        """Have whoever else lands steps take in what is there, at a position."""
        for store, site in self.sites.items():
            if site.by in self.landers:
                asked = Handover(start=place, end=place, check=self.holders[store].check)
                try:
                    self.landers[site.by](asked)
                except StatementFailed as failure:
                    help = "every step is done; put the cause right and run the same command again"
                    raise NeedsDecision(f"{store}: {failure}", help) from failure

    def adopt(self, versions: Sequence[Version], kind: str) -> None:
        """Record versions whose end is what is there: of a new environment, or of one that was there first."""
        for version in versions:
            for store in self.stores_of(version):
                revision = self._revision(version, State.DONE, kind)
                self.holders[store].put(version.number, row(replace(revision, ended=revision.began)))

    def create(self, versions: Sequence[Version]) -> None:
        """Make everything from nothing, as the last of these versions has it, and record them all.

        What others land comes last: a stack may look at all of it.
        """
        last = versions[-1]
        stage = Stage(n=0, phase="expand", by="runner", op="alter")
        began = self._revision(last, State.RUNNING, FRESH)
        for store in self.stores_of(last):
            self.holders[store].put(last.number, row(began))
        end = f"{last.number}/end"
        for store in sorted(last.snapshot.stores, key=lambda store: (self.sites[store].by in self.landers, store)):
            self.run(last, stage, store, {}, last.snapshot.stores[store], (end, end))
        arrived(self.sites, last.folder, last.snapshot.stores)
        self.adopt(versions, FRESH)

    def stores_of(self, version: Version) -> tuple[str, ...]:
        """The stores of a version that are open."""
        return tuple(store for store in version.stores if store in self.sites)

    def kept_in(self, version: Version, stage: Stage) -> tuple[str, ...]:
        """The stores that remember a stage."""
        return (stage.store,) if stage.store else self.stores_of(version)

    def record(self, version: Version, stage: Stage, what: StageRow) -> None:
        """Write a stage's row wherever it is kept."""
        for store in self.kept_in(version, stage):
            self.holders[store].put(stage_key(version, stage), row(what))

    def _note(
        self, version: Version, history: Mapping[str, Recorded], state: State, why: ApplyError | NeedsDecision
    ) -> None:
        """Record what stops a version; a store that cannot be reached is told of in its own words, not in those."""
        with suppress(StatementFailed, LockLost):
            self.mark(version, history, state, why.problem)

    def mark(self, version: Version, history: Mapping[str, Recorded], state: State, error: str = "") -> None:
        """Write how far a version is, in all of its stores."""
        for store in self.stores_of(version):
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
        if stage.is_gate:
            self._gate(version, stage, before, history)
            return
        where = self.kept_in(version, stage)
        rows = {store: again(history[store].stage(version, stage), stage.n) for store in where}
        for store in where:
            self.holders[store].put(stage_key(version, stage), row(rows[store]))
        self.tell(Event(version, stage, "begins"))
        now = position(version, before, history)
        adopted = self._work(version, stage, now)
        if self.is_checked:
            arrived(self.sites, f"{version.number}/{stage.n}", landed(now, version.changes_of(stage)))
        for store in where:
            done = replace(rows[store], state="done", adopted=adopted)
            self.holders[store].put(stage_key(version, stage), row(done))
        self.tell(Event(version, stage, "done"))

    def _gate(self, version: Version, stage: Stage, before: Snapshot, history: Mapping[str, Recorded]) -> None:
        """A gate is open once a person has said so; some open by themselves."""
        name = f"{version.number}/{stage.n}"
        if name in self.acknowledged:
            self.record(version, stage, StageRow(n=stage.n, state="done", note=self.acknowledged[name]))
            self.tell(Event(version, stage, "acknowledged"))
            return
        if stage.op not in gates.BY_THEMSELVES:
            raise Blocked(
                f"{name} waits for a person: {stage.text}",
                f"once that is so, run it again with --ack {name} --note TEXT",
            )
        uses: Json = None
        if stage.op == "quiet":
            uses = gates.uses_of(self.sites[stage.store], version, stage, position(version, before, history))
        rows = (history[store].stage(version, stage) for store in self.kept_in(version, stage))
        row = gates.seen_again(stage, next(filter(None, rows), None), uses, datetime.now(UTC))
        self.record(version, stage, row)
        if row.state != "done":
            raise gates.shut(version, stage, row)
        self.tell(Event(version, stage, "done"))

    def _work(self, version: Version, stage: Stage, now: Stores) -> bool:
        """Carry out a stage; whether all of it was there already."""
        match stage.op:
            case "alter":
                after = landed(now, version.changes_of(stage))
                wanted = after.get(stage.store, {})
                done = self.run(version, stage, stage.store, now.get(stage.store, {}), wanted, places(version, stage))
                settled(self.sites[stage.store], version, stage, wanted)
                return bool(done) and all(one.outcome == "kept" for one in done)
            case "assert_snapshot":
                arrived(self.sites, version.folder, version.snapshot.stores)
                return True
            case _:
                self.workers[stage.op](self.sites[stage.store], version, stage, self.holders[stage.store])
                return False

    def run(
        self,
        version: Version,
        stage: Stage,
        store: str,
        before: Mapping[str, Json],
        after: Mapping[str, Json],
        places: tuple[str, str],
    ) -> list[Done]:
        """Run the native steps between two states of a store, or have them landed.

        places: the positions of all stores before and afterwards. Raises Conflict where something else stands in the
        way.
        """
        steps = self.sites[store].steps(before, after)
        done = self._native(store, steps, places, lambda one: self.tell(Event(version, stage, "step", one)))
        for one in done:
            if one.outcome == "conflict":
                raise Conflict(f"{version.number}/{stage.n}", one)
        return done

    def _native(
        self, store: str, steps: tuple[Step, ...], places: tuple[str, str], tell: Callable[[Done], None]
    ) -> list[Done]:
        """Run steps of a store, or have them landed by who does that there."""
        site, check = self.sites[store], self.holders[store].check
        lander = self.landers.get(site.by)
        if lander is None:
            return runner.run(steps, site.driver, allow=lambda step: check(), tell=tell, pace=self.pace)
        start, end = places
        asked = Handover(steps=steps, start=start, end=end, check=check)
        return hand_over(lander, asked, site.driver, tell=tell, pace=self.pace)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
