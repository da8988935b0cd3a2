"""One process's part of a backfill: its workers take segment after segment, and settle page after page."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from keywright.engines.interface import StatementFailed
from keywright.engines.pages import Change, Item, Pages, Work
from keywright.ir.json import Json
from keywright.ir.transformed import Poison, Values

from .lock import new_owner
from .segments import Book, Claim, Counts, Lost, Plan, Row, counts_of
from .throttle import Clock, Throttle
from .transforming import Code, decide, hash_of

FIRST_PAUSE = 0.02
"""Seconds after which a worker without a segment looks again; the pause doubles each time."""

REST_SECONDS = 0.2
"""How long a worker that waits takes to see that its process is to end."""

Ended: TypeAlias = Literal["done", "failed", "aborted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a pass is done."""

    segments: int = 64
    """About how many segments the items are split into; fixed when the pass begins."""
    workers: int = 2
    """Threads of this process, of which one computes while the server writes for the other; processes may join."""
    page: int = 2000
    """The most items that a worker holds at once."""
    ahead: int = 20_000
    """The most items that the server transforms in one go, where it does that by itself."""
    rate: float | None = None
    """Items a second that this process does; None for as many as it can."""
    max_failed: int = 0
    """Items in quarantine that do not block what comes after the pass."""
    tries: int = 3
    """How often an item that somebody else writes is read again."""
    kept: int = 1000
    """Items of one segment that go to quarantine before the segment is given up: the transform is wrong then."""
    lease_seconds: float = 60
    """How long a segment must stand still before another worker takes it over."""
    poll_seconds: float = 5
    """How often the control row is read."""
    is_alone: bool = False
    """Whether no worker of an earlier run can be alive, as who holds the store's lock knows: its segments are free."""
    restart: bool = False
    """Begin anew, also with another transform."""
    clock: Clock = field(default_factory=Clock)
    """Time."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pass is, all workers of all processes together."""

    counts: Counts
    """What became of items so far."""
    segments_done: int
    """Segments that are finished."""
    segments: int
    """Segments that there are."""
    per_second: float
    """Items a second that this process has read since it began."""
    seconds_left: float | None
    """About how long it takes from here; None where nobody knows how many items there are."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a pass did."""

    ended: Ended
    """Whether every segment is finished."""
    counts: Counts
    """What became of items, in all runs of the pass since it began."""
    quarantined: int
    """Items that are in quarantine."""
    problems: tuple[str, ...]
    """Why segments were given up."""
    is_blocked: bool
    """Whether what comes after the pass must wait: it is not finished, or more items failed than may."""


class _Aborted(Exception):
    """The control row says so."""


