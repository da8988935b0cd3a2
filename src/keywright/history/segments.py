"""The rows of a pass in a history: its plan, its segments and who has claimed them, and what is in quarantine."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from keywright.engines.interface import StatementFailed
from keywright.engines.ledger import Ledger
from keywright.errors import Blocked, NeedsDecision
from keywright.ir.json import Json, canonical

from .throttle import Clock

Row: TypeAlias = dict[str, Any]
"""A row of a history."""

State: TypeAlias = Literal["TODO", "CLAIMED", "DONE", "FAILED"]
"""States of a segment."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of items; `read` is the sum of the others."""

    read: int = 0
    """Items that were looked at; one that is met twice counts twice."""
    written: int = 0
    """Items that were written."""
    already_new: int = 0
    """Items that needed no change, since they have the version or the values already."""
    unchanged: int = 0
    """Items that Python left as they are, and those that were gone when it came to writing."""
    contended: int = 0
    """Items that somebody else wrote each time that we tried, left for the next pass; in a verify pass, stale ones."""
    rejected: int = 0
    """Items that are in quarantine."""

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, name) + getattr(other, name) for name in COUNTED))

    @property
    def is_exact(self) -> bool:
        """Whether every item that was read is accounted for."""
        return self.read == self.written + self.already_new + self.unchanged + self.contended + self.rejected

    def described(self) -> dict[str, Json]:
        """As a row holds it."""
        return {name: getattr(self, name) for name in COUNTED}


COUNTED = ("read", "written", "already_new", "unchanged", "contended", "rejected")


def counts_of(row: Row) -> Counts:
    """What a row holds of counts."""
    return Counts(**row["counts"])


class Lost(Exception):
    """Another worker has taken the segment over; what this one wrote is guarded, so nothing is wrong."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What all workers of a pass agree on."""

    run: int
    """Counts up when a pass begins anew; rows of former runs count for nothing."""
    segments: tuple[Json, ...]
    """Its segments, in the driver's own form."""
    hash: str
    """What the transform is known by."""


@dataclass
class Book:
    """The rows of one pass below a prefix such as `0008/20`, and what this process has seen of them."""

    ledger: Ledger
    """The history."""
    prefix: str
    """How the keys of all its rows begin, without the last slash."""
    clock: Clock
    """Time."""
    lease_seconds: float
    """How long a claimed segment must stand still before another worker takes it."""
    is_alone: bool = False
    """Whether no worker of an earlier run can be alive, so that nobody need wait."""
    _seen: dict[str, tuple[str, float]] = field(default_factory=dict)
    _mutex: threading.Lock = field(default_factory=threading.Lock)

    def row(self, name: str) -> Row | None:
        """A single row."""
        rows: Any = self.ledger.rows(f"{self.prefix}/{name}")
        found: Row | None = rows.get(f"{self.prefix}/{name}")
        return found

    def plan(self) -> Plan | None:
        """The plan, if there is one."""
        row = self.row("plan")
        return None if row is None else Plan(row["run"], tuple(row["segments"]), row["hash"])

    def planned(self, hash: str, split: Callable[[], tuple[Json, ...]], *, restart: bool) -> Plan:
        """The plan, made where there is none; NeedsDecision where it is for another transform and may not be replaced.

        restart: begin anew; of several that do so at once, all follow the first.
        """
        before = self.row("plan")
        if before is not None and not restart:
            if before["hash"] != hash:
                raise NeedsDecision(
                    f"{self.prefix}: the transform has changed since the pass began, and items have been through it",
                    "restart the pass, so that all items go through the new one; or put the former transform back",
                )
        else:
            run = 1 if before is None else before["run"] + 1
            row: Row = {"hash": hash, "run": run, "segments": list(split())}
            self.ledger.replace(f"{self.prefix}/plan", before, row)
        plan = self.plan()
        if plan is None or plan.hash != hash:
            raise Blocked(f"{self.prefix}: another process has begun a pass with another transform", "run one of them")
        return plan

    def segments(self, plan: Plan) -> Iterator[tuple[str, Row | None, Row]]:
        """(key, row as it stands or None, row as it counts) of every segment, in order."""
        rows: Any = self.ledger.rows(f"{self.prefix}/seg/")
        for at in range(len(plan.segments)):
            key = f"{self.prefix}/seg/{at:05d}"
            stands: Row | None = rows.get(key)
            fresh: Row = {"state": "TODO", "run": plan.run, "claim": 0, "beat": 0, "owner": "", "cursor": None,
                          "counts": Counts().described(), "error": ""}  # fmt: skip
            if stands is not None:
                fresh["claim"] = stands["claim"]
            yield key, stands, stands if stands is not None and stands["run"] == plan.run else fresh

    def claim(self, plan: Plan, owner: str, run: str) -> tuple["Claim | None", bool]:
        """(a segment that is now ours or None, whether others still work on some).

        owner: the worker; run: how the names of all workers of this run begin.
        """
        busy = False
        for at, (key, stands, row) in enumerate(self.segments(plan)):
            if row["state"] == "CLAIMED" and not self._is_free(key, row, run):
                busy = True
            elif row["state"] in ("TODO", "CLAIMED"):
                mine = {**row, "state": "CLAIMED", "claim": row["claim"] + 1, "owner": owner}
                if self.ledger.replace(key, stands, mine):
                    return Claim(self.ledger, key, plan.segments[at], mine), True
                busy = True
        return None, busy

    def _is_free(self, key: str, row: Row, run: str) -> bool:
        """Whether a claimed segment has stood still for a lease, by our own clock."""
        if self.is_alone and not row["owner"].startswith(run):
            return True
        text, now = canonical(row), self.clock.now()
        with self._mutex:
            seen, since = self._seen.get(key, ("", now))
            if seen != text:
                self._seen[key] = text, now
                return False
        return now - since >= self.lease_seconds

    def quarantine(self, plan: Plan, key: Json, error: str) -> None:
        """Keep the key of an item that cannot be written, and why; never the item."""
        name = hashlib.sha256(canonical(key).encode()).hexdigest()[:24]
        row: Row = {"key": key, "error": error, "state": "open", "run": plan.run}
        before = self.row(f"bad/{name}")
        if before != row:
            self.ledger.replace(f"{self.prefix}/bad/{name}", before, row)

    def quarantined(self, plan: Plan) -> dict[str, Row]:
        """The rows of items that are still in quarantine, by key."""
        rows: Any = self.ledger.rows(f"{self.prefix}/bad/")
        return {key: row for key, row in rows.items() if row["state"] == "open" and row["run"] == plan.run}


@dataclass
class Claim:
    """A segment in the hands of one worker."""

    ledger: Ledger
    """The history."""
    key: str
    """Key of its row."""
    segment: Json
    """The segment."""
    row: Row
    """Its row as it stands."""

    def checkpoint(self, cursor: Json, counts: Counts, state: State = "CLAIMED", error: str = "") -> None:
        """Write how far it is; Lost if somebody else has taken it."""
        beat = self.row["beat"] + 1
        after = {**self.row, "state": state, "cursor": cursor, "beat": beat, "error": error}
        after["counts"] = counts.described()
        if not self.ledger.replace(self.key, self.row, after):
            raise Lost
        self.row = after

    def release(self) -> None:
        """Let others go on from the last checkpoint at once, if the history can still be reached."""
        with suppress(StatementFailed):
            self.ledger.replace(self.key, self.row, {**self.row, "state": "TODO"})
