"""The history of a store: a row for each migration, and a row for each of its steps."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from keywright.errors import Blocked, quoted
from keywright.ir.json import Json
from keywright.record import Record, asdict, fields, replace

from ..migration import Migration, Step

BASELINE = "baseline"
"""Kind of a migration that was never applied, because its objects existed before."""


ACCEPTED = "accepted"
"""First part of the keys of rows about accepted differences."""


class MigrationState(Enum):
    """State of a migration in a store."""

    RUNNING = "running"
    """Some steps are done, or the migration was interrupted."""
    DONE = "done"
    """The store equals the migration's snapshot."""
    FAILED = "failed"
    """A step failed; the cause must be corrected."""
    MANUAL = "manual"
    """A person must decide."""
    ABORTED = "aborted"
    """The completed steps were reverted."""


class MigrationRow(Record, kw_only=True):
    """A migration in one store."""

    version: str
    """Number of the migration."""
    kind: str
    """`migration`, `baseline`, `fresh`, `resolved` or `dev`."""
    state: str
    """A value of `MigrationState`."""
    to: str
    """Fingerprint of the migration's snapshot."""
    file_hash: str
    """Cumulative hash of the folder when it was applied."""
    plan_hash: str = ""
    """Hash of the approved plan."""
    actor: str = ""
    """User and host that started it."""
    tool: str = ""
    """Version of keywright."""
    began: str = ""
    """Start time by that host's clock; for people only."""
    ended: str = ""
    """End time by that host's clock; for people only."""
    error: str = ""
    """Reason of the failure."""


class StepRow(Record, kw_only=True):
    """A step in one store."""

    n: int
    """Number of the step."""
    state: str
    """`intent` before the first effect, `done` after the last probe."""
    attempt: int = 1
    """Number of times that the step was started."""
    adopted: bool = False
    """Whether all objects of the step already existed."""
    note: str = ""
    """Note of a person."""
    since: str = ""
    """For a gate that opens without a person: start of the wait, by the clock of the store."""
    seen: Json = None
    """For a `quiet` gate: the server's report at that time on the use of the index."""


class AcceptedDifference(Record, kw_only=True):
    """An object of one store that may differ from the migrations, by a person's decision."""

    object: str
    """Name on the command line, such as `mongodb/shop/indexes/users/email_1`."""
    key: str
    """Key of its target in a snapshot."""
    parts: list[dict[str, Json]]
    """Differing parts: `path` in the native half, the expected value `wanted`, and the live value `found`."""
    state: str = "accepted"
    """`accepted` or `withdrawn`."""
    reason: str = ""
    """Reason of the decision."""
    actor: str = ""
    """User and host of the decision."""
    at: str = ""
    """Time of the decision by that host's clock; for people only."""
    tool: str = ""
    """Version of keywright."""


class StoreHistory(Record):
    """The history of one store."""

    revisions: Mapping[str, MigrationRow]
    """Revisions by number of the migration."""
    steps: Mapping[tuple[str, int], StepRow]
    """Steps by migration and number."""
    accepted: tuple[AcceptedDifference, ...] = ()
    """Accepted differences, in the order of their names."""

    def is_done(self, migration: Migration) -> bool:
        """Whether a migration is applied completely."""
        revision = self.revisions.get(migration.number)
        return revision is not None and revision.state == MigrationState.DONE.value

    def step(self, migration: Migration, step: Step) -> StepRow | None:
        """Row of a step; None if it was never started."""
        return self.steps.get((migration.number, step.n))


def recorded(rows: Mapping[str, Json]) -> StoreHistory:
    """History from the rows of a ledger; rows of other kinds are skipped."""
    revisions: dict[str, MigrationRow] = {}
    steps: dict[tuple[str, int], StepRow] = {}
    accepted: list[AcceptedDifference] = []
    for key, row in rows.items():
        parts = key.split("/")
        content: Any = row
        if parts[0] == ACCEPTED:
            accepted.append(AcceptedDifference(**_checked(key, content, AcceptedDifference)))
        if not parts[0].isdigit():
            continue
        if len(parts) == 1:
            revisions[key] = MigrationRow(**_checked(key, content, MigrationRow))
        elif len(parts) == 2:
            steps[parts[0], int(parts[1])] = StepRow(**_checked(key, content, StepRow))
    in_effect = (difference for difference in accepted if difference.state == "accepted")
    return StoreHistory(revisions, steps, tuple(sorted(in_effect, key=lambda difference: difference.object)))


def _checked(key: str, values: Any, kind: type[MigrationRow] | type[StepRow] | type[AcceptedDifference]) -> Any:
    """A row; Blocked if it has fields that this version of the tool would lose when it writes the row."""
    if unknown := sorted(values.keys() - {field.name for field in fields(kind)}):
        writer = f" {values['tool']}" if isinstance(values.get("tool"), str) else ""
        problem = f'the history has {quoted(unknown)} in its row "{key}", written by a newer keywright{writer}'
        raise Blocked(problem, "upgrade keywright to at least that version, and run the command again")
    if values["state"] not in _STATES:
        problem = f'the history has state {quoted([values["state"]])} in its row "{key}", written by a newer keywright'
        raise Blocked(problem, "upgrade keywright to at least that version, and run the command again")
    return values


_STATES = {migration_state.value for migration_state in MigrationState} | {
    "intent",
    "done",
    "undone",
    "accepted",
    "withdrawn",
}


def row(record: MigrationRow | StepRow | AcceptedDifference) -> Json:
    """A record as a row of a ledger."""
    return asdict(record)


def step_key(migration: Migration, step: Step) -> str:
    """Key of a step's row."""
    return f"{migration.number}/{step.n:05d}"


def amendment_key(number: str, file_hash: str) -> str:
    """Key of the row that records a changed folder of a migration that was already started."""
    return f"{number}/amended/{file_hash[:16]}"


def acceptance_key(object: str) -> str:
    """Key of the row about an accepted difference."""
    return f"{ACCEPTED}/{object}"


def again(step_row: StepRow | None, n: int) -> StepRow:
    """Row of a step that is started, possibly again."""
    return replace(step_row, state="intent", attempt=step_row.attempt + 1) if step_row else StepRow(n=n, state="intent")


def pending(migrations: Iterable[Migration], stores: Mapping[str, StoreHistory]) -> tuple[Migration, ...]:
    """Migrations that some store still lacks, in order."""
    no_history = StoreHistory({}, {})
    return tuple(
        migration
        for migration in migrations
        if not all(stores.get(store, no_history).is_done(migration) for store in migration.stores)
    )


def is_step_done(migration: Migration, step: Step, stores: Mapping[str, StoreHistory]) -> bool:
    """Whether a step is done in every store that records it."""
    store_names = (step.store,) if step.store else migration.stores
    step_rows = [stores[store].step(migration, step) if store in stores else None for store in store_names]
    return all(step_row is not None and step_row.state == "done" for step_row in step_rows)


def is_begun(migration: Migration, step: Step, stores: Mapping[str, StoreHistory]) -> bool:
    """Whether any store records a step as started and not reverted."""
    step_rows = [store.step(migration, step) for store in stores.values()]
    return any(step_row is not None and step_row.state != "undone" for step_row in step_rows)
