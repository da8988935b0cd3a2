"""What a store remembers of its migrations: a row for each version, and one for each of its stages."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any

from keywright.ir.json import Json

from .version import Stage, Version


class State(Enum):
    """How far a version is."""

    RUNNING = "running"
    """Some stages are done, or it was interrupted."""
    DONE = "done"
    """The store is as its snapshot says."""
    FAILED = "failed"
    """A stage failed; the cause must be put right."""
    MANUAL = "manual"
    """A person must decide."""
    ABORTED = "aborted"
    """What it had done was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One version in one store."""

    version: str
    """Its number."""
    kind: str
    """`migration`, `baseline`, `fresh` or `dev`."""
    state: str
    """A value of `State`."""
    to: str
    """Fingerprint of its snapshot."""
    file_hash: str
    """The cumulative hash of its folder when it was applied."""
    plan_hash: str = ""
    """The plan that was approved."""
    actor: str = ""
    """Who started it, and where."""
    tool: str = ""
    """Which keywright."""
    began: str = ""
    """When, by the clock of who started it; for people only."""
    ended: str = ""
    """When, likewise."""
    error: str = ""
    """Why it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """One stage in one store."""

    n: int
    """Its number."""
    state: str
    """`intent` from before its first effect on, `done` after its last probe."""
    attempt: int = 1
    """How often it was begun."""
    adopted: bool = False
    """Whether all of it was there already."""
    note: str = ""
    """What a person said of it."""
    since: str = ""
    """Of a gate that opens by itself, since when it waits, by the clock of who saw it first."""
    seen: Json = None
    """Of a `quiet` gate, what the server said then of the use of the index."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The history of one store."""

    revisions: Mapping[str, Revision]
    """By number of the version."""
    stages: Mapping[tuple[str, int], StageRow]
    """By version and number."""

    def is_done(self, version: Version) -> bool:
        """Whether the store has all of a version."""
        found = self.revisions.get(version.number)
        return found is not None and found.state == State.DONE.value

    def stage(self, version: Version, stage: Stage) -> StageRow | None:
        """What is known of a stage."""
        return self.stages.get((version.number, stage.n))


def recorded(rows: Mapping[str, Json]) -> Recorded:
    """The history in a ledger's rows; rows of other kinds are left alone."""
    revisions: dict[str, Revision] = {}
    stages: dict[tuple[str, int], StageRow] = {}
    for key, row in rows.items():
        parts = key.split("/")
        told: Any = row
        if not parts[0].isdigit():
            continue
        if len(parts) == 1:
            revisions[key] = Revision(**told)
        elif len(parts) == 2:
            stages[parts[0], int(parts[1])] = StageRow(**told)
    return Recorded(revisions, stages)


def row(one: Revision | StageRow) -> Json:
    """A record as a ledger keeps it."""
    return asdict(one)


def stage_key(version: Version, stage: Stage) -> str:
    """The key of a stage's row."""
    return f"{version.number}/{stage.n:05d}"


def again(found: StageRow | None, n: int) -> StageRow:
    """The row of a stage that is begun, perhaps not for the first time."""
    return replace(found, state="intent", attempt=found.attempt + 1) if found else StageRow(n=n, state="intent")


def pending(versions: Iterable[Version], stores: Mapping[str, Recorded]) -> tuple[Version, ...]:
    """The versions that some store still lacks, in order."""
    nothing = Recorded({}, {})
    return tuple(one for one in versions if not all(stores.get(store, nothing).is_done(one) for store in one.stores))


def is_stage_done(version: Version, stage: Stage, stores: Mapping[str, Recorded]) -> bool:
    """Whether a stage is done wherever it is recorded."""
    where = (stage.store,) if stage.store else version.stores
    found = [stores[store].stage(version, stage) if store in stores else None for store in where]
    return all(one is not None and one.state == "done" for one in found)


def is_begun(version: Version, stage: Stage, stores: Mapping[str, Recorded]) -> bool:
    """Whether any store remembers that a stage was begun, and was not taken back."""
    found = [one.stage(version, stage) for one in stores.values()]
    return any(one is not None and one.state != "undone" for one in found)
