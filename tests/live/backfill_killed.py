"""A process that carries out a backfill until it is killed, in small and slow pages: see `main`."""

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.projects import imported_alone

from keywright.api.live import connect
from keywright.api.live.connect import StoreSelector
from keywright.api.migrate.apply import apply
from keywright.api.migrate.locks import ApplyOptions, CommandWatcher
from keywright.drivers.mongodb import pages as mongodb_pages
from keywright.engines.contract.pages import ChangeOutcome, ItemChange, Pages, Work
from keywright.engines.interface import Driver
from keywright.errors import KeywrightError
from keywright.migrations.backfill.backfill import BackfillSettings, PassProgress
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.store import StoreConnection
from keywright.project.settings import read_settings
from keywright.record import replace


@contextmanager
def slowly(seconds: float, is_guarded: bool, stops_at: int = 0) -> Iterator[None]:
    """Within the block, live writes come between what a page reads and what it writes.

    is_guarded: the server is not asked to transform anything by itself. stops_at: number of the page which the process
    has read and is about to write when it stops itself, as by SIGSTOP from outside; 0 for none.
    """
    site = connect._site
    pages_read = count(1)

    def slow(pages: Pages) -> Pages:
        def write(changes: Sequence[ItemChange]) -> tuple[ChangeOutcome, ...]:
            time.sleep(seconds)
            if next(pages_read) == stops_at:
                os.kill(os.getpid(), signal.SIGSTOP)
            return pages.write(changes)

        return replace(pages, write=write, server_side=None if is_guarded else pages.server_side)

    def watched(driver: Driver) -> Driver:
        def pages(work: Work) -> Pages:
            return slow(driver.pages(work))

        return replace(driver, pages=pages)

    def opened(*given: Any) -> StoreConnection:
        store = site(*given)
        return replace(store, driver=watched(store.driver))

    connect._site = opened
    try:
        yield
    finally:
        connect._site = site


def main(
    root: Path,
    gates: Sequence[str],
    settings: BackfillSettings,
    pause: float,
    is_guarded: bool,
    page: Any,
    stops_at: int = 0,
) -> int:
    """Apply, as `keywright migrate apply --local` does, with some gates open.

    page: a semaphore that is released each time that a page is behind it. stops_at: see `slowly`.
    """
    order = ApplyOptions(acknowledged=dict.fromkeys(gates, "it is so"), backfill=settings)

    def behind(migration: Migration, step: Step, progress: PassProgress) -> None:
        page.release()

    mongodb_pages.LEAST = 1  # few documents are split too
    with imported_alone(root), slowly(pause, is_guarded, stops_at):
        try:
            apply(StoreSelector(read_settings(root), "dev", is_local=True), order, CommandWatcher(backfill=behind))
        except KeywrightError as problem:
            print(f"error: {problem}", file=sys.stderr)
            return problem.exit_code
    return 0
