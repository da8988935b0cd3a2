"""Rows of a pass in a history: its plan, its segments with their owners, and its quarantine."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from keywright.engines.contract.ledger import Ledger
from keywright.engines.interface import StatementFailed
from keywright.errors import Blocked, NeedsDecision
from keywright.ir.json import Json, canonical
from keywright.record import Record

from ..lock.lease import LockLost
from .throttle import Clock

SegmentRow: TypeAlias = dict[str, Any]
"""A row of a history."""

SegmentState: TypeAlias = Literal["TODO", "CLAIMED", "DONE", "FAILED"]
"""State of a segment."""


class Counts(Record):
    """Results by number of items; `read` is the sum of the others."""

    read: int = 0
    """Items read; an item that is read twice counts twice."""
    written: int = 0
    """Items written."""
    already_new: int = 0
    """Items that already have the version or the values."""
    unchanged: int = 0
    """Items that the Python transform left as they are, and items that were deleted before the write."""
    contended: int = 0
    """Items that others wrote at every attempt, left for the next pass; in a verify pass, stale items."""
    rejected: int = 0
    """Items in quarantine."""

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, name) + getattr(other, name) for name in COUNTED))

    @property
    def is_exact(self) -> bool:
        """Whether the other counts add up to `read`."""
        return self.read == self.written + self.already_new + self.unchanged + self.contended + self.rejected

    def described(self) -> dict[str, Json]:
        """The counts as part of a row."""
        return {name: getattr(self, name) for name in COUNTED}


COUNTED = ("read", "written", "already_new", "unchanged", "contended", "rejected")


def counts_of(row: SegmentRow) -> Counts:
    """Counts of a row."""
    return Counts(**row["counts"])


class Lost(Exception):
    """Another worker has taken the segment over; guarded writes make this harmless."""


class BackfillPlan(Record):
    """Plan of a pass, shared by all its workers."""

    run: int
    """Number of the run, raised when a pass restarts; rows of former runs are ignored."""
    segments: tuple[Json, ...]
    """Segments, in the driver's form."""
    hash: str
    """Hash of the transform."""


