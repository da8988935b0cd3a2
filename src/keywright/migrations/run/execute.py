"""Applies migrations step by step; each step is recorded before its first effect and after its last probe."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from keywright.engines.contract.plan import Statement
from keywright.engines.interface import StatementFailed
from keywright.errors import Blocked, NeedsDecision
from keywright.ir.json import Json
from keywright.record import Record, replace

from ..lock.lease import LockLost
from ..migration import Migration, Step
from ..snapshot import Snapshot, Stores, applied
from . import gates, runner
from .conflict import Conflict
from .delegated import DelegatedSteps, StepExecutor, delegate, places
from .position import position
from .records import MigrationRow, MigrationState, StepRow, StoreHistory, again, is_step_done, recorded, row, step_key
from .runner import ApplyError, Done, Pace
from .store import StoreConnection
from .verify import arrived, once_stable

FRESH = "fresh"
"""Kind of a migration that was never applied, because the stores were created in the state of a later one."""


class Holder(Protocol):
    """A held lock of a store."""

    @property
    def fence(self) -> int:
        """Fence of the lock."""

    def check(self) -> None:
        """Raise if the lock is lost."""

    def put(self, key: str, row: Json) -> None:
        """Write a row of the history, unless another process has the lock."""


StepWorker = Callable[[StoreConnection, Migration, Step, Holder], None]
"""Executes an operation on data, such as a backfill."""


class MigrationEvent(Record):
    """Progress of a migration, for observers."""

    migration: Migration | None
    """Migration of the event; None for settings of the environment."""
    step: Step | None
    """Step of the event; None for settings of the environment."""
    what: str
    """`begins`, `step`, `done`, `acknowledged`."""
    done: Done | None = None
    """Result of the native step, for `step`."""


class Signature(Record, kw_only=True):
    """Author and tool of an execution, recorded with every migration."""

    actor: str = ""
    """User and host."""
    tool: str = ""
    """Version of keywright."""
    plan_hash: str = ""
    """Hash of the approved plan."""


@dataclass(slots=True, kw_only=True)
class Execution:
    """Application of migrations to the stores of an environment, whose locks are held."""

    stores: Mapping[str, StoreConnection]
    """Stores of the migrations."""
    holders: Mapping[str, Holder]
    """Locks by store."""
    hashes: Mapping[str, str]
    """Cumulative hash of each migration's folder, by number."""
    acknowledged: Mapping[str, str] = field(default_factory=dict)
    """Gates that a person has opened, such as `0008/10`, with their notes."""
    workers: Mapping[str, StepWorker] = field(default_factory=dict)
    """Executors of operations on data, by operation."""
    executors: Mapping[str, StepExecutor] = field(default_factory=dict)
    """Executors of delegated steps, by `StoreConnection.by`."""
    signature: Signature = field(default_factory=Signature)
    """Author and tool of this execution."""
    pace: Pace = field(default_factory=Pace)
    """Waiting times for effects."""
    notify: Callable[[MigrationEvent], None] = lambda event: None
    """Receives the events."""
    is_checked: bool = False
    """Whether the stores are compared with the position after every step, and not only at the end."""

    def read(self) -> dict[str, StoreHistory]:
        """History of each store."""
        return {store: recorded(connection.ledger.rows("")) for store, connection in self.stores.items()}

    def carry_out(self, migration: Migration, before: Snapshot) -> None:
        """Apply a migration to all stores, starting from their recorded position.

        Raises Blocked at a closed gate, NeedsDecision if a person must decide, ApplyError if a statement fails. All
        completed work is recorded, and another call continues from there.
        """
        history = self.read()
        self.mark(migration, history, MigrationState.RUNNING)
        try:
            for step in migration.steps:
                if not is_step_done(migration, step, history):
                    self._stage(migration, step, before, history)
                    history = self.read()
        except ApplyError as failure:
            self._note(migration, history, MigrationState.FAILED, failure)
            raise
        except NeedsDecision as unclear:
            self._note(migration, history, MigrationState.MANUAL, unclear)
            raise
        self.mark(migration, self.read(), MigrationState.DONE)

    def set(self, statements: Sequence[Statement], place: str) -> None:
        """Apply the environment's settings to stores at a position."""
        for store in dict.fromkeys(statement.store for statement in statements):
            statements_of_store = tuple(statement for statement in statements if statement.store == store)
            for done in self._native(
                store,
                statements_of_store,
                (place, place),
                lambda done: self.notify(MigrationEvent(None, None, "step", done)),
            ):
                if done.outcome == "conflict":
                    raise Conflict("settings", done)

    def conclude(self, place: str) -> None:
        """Let the executors of delegated steps import the existing objects, at a position."""
        for store, connection in self.stores.items():
            if connection.by in self.executors:
                delegated = DelegatedSteps(start=place, end=place, check=self.holders[store].check)
                try:
                    self.executors[connection.by](delegated)
                except StatementFailed as failure:
                    help = "every step is done; correct the cause and run the same command again"
                    raise NeedsDecision(f"{store}: {failure}", help) from failure

    def adopt(self, migrations: Sequence[Migration], kind: str) -> None:
        """Record migrations whose result already exists: of a new environment, or of one older than keywright."""
        for migration in migrations:
            for store in self.stores_of(migration):
                revision = self._revision(migration, MigrationState.DONE, kind)
                self.holders[store].put(migration.number, row(replace(revision, ended=revision.began)))

    def create(self, migrations: Sequence[Migration]) -> None:
        """Create all stores in the state of the last of these migrations, and record all of them.

        Delegated stores are last, because a stack may read all the others.
        """
        last = migrations[-1]
        step = Step(n=0, phase="expand", by="runner", op="alter")
        began = self._revision(last, MigrationState.RUNNING, FRESH)
        for store in self.stores_of(last):
            self.holders[store].put(last.number, row(began))
        end = f"{last.number}/end"
        for store in sorted(last.snapshot.stores, key=lambda store: (self.stores[store].by in self.executors, store)):
            self.run(last, step, store, {}, last.snapshot.stores[store], (end, end))
        arrived(self.stores, last.folder, last.snapshot.stores)
        self.adopt(migrations, FRESH)

    def stores_of(self, migration: Migration) -> tuple[str, ...]:
        """Connected stores of a migration."""
        return tuple(store for store in migration.stores if store in self.stores)

    def kept_in(self, migration: Migration, step: Step) -> tuple[str, ...]:
        """Stores that record a step."""
        return (step.store,) if step.store else self.stores_of(migration)

    def record(self, migration: Migration, step: Step, what: StepRow) -> None:
        """Write a step's row to every store that records it."""
        for store in self.kept_in(migration, step):
            self.holders[store].put(step_key(migration, step), row(what))

    def _note(
        self,
        migration: Migration,
        history: Mapping[str, StoreHistory],
        state: MigrationState,
        why: ApplyError | NeedsDecision,
    ) -> None:
        """Record the error that stops a migration; failures to record it are suppressed, as the caller raises `why`."""
        with suppress(StatementFailed, LockLost):
            self.mark(migration, history, state, why.problem)

    def mark(
        self, migration: Migration, history: Mapping[str, StoreHistory], state: MigrationState, error: str = ""
    ) -> None:
        """Write the state of a migration to all of its stores."""
        for store in self.stores_of(migration):
            previous = history[store].revisions.get(migration.number)
            began = previous.began if previous else _now()
            revision = replace(self._revision(migration, state, "migration"), began=began, error=error)
            ended = _now() if state is not MigrationState.RUNNING else ""
            self.holders[store].put(migration.number, row(replace(revision, ended=ended)))

    def _revision(self, migration: Migration, state: MigrationState, kind: str) -> MigrationRow:
        signature = self.signature
        return MigrationRow(
            version=migration.number,
            kind=kind,
            state=state.value,
            to=migration.to,
            file_hash=self.hashes[migration.number],
            plan_hash=signature.plan_hash,
            actor=signature.actor,
            tool=signature.tool,
            began=_now(),
        )

    def _stage(self, migration: Migration, step: Step, before: Snapshot, history: Mapping[str, StoreHistory]) -> None:
        if step.is_gate:
            self._gate(migration, step, before, history)
            return
        store_names = self.kept_in(migration, step)
        rows = {store: again(history[store].step(migration, step), step.n) for store in store_names}
        for store in store_names:
            self.holders[store].put(step_key(migration, step), row(rows[store]))
        self.notify(MigrationEvent(migration, step, "begins"))
        stores = position(migration, before, history)
        adopted = self._work(migration, step, stores)
        if self.is_checked:
            arrived(self.stores, f"{migration.number}/{step.n}", applied(stores, migration.changes_of(step)))
        for store in store_names:
            done = replace(rows[store], state="done", adopted=adopted)
            self.holders[store].put(step_key(migration, step), row(done))
        self.notify(MigrationEvent(migration, step, "done"))

    def _gate(self, migration: Migration, step: Step, before: Snapshot, history: Mapping[str, StoreHistory]) -> None:
        """Open a gate that a person has acknowledged or that opens without a person; else raise Blocked."""
        name = f"{migration.number}/{step.n}"
        if name in self.acknowledged:
            self.record(migration, step, StepRow(n=step.n, state="done", note=self.acknowledged[name]))
            self.notify(MigrationEvent(migration, step, "acknowledged"))
            return
        if step.op not in gates.BY_THEMSELVES:
            raise Blocked(
                f"{name} waits for a person: {step.text}",
                f"once this is the case, run the command again with --ack {name} --note TEXT",
            )
        uses: Json = None
        if step.op == "quiet":
            uses = gates.uses_of(self.stores[step.store], migration, step, position(migration, before, history))
        rows = (history[store].step(migration, step) for store in self.kept_in(migration, step))
        clock = self.stores[self.kept_in(migration, step)[0]].ledger.now  # clocks of the client machines differ
        row = gates.seen_again(step, next(filter(None, rows), None), uses, clock())
        self.record(migration, step, row)
        if row.state != "done":
            raise gates.shut(migration, step, row)
        self.notify(MigrationEvent(migration, step, "done"))

    def _work(self, migration: Migration, step: Step, stores: Stores) -> bool:
        """Run a step; returns whether all of its objects already existed."""
        match step.op:
            case "alter":
                after = applied(stores, migration.changes_of(step))
                expected = after.get(step.store, {})
                done = self.run(
                    migration, step, step.store, stores.get(step.store, {}), expected, places(migration, step)
                )
                once_stable(self.stores[step.store], migration, step, expected)
                return bool(done) and all(result.outcome == "kept" for result in done)
            case "assert_snapshot":
                arrived(self.stores, migration.folder, migration.snapshot.stores)
                return True
            case _:
                self.workers[step.op](self.stores[step.store], migration, step, self.holders[step.store])
                return False

    def run(
        self,
        migration: Migration,
        step: Step,
        store: str,
        before: Mapping[str, Json],
        after: Mapping[str, Json],
        places: tuple[str, str],
    ) -> list[Done]:
        """Run or delegate the native steps between two states of a store.

        places: positions of all stores before and after. Raises Conflict if a different object exists.
        """
        statements = self.stores[store].statements(before, after)
        results = self._native(
            store, statements, places, lambda done: self.notify(MigrationEvent(migration, step, "step", done))
        )
        for done in results:
            if done.outcome == "conflict":
                raise Conflict(f"{migration.number}/{step.n}", done)
        return results

    def _native(
        self, store: str, statements: tuple[Statement, ...], places: tuple[str, str], tell: Callable[[Done], None]
    ) -> list[Done]:
        """Run the steps of a store, or delegate them to the store's executor."""
        connection, check = self.stores[store], self.holders[store].check
        executor = self.executors.get(connection.by)
        if executor is None:
            return runner.run(statements, connection.driver, allow=lambda statement: check(), tell=tell, pace=self.pace)
        start, end = places
        delegated = DelegatedSteps(statements=statements, start=start, end=end, check=check)
        return delegate(executor, delegated, connection.driver, tell=tell, pace=self.pace)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
