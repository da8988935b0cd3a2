"""Backfills in place: a resumable transform of every item of an entity that loses no concurrent write."""

from collections.abc import Callable

from keywright.engines.contract.ledger import Ledger
from keywright.engines.contract.pages import Pages, Work
from keywright.errors import UsageError
from keywright.record import replace

from .item_transform import PythonTransform, hash_of
from .segments import BackfillPlan, BackfillState, Counts, SegmentRow, counts_of
from .settings import BackfillSettings, PassProgress, PassReport
from .worker import BackfillWorker

__all__ = ["BackfillSettings", "PassProgress", "PassReport", "control", "retry_quarantine", "run", "status", "verify"]


def run(
    ledger: Ledger,
    step: str,
    pages: Pages,
    work: Work,
    *,
    code: PythonTransform | None = None,
    settings: BackfillSettings | None = None,
    tell: Callable[[PassProgress], None] = lambda progress: None,
) -> PassReport:
    """Transform every item; the pass continues from its last page, and other processes can work on it too.

    step: the prefix of all rows of the pass, such as `0008/20`. Raises NeedsDecision if the pass has begun with another
    transform, StatementFailed if a server cannot be reached.
    """
    book = _working(ledger, step, settings or BackfillSettings())
    return BackfillWorker(book, pages, work, code, settings or BackfillSettings(), tell).run()


def verify(
    ledger: Ledger,
    step: str,
    pages: Pages,
    work: Work,
    *,
    code: PythonTransform | None = None,
    settings: BackfillSettings | None = None,
    tell: Callable[[PassProgress], None] = lambda progress: None,
) -> PassReport:
    """Read every item again without writing: `counts.contended` is the number of stale items, which must be 0.

    An interrupted pass continues; a finished pass starts again.
    """
    settings = settings or BackfillSettings()
    book = _working(ledger, f"{step}/verify", settings)
    plan = book.plan()
    if plan is not None and not settings.restart:
        is_over = all(row["state"] in ("DONE", "FAILED") for _, _, row in book.segments(plan))
        settings = replace(settings, restart=is_over or plan.hash != hash_of(work, code))
    return BackfillWorker(book, pages, work, code, settings, tell, is_verifying=True).run()


def control(ledger: Ledger, step: str, *, state: str | None = None, rate: float | None = None) -> None:
    """Set the control row of a pass, which its workers read every few seconds.

    state: "run", "pause" or "abort". rate: items a second for each process; 0 for no limit.
    """
    if state not in (None, "run", "pause", "abort"):
        raise UsageError(f'"{state}" is not a state of a pass', "write run, pause or abort")
    while True:
        book = _working(ledger, step, BackfillSettings())
        before = book.row("control")
        after: SegmentRow = {"state": "run", "rate": None, **(before or {})}
        after |= {"state": state or after["state"], "rate": after["rate"] if rate is None else rate}
        if after == before or ledger.replace(f"{step}/control", before, after, book.fence):
            return


def status(ledger: Ledger, step: str) -> tuple[BackfillPlan, dict[str, SegmentRow], Counts, int] | None:
    """(plan, rows of segments by key, counts, items in quarantine) of a pass; None if it has not begun."""
    book = _book(ledger, step, BackfillSettings())
    plan = book.plan()
    if plan is None:
        return None
    rows = {key: row for key, _, row in book.segments(plan)}
    counts = sum(map(counts_of, rows.values()), book.mended(plan))
    return plan, rows, counts, len(book.quarantined(plan))


def retry_quarantine(
    ledger: Ledger,
    step: str,
    pages: Pages,
    work: Work,
    *,
    code: PythonTransform | None = None,
    settings: BackfillSettings | None = None,
) -> Counts:
    """Transform items in quarantine again after they or the transform were corrected; successful items leave it."""
    settings = settings or BackfillSettings()
    book = _working(ledger, step, settings)
    plan = book.plan()
    if plan is None:
        return Counts()
    worker = BackfillWorker(book, pages, work, code, settings, lambda progress: None, plan=plan)
    total = Counts()
    for key, row in book.quarantined(plan).items():
        (item,) = pages.find([row["key"]])
        counts = worker.settle([item] if item else [], book.check)
        if not counts.rejected and not counts.contended:
            became = counts if item else Counts(unchanged=1)  # the item was deleted
            book.replace(key, row, {**row, "state": "resolved", "became": became.described()})
        total += counts
    return total


def _book(ledger: Ledger, prefix: str, settings: BackfillSettings) -> BackfillState:
    return BackfillState(ledger, prefix, settings.clock, settings.lease_seconds, settings.is_alone)


def _working(ledger: Ledger, prefix: str, settings: BackfillSettings) -> BackfillState:
    """State for writing under the current fence, so that the next holder of the lock makes these writes fail."""
    book = _book(ledger, prefix, settings)
    book.fence = ledger.lock().fence if settings.fence is None else settings.fence
    return book