@dataclass
class BackfillState:
    """Rows of a pass below a prefix such as `0008/20`, and the state that this process has seen of them."""

    ledger: Ledger
    """History that contains the rows."""
    prefix: str
    """Prefix of the keys of all rows, without the last slash."""
    clock: Clock
    """Clock of this process."""
    lease_seconds: float
    """Time without progress after which another worker may take a claimed segment."""
    is_alone: bool = False
    """Whether no worker of an earlier run can be alive, so that no lease needs to expire."""
    fence: int = 0
    """Fence of the store's lock under which rows are written."""
    _seen: dict[str, tuple[str, float]] = field(default_factory=dict)
    _mutex: threading.Lock = field(default_factory=threading.Lock)

    def check(self) -> None:
        """Raise LockLost if another process has taken over the pass."""
        if self.ledger.lock().fence != self.fence:
            raise LockLost(self.ledger.place, "another process has taken over")

    def replace(self, key: str, before: SegmentRow | None, after: SegmentRow) -> bool:
        """Write a row if it is unchanged since it was read; LockLost if another process has taken over the pass."""
        if self.ledger.replace(key, before, after, self.fence):
            return True
        self.check()
        return False

    def row(self, name: str) -> SegmentRow | None:
        """Row with this name below the prefix; None if there is none."""
        return self.ledger.row(f"{self.prefix}/{name}")  # type: ignore[return-value]

    def plan(self) -> BackfillPlan | None:
        """Plan of the pass; None if it has not begun."""
        row = self.row("plan")
        return None if row is None else BackfillPlan(row["run"], tuple(row["segments"]), row["hash"])

    def planned(self, hash: str, split: Callable[[], tuple[Json, ...]], *, restart: bool) -> BackfillPlan:
        """Plan of the pass, created if missing; NeedsDecision if it has another transform and may not be replaced.

        restart: replace the plan; of several concurrent restarts, all follow the first.
        """
        before = self.row("plan")
        if before is not None and not restart:
            if before["hash"] != hash:
                raise NeedsDecision(
                    f"{self.prefix}: the transform has changed since the pass started to change items",
                    "restore the former transform, or apply the new one to the remaining items: "
                    f"`keywright migrate backfill {self.prefix} --restart`",
                )
        else:
            run = 1 if before is None else before["run"] + 1
            row: SegmentRow = {"hash": hash, "run": run, "segments": list(split())}
            self.replace(f"{self.prefix}/plan", before, row)
        plan = self.plan()
        if plan is None or plan.hash != hash:
            raise Blocked(f"{self.prefix}: another process has started a pass of another transform", "run one of them")
        return plan

    def segments(self, plan: BackfillPlan) -> Iterator[tuple[str, SegmentRow | None, SegmentRow]]:
        """(key, stored row or None, row of the current run) of every segment, in order."""
        rows: Any = self.ledger.rows(f"{self.prefix}/seg/")
        for index in range(len(plan.segments)):
            key = f"{self.prefix}/seg/{index:05d}"
            stored: SegmentRow | None = rows.get(key)
            fresh: SegmentRow = {"state": "TODO", "run": plan.run, "claim": 0, "beat": 0, "owner": "", "cursor": None,
                          "counts": Counts().described(), "error": ""}  # fmt: skip
            if stored is not None:
                fresh["claim"] = stored["claim"]
            yield key, stored, stored if stored is not None and stored["run"] == plan.run else fresh

    def claim(self, plan: BackfillPlan, owner: str, run: str) -> tuple["SegmentClaim | None", bool]:
        """(claimed segment or None, whether others still work on some).

        owner: name of the worker; run: prefix of the names of all workers of this run.
        """
        busy = False
        for index, (key, stored, row) in enumerate(self.segments(plan)):
            if row["state"] == "CLAIMED" and not self._is_free(key, row, run):
                busy = True
            elif row["state"] in ("TODO", "CLAIMED"):
                claimed = {**row, "state": "CLAIMED", "claim": row["claim"] + 1, "owner": owner}
                if self.replace(key, stored, claimed):
                    return SegmentClaim(self, key, plan.segments[index], claimed), True
                busy = True
        return None, busy

    def _is_free(self, key: str, row: SegmentRow, run: str) -> bool:
        """Whether a claimed segment has made no progress for a lease, by this process's clock."""
        if self.is_alone and not row["owner"].startswith(run):
            return True
        text, now = canonical(row), self.clock.now()
        with self._mutex:
            last_text, since = self._seen.get(key, ("", now))
            if last_text != text:
                self._seen[key] = text, now
                return False
        return now - since >= self.lease_seconds

    def quarantine(self, plan: BackfillPlan, key: Json, error: str) -> None:
        """Record the key of an item that cannot be written, with the reason, but never the item itself."""
        name = hashlib.sha256(canonical(key).encode()).hexdigest()[:24]
        row: SegmentRow = {"key": key, "error": error, "state": "open", "run": plan.run}
        before = self.row(f"bad/{name}")
        if before != row:
            self.replace(f"{self.prefix}/bad/{name}", before, row)

    def mended(self, plan: BackfillPlan) -> Counts:
        """Counts of items that have left quarantine, as corrections of `rejected`."""
        rows: Any = self.ledger.rows(f"{self.prefix}/bad/")
        results = [row["became"] for row in rows.values() if row.get("became") and row["run"] == plan.run]
        return sum((Counts(**{**counts, "read": 0, "rejected": -1}) for counts in results), Counts())

    def quarantined(self, plan: BackfillPlan) -> dict[str, SegmentRow]:
        """Rows of items that are still in quarantine, by key."""
        rows: Any = self.ledger.rows(f"{self.prefix}/bad/")
        return {key: row for key, row in rows.items() if row["state"] == "open" and row["run"] == plan.run}


@dataclass
class SegmentClaim:
    """A segment that a worker has claimed."""

    book: BackfillState
    """Rows of the pass."""
    key: str
    """Key of the segment's row."""
    segment: Json
    """Segment in the driver's form."""
    row: SegmentRow
    """Last written row."""

    def check(self) -> None:
        """Raise Lost if another worker has taken the segment, LockLost if another process has taken over the pass."""
        self.book.check()
        if self.book.ledger.row(self.key) != self.row:
            raise Lost

    def checkpoint(self, cursor: Json, counts: Counts, state: SegmentState = "CLAIMED", error: str = "") -> None:
        """Write the cursor and counts; Lost if another worker has taken the segment."""
        beat = self.row["beat"] + 1
        after = {**self.row, "state": state, "cursor": cursor, "beat": beat, "error": error}
        after["counts"] = counts.described()
        if not self.book.replace(self.key, self.row, after):
            raise Lost
        self.row = after

    def release(self) -> None:
        """Let other workers continue from the last checkpoint at once, if the history can be reached."""
        with suppress(StatementFailed, LockLost):
            self.book.replace(self.key, self.row, {**self.row, "state": "TODO"})