class Pass:
    """One process's part of a pass."""

    def __init__(
        self,
        book: Book,
        pages: Pages,
        work: Work,
        code: Code | None,
        settings: Settings,
        tell: Callable[[Progress], None],
        *,
        is_verifying: bool = False,
        plan: Plan | None = None,
    ) -> None:
        self.book, self.pages, self.settings, self.tell = book, pages, settings, tell
        self.is_verifying, self.is_code = is_verifying, code is not None
        self.decide = decide(work, pages, code)
        hash = hash_of(work, code)
        self.plan = plan or book.planned(hash, lambda: pages.split(settings.segments), restart=settings.restart)
        self.throttle = Throttle(settings.clock, settings.rate)
        self.name, self.began = new_owner(), settings.clock.now()
        self.server_side = None if code or is_verifying else pages.server_side
        self._total, self._read, self._looked_at = pages.estimate(), 0, float("-inf")
        self._state = "run"
        self._rows: dict[str, Row] = {}
        self._mutex = threading.Lock()

    def run(self) -> Report:
        """Work until nothing is left to do."""
        ended: Ended = "done"
        try:
            if self.settings.workers == 1:
                self._work(0)
            else:
                self._together()
        except _Aborted:
            ended = "aborted"
        rows = [row for _, _, row in self.book.segments(self.plan)]
        problems = tuple(dict.fromkeys(row["error"] for row in rows if row["state"] == "FAILED"))
        ended = "failed" if problems and ended == "done" else ended
        bad = len(self.book.quarantined(self.plan))
        counts = sum(map(counts_of, rows), Counts())
        return Report(ended, counts, bad, problems, ended != "done" or bad > self.settings.max_failed)

    def _together(self) -> None:
        """Several workers; when one fails, the others end after their page."""
        with ThreadPoolExecutor(self.settings.workers) as pool:
            try:
                for one in as_completed([pool.submit(self._work, number) for number in range(self.settings.workers)]):
                    one.result()
            except BaseException:
                self._state = "abort"
                raise

    def _work(self, number: int) -> None:
        """One worker: a segment after the other, its own and those that others have left."""
        longest = min(self.settings.poll_seconds, self.settings.lease_seconds / 4)
        pause = FIRST_PAUSE
        while True:
            self._obey(None)
            claim, is_busy = self.book.claim(self.plan, f"{self.name}/{number}", self.name)
            if claim is not None:
                self._segment(claim)
                pause = FIRST_PAUSE
            elif is_busy:
                self.settings.clock.sleep(min(pause, longest))
                pause = min(pause * 2, longest)
            else:
                return

    def _segment(self, claim: Claim) -> None:
        """Page after page from where it stands; each is acknowledged before it is checkpointed."""
        most = self.settings.page if self.server_side is None else self.settings.ahead
        try:
            while claim.row["state"] == "CLAIMED":
                self._obey(claim)
                limit = self.throttle.limit(most, min(1, self.settings.lease_seconds / 4))
                counts, cursor = self._page(claim.segment, claim.row["cursor"], limit)
                total = counts_of(claim.row) + counts
                if total.rejected > self.settings.kept:
                    claim.checkpoint(cursor, total, "FAILED", f"more than {self.settings.kept} items were rejected")
                else:
                    claim.checkpoint(cursor, total, "DONE" if cursor is None else "CLAIMED")
                self._told(claim, counts.read)
                self._rest(self.throttle.spend(counts.read))
        except Lost:
            return
        except StatementFailed:
            raise  # what the server has done is not known, nor whether it can be reached; a lease decides
        except BaseException:
            claim.release()
            raise

    def _page(self, segment: Json, cursor: Json, limit: int) -> tuple[Counts, Json]:
        if self.server_side is not None:
            ahead = self.server_side(segment, cursor, limit)
            read = ahead.written + ahead.already_new
            done = Counts(read=read, written=ahead.written, already_new=ahead.already_new)
            return done + self.settle(ahead.left), ahead.cursor
        items, after = self.pages.page(segment, cursor, limit)
        return self.settle(items), after

    def settle(self, items: Sequence[Item]) -> Counts:
        """Write what some items need; those that others write meanwhile are read again, a few times."""
        counts = Counts()
        waiting: Sequence[Item | None] = items
        for attempt in range(self.settings.tries + 1):
            decided, changes = self._decided(waiting)
            counts += decided
            contended = changes
            if not self.is_verifying:
                written, contended = self._written(changes)
                counts += written
            if not contended or self.is_verifying or attempt == self.settings.tries:
                break
            waiting = self.pages.find([one.item.key for one in contended])
        return counts + Counts(read=len(contended), contended=len(contended))

    def _decided(self, items: Sequence[Item | None]) -> tuple[Counts, list[Change]]:
        """What became of the items that are not written, and the changes of the others."""
        already_new = unchanged = rejected = 0
        changes: list[Change] = []
        for item in items:
            if item is None:
                unchanged += 1
                continue
            if item.is_new:
                already_new += 1
                continue
            try:
                values = self._values(item)
            except Poison as poison:
                self.book.quarantine(self.plan, item.key, str(poison))
                rejected += 1
                continue
            if values is not None:
                changes.append(Change(item, values))
            elif self.is_code:
                unchanged += 1
            else:
                already_new += 1
        read = already_new + unchanged + rejected
        return Counts(read, 0, already_new, unchanged, 0, rejected), changes

    def _values(self, item: Item) -> Values | None:
        if item.poison:
            raise Poison(item.poison)
        return self.decide(item)

    def _written(self, changes: Sequence[Change]) -> tuple[Counts, list[Change]]:
        """What became of the changes, and those that met somebody else's."""
        outcomes = self.pages.write(changes) if changes else ()
        kinds = [one.kind for one in outcomes]
        for change, outcome in zip(changes, outcomes, strict=True):
            if outcome.kind == "rejected":
                self.book.quarantine(self.plan, change.item.key, outcome.reason)
        written, rejected = kinds.count("written"), kinds.count("rejected")
        contended = [change for change, kind in zip(changes, kinds, strict=True) if kind == "contended"]
        return Counts(read=written + rejected, written=written, rejected=rejected), contended

    def _obey(self, claim: Claim | None) -> None:
        """Do what the control row says; a pause keeps the segment."""
        while True:
            if (state := self._control()) == "abort":
                raise _Aborted
            if state != "pause":
                return
            if claim is not None:
                claim.checkpoint(claim.row["cursor"], counts_of(claim.row))
            self._rest(self.settings.poll_seconds)

    def _rest(self, seconds: float) -> None:
        """Wait, unless this process is to end: whoever interrupts it waits for all of its workers."""
        now = self.settings.clock.now
        ends = now() + seconds
        while self._state != "abort" and (left := ends - now()) > 0:
            self.settings.clock.sleep(min(left, REST_SECONDS))

    def _control(self) -> str:
        """What the workers of this process are told, read every few seconds."""
        now = self.settings.clock.now()
        with self._mutex:
            if self._state != "abort" and now - self._looked_at >= self.settings.poll_seconds:
                row: Row = self.book.row("control") or {"state": "run", "rate": None}
                self._looked_at, self._state = now, row["state"]
                if row["rate"] is not None:
                    self.throttle.rate = row["rate"] or None
            return self._state

    def _told(self, claim: Claim, read: int) -> None:
        with self._mutex:
            if not self._rows:
                self._rows = {key: row for key, _, row in self.book.segments(self.plan)}
            self._rows[claim.key] = claim.row
            self._read += read
            counts = sum(map(counts_of, self._rows.values()), Counts())
            seconds = max(self.settings.clock.now() - self.began, 1e-9)
            per_second = self._read / seconds
            left = None if self._total is None else max(0, self._total - counts.read) / max(per_second, 1e-9)
            done = sum(row["state"] in ("DONE", "FAILED") for row in self._rows.values())
            self.tell(Progress(counts, done, len(self.plan.segments), per_second, left))
