"""The cache of fetched servers: a temporary folder is filled and then renamed."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from keywright.local.lock import file_lock
from keywright.record import Record

Problem = TypeVar("Problem")

FETCH_SECONDS = 900
"""Time to wait for another process that fetches the same server."""


class Fetching(Record):
    """Parameters of every fetch."""

    cache: Path
    """The cache folder of this user, for all projects."""
    notify: Callable[[Literal["licence", "fetch", "wait"], str], None]
    """Called with a phase and one sentence."""
    cancelled: threading.Event
    """Set to cancel the fetch."""


def fill(
    folder: Path,
    lock: Path,
    fetching: Fetching,
    announce: Callable[[], None],
    work: Callable[[Path], Problem | None],
) -> Problem | None:
    """Fill a new folder by `work` and rename it to `folder`; does nothing if `folder` exists.

    lock: held during the work, so that one process fetches and the others use the result.
    announce: called before a fetch.
    work: returns the reason for a failure, or None; after a failure its files are removed.
    """
    with file_lock(
        lock,
        "downloads to the cache",
        wait_seconds=FETCH_SECONDS,
        waiting=lambda text: fetching.notify("wait", text),
        cancelled=fetching.cancelled,
    ):
        if folder.is_dir():
            return None
        announce()
        part = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)  # left by a fetch that was killed
        part.mkdir(parents=True)
        try:
            if problem := work(part):
                return problem
            part.rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return None
