"""A process that carries out a backfill until it is killed, in small and slow pages: see `main`."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.projects import imported_alone

from keywright.api import sites
from keywright.api.locked import Order, Watcher
from keywright.api.migrate import apply
from keywright.api.sites import Where
from keywright.drivers import mongodb_pages
from keywright.engines.interface import Driver
from keywright.engines.pages import Change, Outcome, Pages, Work
from keywright.errors import KeywrightError
from keywright.history.backfill import Progress, Settings
from keywright.history.site import Site
from keywright.history.version import Stage, Version
from keywright.project.settings import read_settings


@contextmanager
def slowly(seconds: float, is_guarded: bool) -> Iterator[None]:
    """Within the block, live writes come between what a page reads and what it writes.

    is_guarded: the server is not asked to transform anything by itself.
    """
    site = sites._site

    def slow(found: Pages) -> Pages:
        def write(changes: Sequence[Change]) -> tuple[Outcome, ...]:
            time.sleep(seconds)
            return found.write(changes)

        return replace(found, write=write, server_side=None if is_guarded else found.server_side)

    def watched(driver: Driver) -> Driver:
        def pages(work: Work) -> Pages:
            return slow(driver.pages(work))

        return replace(driver, pages=pages)

    def opened(*given: Any) -> Site:
        made = site(*given)
        return replace(made, driver=watched(made.driver))

    sites._site = opened
    try:
        yield
    finally:
        sites._site = site


def main(root: Path, gates: Sequence[str], settings: Settings, pause: float, is_guarded: bool, page: Any) -> int:
    """Apply, as `keywright migrate apply --local` does, with some gates open.

    page: a semaphore that is released each time that a page is behind it.
    """
    order = Order(acknowledged=dict.fromkeys(gates, "it is so"), backfill=settings)

    def behind(version: Version, stage: Stage, progress: Progress) -> None:
        page.release()

    mongodb_pages.LEAST = 1  # few documents are split too
    with imported_alone(root), slowly(pause, is_guarded):
        try:
            apply(Where(read_settings(root), "dev", is_local=True), order, Watcher(backfill=behind))
        except KeywrightError as problem:
            print(f"error: {problem}", file=sys.stderr)
            return problem.exit_code
    return 0
