"""One process's part of a backfill: its workers claim segments and transform them page by page."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress

from keywright.engines.contract.pages import ItemChange, Pages, StoredItem, Work
from keywright.engines.interface import StatementFailed
from keywright.ir.apply_transform import ChangedValues, Poison
from keywright.ir.json import Json
from keywright.ir.text import counted

from ..lock.lock import new_owner
from .item_transform import PythonTransform, decide, hash_of
from .segments import BackfillPlan, BackfillState, Counts, Lost, SegmentClaim, SegmentRow, counts_of
from .settings import BackfillSettings, PassEnd, PassProgress, PassReport
from .throttle import Throttle

FIRST_PAUSE = 0.02
"""First pause of a worker without a segment; the pause doubles each time."""

REST_SECONDS = 0.2
"""Longest time until a waiting worker notices that its process ends."""


class _Aborted(Exception):
    """The control row contains `abort`."""


class BackfillWorker:
    """One process's part of a pass."""

    def __init__(
        self,
        book: BackfillState,
        pages: Pages,
        work: Work,
        code: PythonTransform | None,
        settings: BackfillSettings,
        tell: Callable[[PassProgress], None],
        *,
        is_verifying: bool = False,
        plan: BackfillPlan | None = None,
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
        self._rows: dict[str, SegmentRow] = {}
        self._mutex = threading.Lock()

    def run(self) -> PassReport:
        """Work until no segment is left."""
        ended: PassEnd = "done"
        try:
            if self.settings.workers == 1:
                self._work(0)
            else:
                self._run_workers()
        except _Aborted:
            ended = "aborted"
        rows = [row for _, _, row in self.book.segments(self.plan)]
        problems = tuple(dict.fromkeys(row["error"] for row in rows if row["state"] == "FAILED"))
        ended = "failed" if problems and ended == "done" else ended
        quarantined = len(self.book.quarantined(self.plan))
        counts = sum(map(counts_of, rows), self.book.mended(self.plan))
        return PassReport(
            ended, counts, quarantined, problems, ended != "done" or quarantined > self.settings.max_failed
        )

    def _run_workers(self) -> None:
        """Run several workers; if a worker fails, the others end after their page."""
        with ThreadPoolExecutor(self.settings.workers) as pool:
            try:
                for future in as_completed(
                    [pool.submit(self._work, number) for number in range(self.settings.workers)]
                ):
                    future.result()
            except BaseException:
                self._state = "abort"
                raise

    def _work(self, number: int) -> None:
        """Run a worker: claim segment after segment, also those that other workers have left."""
        longest = min(self.settings.poll_seconds, self.settings.lease_seconds / 4)
        pause = FIRST_PAUSE
        while True:
            self._obey(None)
            claim, is_busy = self.book.claim(self.plan, f"{self.name}/{number}", self.name)
            if claim is not None:
                self._segment(claim)
                pause = FIRST_PAUSE
            elif is_busy:
                self.book.check()
                self.settings.clock.sleep(min(pause, longest))
                pause = min(pause * 2, longest)
            else:
                return

    def _segment(self, claim: SegmentClaim) -> None:
        """Transform a segment page by page from its cursor; each page is acknowledged before its checkpoint."""
        most = self.settings.page if self.server_side is None else self.settings.ahead
        try:
            while claim.row["state"] == "CLAIMED":
                self._obey(claim)
                limit = self.throttle.limit(most, min(1, self.settings.lease_seconds / 4))
                counts, cursor = self._page(claim, limit)
                total = counts_of(claim.row) + counts
                if total.rejected > self.settings.kept:
                    claim.checkpoint(
                        cursor,
                        total,
                        "FAILED",
                        f"more than {counted(self.settings.kept, 'item was', 'items were')} rejected",
                    )
                else:
                    claim.checkpoint(cursor, total, "DONE" if cursor is None else "CLAIMED")
                self._report_progress(claim, counts.read)
                self._rest(self.throttle.spend(counts.read))
        except Lost:
            return
        except StatementFailed:
            # The process that took over may have ended the pass, so that what a page writes to is gone.
            with suppress(StatementFailed):
                self.book.check()
            raise  # the server's state is unknown, so the segment becomes free only when its lease expires
        except BaseException:
            claim.release()
            raise

    def _page(self, claim: SegmentClaim, limit: int) -> tuple[Counts, Json]:
        cursor = claim.row["cursor"]
        if self.server_side is not None:
            claim.check()
            ahead = self.server_side(claim.segment, cursor, limit)
            read = ahead.written + ahead.already_new
            done = Counts(read=read, written=ahead.written, already_new=ahead.already_new)
            return done + self.settle(ahead.left, claim.check), ahead.cursor
        items, after = self.pages.page(claim.segment, cursor, limit)
        return self.settle(items, claim.check), after

    def settle(self, items: Sequence[StoredItem], check: Callable[[], None]) -> Counts:
        """Write the changes of some items; contended items are read again, a few times.

        check: raises if another worker has the items. It is called after each read and before the write: the guard of
        the write rejects values that were read before another worker began, and later reads are never written.
        """
        counts = Counts()
        waiting: Sequence[StoredItem | None] = items
        for attempt in range(self.settings.tries + 1):
            decided, changes = self._decided(waiting)
            counts += decided
            contended = changes
            if not self.is_verifying:
                written, contended = self._written(changes, check)
                counts += written
            if not contended or self.is_verifying or attempt == self.settings.tries:
                break
            waiting = self.pages.find([change.item.key for change in contended])
        return counts + Counts(read=len(contended), contended=len(contended))

    def _decided(self, items: Sequence[StoredItem | None]) -> tuple[Counts, list[ItemChange]]:
        """Counts of the items that are not written, and the changes of the others."""
        already_new = unchanged = rejected = 0
        changes: list[ItemChange] = []
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
                changes.append(ItemChange(item, values))
            elif self.is_code:
                unchanged += 1
            else:
                already_new += 1
        read = already_new + unchanged + rejected
        return Counts(read, 0, already_new, unchanged, 0, rejected), changes

    def _values(self, item: StoredItem) -> ChangedValues | None:
        if item.poison:
            raise Poison(item.poison)
        return self.decide(item)

    def _written(self, changes: Sequence[ItemChange], check: Callable[[], None]) -> tuple[Counts, list[ItemChange]]:
        """Counts of the changes, and the contended changes."""
        if changes:
            self.settings.check()
            check()
        outcomes = self.pages.write(changes) if changes else ()
        kinds = [outcome.kind for outcome in outcomes]
        for change, outcome in zip(changes, outcomes, strict=True):
            if outcome.kind == "rejected":
                self.book.quarantine(self.plan, change.item.key, outcome.reason)
        written, rejected = kinds.count("written"), kinds.count("rejected")
        contended = [change for change, kind in zip(changes, kinds, strict=True) if kind == "contended"]
        return Counts(read=written + rejected, written=written, rejected=rejected), contended

    def _obey(self, claim: SegmentClaim | None) -> None:
        """Obey the control row; a pause keeps the segment."""
        while True:
            self.settings.check()
            if (state := self._control()) == "abort":
                raise _Aborted
            if state != "pause":
                return
            if claim is not None:
                claim.checkpoint(claim.row["cursor"], counts_of(claim.row))
            else:
                self.book.check()
            self._rest(self.settings.poll_seconds)

    def _rest(self, seconds: float) -> None:
        """Wait, unless this process ends, because an interrupted process waits for all of its workers."""
        now = self.settings.clock.now
        ends = now() + seconds
        while self._state != "abort" and (left := ends - now()) > 0:
            self.settings.clock.sleep(min(left, REST_SECONDS))

    def _control(self) -> str:
        """State of the control row, read every few seconds."""
        now = self.settings.clock.now()
        with self._mutex:
            if self._state != "abort" and now - self._looked_at >= self.settings.poll_seconds:
                row: SegmentRow = self.book.row("control") or {"state": "run", "rate": None}
                self._looked_at, self._state = now, row["state"]
                if row["rate"] is not None:
                    self.throttle.rate = row["rate"] or None
            return self._state

    def _report_progress(self, claim: SegmentClaim, read: int) -> None:
        with self._mutex:
            if not self._rows:
                self._rows = {key: row for key, _, row in self.book.segments(self.plan)}
            self._rows[claim.key] = claim.row
            self._read += read
            counts = sum(map(counts_of, self._rows.values()), Counts())
            seconds = max(self.settings.clock.now() - self.began, 1e-9)
            per_second = self._read / seconds
            seconds_left = None if self._total is None else max(0, self._total - counts.read) / max(per_second, 1e-9)
            done = sum(row["state"] in ("DONE", "FAILED") for row in self._rows.values())
            self.tell(PassProgress(counts, done, len(self.plan.segments), per_second, seconds_left))
