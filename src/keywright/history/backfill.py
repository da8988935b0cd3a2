"""Backfills in place: every item of an entity through a transform, resumable, and without losing anybody's write."""

from collections.abc import Callable
from dataclasses import replace

from keywright.engines.ledger import Ledger
from keywright.engines.pages import Pages, Work
from keywright.errors import UsageError

from .passes import Pass, Progress, Report, Settings
from .segments import Book, Counts, Plan, Row, counts_of
from .transforming import Code, hash_of

__all__ = ["Progress", "Report", "Settings", "control", "retry_quarantine", "run", "status", "verify"]


def run(
    ledger: Ledger,
    step: str,
    pages: Pages,
    work: Work,
    *,
    code: Code | None = None,
    settings: Settings | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Report:
    """Send every item through a transform; what is done already stays done, and other processes may do the same.

    step: the prefix of all rows of the pass, such as `0008/20`. Raises NeedsDecision if the pass has begun with another
    transform, StatementFailed if a server cannot be reached: running again goes on from the last page.
    """
    book = _book(ledger, step, settings or Settings())
    return Pass(book, pages, work, code, settings or Settings(), tell).run()


def verify(
    ledger: Ledger,
    step: str,
    pages: Pages,
    work: Work,
    *,
    code: Code | None = None,
    settings: Settings | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Report:
    """Read every item once more and write nothing: `counts.contended` is the number of stale ones, which must be 0.

    A pass that was broken off goes on; one that is finished is done anew.
    """
    settings = settings or Settings()
    book = _book(ledger, f"{step}/verify", settings)
    plan = book.plan()
    if plan is not None and not settings.restart:
        is_over = all(row["state"] in ("DONE", "FAILED") for _, _, row in book.segments(plan))
        settings = replace(settings, restart=is_over or plan.hash != hash_of(work, code))
    return Pass(book, pages, work, code, settings, tell, is_verifying=True).run()


def control(ledger: Ledger, step: str, *, state: str | None = None, rate: float | None = None) -> None:
    """Tell all workers of a pass something: they look every few seconds.

    state: "run", "pause" or "abort". rate: items a second for each process; 0 for as fast as it goes.
    """
    if state not in (None, "run", "pause", "abort"):
        raise UsageError(f'a pass is not told to "{state}"', "run, pause or abort it")
    book = _book(ledger, step, Settings())
    while True:
        before = book.row("control")
        after: Row = {"state": "run", "rate": None, **(before or {})}
        after |= {"state": state or after["state"], "rate": after["rate"] if rate is None else rate}
        if after == before or ledger.replace(f"{step}/control", before, after):
            return


def status(ledger: Ledger, step: str) -> tuple[Plan, dict[str, Row], Counts, int] | None:
    """(plan, rows of segments by key, counts, items in quarantine) of a pass; None where none has begun."""
    book = _book(ledger, step, Settings())
    plan = book.plan()
    if plan is None:
        return None
    rows = {key: row for key, _, row in book.segments(plan)}
    return plan, rows, sum(map(counts_of, rows.values()), Counts()), len(book.quarantined(plan))


def retry_quarantine(
    ledger: Ledger, step: str, pages: Pages, work: Work, *, code: Code | None = None, settings: Settings | None = None
) -> Counts:
    """Try the items in quarantine again, after they or the transform were put right; those that go through leave it."""
    settings = settings or Settings()
    book = _book(ledger, step, settings)
    plan = book.plan()
    if plan is None:
        return Counts()
    one = Pass(book, pages, work, code, settings, lambda progress: None, plan=plan)
    total = Counts()
    for key, row in book.quarantined(plan).items():
        (item,) = pages.find([row["key"]])
        counts = one.settle([item] if item else [])
        if not counts.rejected and not counts.contended:
            ledger.replace(key, row, {**row, "state": "resolved"})
        total += counts
    return total


def _book(ledger: Ledger, prefix: str, settings: Settings) -> Book:
    return Book(ledger, prefix, settings.clock, settings.lease_seconds, settings.is_alone)
